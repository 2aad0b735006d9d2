/** One legacy wallet migrated twice, by the engine and by a real node, and all that came of it loaded in that node. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { startEngine } from '../app/startEngine.ts';
import type { Part } from '../testNode/walletFixture.ts';
import { MadeNow } from './madeNow.ts';
import type { RealNode } from './realNode.ts';

export interface MigratedTwice {
  /** The parts that each of them made. They are to be the same ones. */
  readonly parts: { readonly engine: readonly Part[]; readonly node: readonly Part[] };
  readonly pairs: readonly Pair[];
  /** The `.legacy.bak` that the engine wrote. */
  readonly backup: string;
  readonly passphrase: string | null;
  /** The span in which both were made. */
  readonly madeNow: MadeNow;
}

/** One part of a migration in both makes, under its names in the node. */
export interface Pair {
  readonly part: Part;
  /** The file as the engine left it. */
  readonly file: string;
  readonly engine: string;
  readonly node: string;
  /** What `loadwallet` answered for the engine's. */
  readonly loaded: unknown;
}

/** `name` is new to the node; the copies are made from `file`. Encrypted wallets are unlocked. */
export async function migrateTwice(
  node: RealNode,
  name: string,
  file: string,
  passphrase: string | null,
): Promise<MigratedTwice> {
  const madeNow = new MadeNow();
  const folder = await mkdtemp(join(node.dataFolder, 'engine-'));
  const { wallets, backup } = await migrateInEngine(folder, file, passphrase);
  node.putWallet(name, file);
  const byNode = names.parse(
    await node.call('migratewallet', passphrase === null ? [name] : [name, passphrase]),
  );
  const pairs: Pair[] = [];
  for (const part of parts) {
    const [made, other] = [wallets.get(part), byNode[part]];
    if (made === undefined || other === undefined) continue;
    const engine = `${other} by the engine`;
    node.putWallet(engine, made);
    pairs.push({
      part,
      file: made,
      engine,
      node: other,
      loaded: await node.call('loadwallet', [engine]),
    });
  }
  madeNow.end();
  for (const wallet of pairs.flatMap((pair) => [pair.engine, pair.node])) {
    await unlock(node, wallet, passphrase);
  }
  const made = { engine: [...wallets.keys()], node: parts.filter((part) => byNode[part] !== undefined) };
  return { parts: made, pairs, backup, passphrase, madeNow };
}

/** Wallets that watch are never encrypted, even where the one they came of was. */
async function unlock(node: RealNode, wallet: string, passphrase: string | null): Promise<void> {
  const { unlocked_until } = encryption.parse(await node.call('getwalletinfo', [], wallet));
  if (unlocked_until === undefined) return;
  await node.call('walletpassphrase', [passphrase, 3600], wallet);
}

const names = z.object({
  wallet_name: z.string(),
  watchonly_name: z.string().optional(),
  solvables_name: z.string().optional(),
});
const encryption = z.object({ unlocked_until: z.number().optional() });

/** The files of the new wallets, by the names that `migratewallet` gives the parts. */
interface EngineMigration {
  readonly wallets: ReadonlyMap<Part, string>;
  /** The `.legacy.bak` that the engine wrote. */
  readonly backup: string;
}

/** Migrates a copy of `file` below `folder`, as a node of release 30 on regtest. Throws with the engine's words. */
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
    const { backup_path: backup, ...made } = answer.parse(await engine.call('migratewallet', params));
    const wallets = parts.flatMap((part) => {
      const name = made[part];
      return name === undefined ? [] : [[part, engine.walletFile(name)] as const];
    });
    return { wallets: new Map(wallets), backup };
  } finally {
    await engine.stop();
  }
}

const NAME = 'old';
const parts = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
const answer = names.extend({ backup_path: z.string() });
