/** Migrates a legacy wallet twice, with the engine and with a real node, and loads all new wallets in that node. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod/mini';
import { startEngine } from '../app/startEngine.ts';
import type { Part } from '../testNode/walletFixture.ts';
import type { RealNode } from './realNode.ts';
import { TimeSpan } from './timeSpan.ts';

export interface MigratedTwice {
  /** The parts that each of them created, which must be the same. */
  readonly parts: { readonly engine: readonly Part[]; readonly node: readonly Part[] };
  readonly pairs: readonly Pair[];
  /** The `.legacy.bak` that the engine wrote. */
  readonly backup: string;
  readonly passphrase: string | null;
  /** The time span of both migrations. */
  readonly span: TimeSpan;
}

/** One part of both migrations, with its names in the node. */
export interface Pair {
  readonly part: Part;
  /** The engine's file. */
  readonly file: string;
  readonly engine: string;
  readonly node: string;
  /** The answer of `loadwallet` for the engine's wallet. */
  readonly loaded: unknown;
}

/** Migrates copies of `file`, the node's under `name`, which must be new. Unlocks encrypted wallets. */
export async function migrateTwice(
  node: RealNode,
  name: string,
  file: string,
  passphrase: string | null,
): Promise<MigratedTwice> {
  const span = new TimeSpan();
  const folder = await mkdtemp(join(node.dataFolder, 'engine-'));
  const { wallets, backup } = await migrateInEngine(folder, file, passphrase);
  node.putWallet(name, file);
  const byNode = names.parse(
    await node.call('migratewallet', passphrase === null ? [name] : [name, passphrase]),
  );
  const pairs: Pair[] = [];
  for (const part of parts) {
    const [engineFile, other] = [wallets.get(part), byNode[part]];
    if (engineFile === undefined || other === undefined) continue;
    const engine = `${other} by the engine`;
    node.putWallet(engine, engineFile);
    pairs.push({
      part,
      file: engineFile,
      engine,
      node: other,
      loaded: await node.call('loadwallet', [engine]),
    });
  }
  span.end();
  for (const wallet of pairs.flatMap((pair) => [pair.engine, pair.node])) {
    await unlock(node, wallet, passphrase);
  }
  const created = { engine: [...wallets.keys()], node: parts.filter((part) => byNode[part] !== undefined) };
  return { parts: created, pairs, backup, passphrase, span };
}

/** Unlocks an encrypted wallet. Watch-only wallets are never encrypted, even if the old wallet was. */
async function unlock(node: RealNode, wallet: string, passphrase: string | null): Promise<void> {
  const { unlocked_until } = encryption.parse(await node.call('getwalletinfo', [], wallet));
  if (unlocked_until === undefined) return;
  await node.call('walletpassphrase', [passphrase, 3600], wallet);
}

const names = z.object({
  wallet_name: z.string(),
  watchonly_name: z.optional(z.string()),
  solvables_name: z.optional(z.string()),
});
const encryption = z.object({ unlocked_until: z.optional(z.number()) });

/** The result of the engine's migration. */
interface EngineMigration {
  /** The files of the new wallets, by part. */
  readonly wallets: ReadonlyMap<Part, string>;
  /** The `.legacy.bak` that the engine wrote. */
  readonly backup: string;
}

/** Migrates a copy of `file` below `folder` with the engine, as release 30 on regtest. Throws the engine's error. */
async function migrateInEngine(
  folder: string,
  file: string,
  passphrase: string | null,
): Promise<EngineMigration> {
  const engine = await startEngine(30, folder);
  try {
    mkdirSync(dirname(engine.walletFile(NAME)));
    copyFileSync(file, engine.walletFile(NAME));
    const params = passphrase === null ? [NAME] : [NAME, passphrase];
    const { backup_path: backup, ...created } = answer.parse(await engine.call('migratewallet', params));
    const wallets = parts.flatMap((part) => {
      const name = created[part];
      return name === undefined ? [] : [[part, engine.walletFile(name)] as const];
    });
    return { wallets: new Map(wallets), backup };
  } finally {
    await engine.stop();
  }
}

const NAME = 'old';
const parts = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
const answer = z.extend(names, { backup_path: z.string() });
