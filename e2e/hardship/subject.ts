/** A recorded wallet in a wallets folder, and the allowed states after its migration or restore was interrupted. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { readSqlite } from '../../electron/walletfile/database/walletDatabase.ts';
import { factsOf, walletFile, walletPath } from '../../electron/walletfile/testing/wallets.ts';
import { type EngineProcess, resultOf } from '../app/engineProcess.ts';

export type Form = 'named' | 'bare' | 'unnamed';

export interface Subject {
  readonly recording: string;
  readonly form: Form;
  /** The name in the wallets folder; empty for the unnamed wallet. */
  readonly name: string;
}

export interface Recording {
  readonly file: string;
  readonly bytes: Buffer;
  readonly passphrase: string | undefined;
  /** The wallets that release 31.0 created when it migrated this one. `transactions` is a number. */
  readonly migrated: readonly {
    readonly role: Role;
    readonly descriptors: readonly string[];
    readonly transactions: number;
  }[];
  /** Whether the active descriptors derive from the wallet's own seed, not from a random one. */
  readonly hasSeed: boolean;
}

const roles = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
type Role = (typeof roles)[number];

const recordings = new Map<string, Recording>();

export function recordingOf(name: string): Recording {
  const cached = recordings.get(name);
  if (cached) return cached;
  const { passphrase, before, after_by_release } = factsOf(name);
  const hasSeed = before.getwalletinfo.hdseedid !== undefined;
  const wallets = after_by_release?.['31.0']?.wallets ?? {};
  const migrated = roles.flatMap((role) => {
    const wallet = wallets[role];
    if (!wallet) return [];
    const descriptors = wallet.listdescriptors?.descriptors ?? [];
    return {
      role,
      descriptors: descriptors.filter(({ active }) => hasSeed || !active).map(({ desc }) => desc),
      // The node's solvables wallet finds transactions in the chain that the old wallet did not have.
      transactions:
        role === 'solvables_name'
          ? 0
          : wallet.transactions.filter((txid) => before.transactions.includes(txid)).length,
    };
  });
  const recording = {
    file: walletPath(name),
    bytes: Buffer.from(walletFile(name)),
    passphrase,
    migrated,
    hasSeed,
  };
  recordings.set(name, recording);
  return recording;
}

/** The file of a subject in a wallets folder, before a migration. */
export function originalFile(walletsFolder: string, { form, name }: Subject): string {
  return form === 'bare' ? join(walletsFolder, name) : join(walletsFolder, name, 'wallet.dat');
}

export function putSubject(walletsFolder: string, subject: Subject): void {
  const file = originalFile(walletsFolder, subject);
  mkdirSync(dirname(file), { recursive: true });
  cpSync(recordingOf(subject.recording).file, file);
}

/** The names of the wallets that a migration creates. */
function migratedNames({ recording, name }: Subject): { role: Role; name: string }[] {
  const prefix = name === '' ? 'default_wallet' : name;
  const names = {
    wallet_name: name,
    watchonly_name: `${prefix}_watchonly`,
    solvables_name: `${prefix}_solvables`,
  };
  return recordingOf(recording).migrated.map(({ role }) => ({ role, name: names[role] }));
}

/**
 * The state of the files after an interrupted migration and a restart of the engine: unchanged, or migrated with the
 * backup beside the new wallets. Throws for any other state.
 */
export async function migrationState(
  walletsFolder: string,
  subject: Subject,
  engine: EngineProcess,
): Promise<'unchanged' | 'complete'> {
  const { bytes } = recordingOf(subject.recording);
  const files = filesOf(walletsFolder);
  const migrated = migratedNames(subject);
  const backups = files.filter((path) => path.endsWith('.legacy.bak'));
  for (const backup of backups) {
    if (!readFileSync(join(walletsFolder, backup)).equals(bytes))
      throw new Error(`${backup} is not the wallet`);
  }
  const original = originalFile(walletsFolder, subject);
  const unchanged = isFile(original) && readFileSync(original).equals(bytes);
  const expected = unchanged
    ? [original.slice(walletsFolder.length + 1)]
    : migrated.map(({ name }) => join(name, 'wallet.dat'));
  const found = files.filter((path) => !backups.includes(path));
  if (found.toSorted().join('\n') !== expected.toSorted().join('\n')) {
    throw new Error(`found ${files.join(', ')} instead of ${expected.join(', ')}`);
  }
  if (unchanged) return 'unchanged';
  if (backups.length === 0) throw new Error('the wallet is migrated, but has no backup');
  for (const wallet of migrated) {
    const { problems } = await readSqlite(readFileSync(join(walletsFolder, wallet.name, 'wallet.dat')));
    const problem = problems[0]?.finding.code ?? (await differenceFrom(subject, wallet, engine));
    if (problem) throw new Error(`"${wallet.name}": ${problem}`);
  }
  return 'complete';
}

const listed = z.object({ descriptors: z.array(z.object({ desc: z.string(), active: z.boolean() })) });
const information = z.object({ txcount: z.number() });

/** How a new wallet differs from the one that release 31.0 created. */
async function differenceFrom(
  { recording }: Subject,
  { role, name }: { role: Role; name: string },
  engine: EngineProcess,
): Promise<string | null> {
  const { migrated, hasSeed } = recordingOf(recording);
  const recorded = migrated.find((each) => each.role === role);
  const loaded = await engine.call('loadwallet', [name]);
  // -35: the engine already loaded it at its start.
  if (loaded.kind === 'cut' || (loaded.kind === 'error' && loaded.code !== -35)) {
    return `it cannot be loaded: ${JSON.stringify(loaded)}`;
  }
  const { descriptors } = listed.parse(resultOf(await engine.call('listdescriptors', [], name)));
  const texts = descriptors.filter(({ active }) => hasSeed || !active).map(({ desc }) => desc);
  if (texts.toSorted().join() !== recorded?.descriptors.toSorted().join())
    return 'its descriptors are others';
  const { txcount } = information.parse(resultOf(await engine.call('getwalletinfo', [], name)));
  return txcount === recorded.transactions ? null : 'its transactions are others';
}

/** What a restore that was interrupted left. Throws where a wallet is not whole. */
export function restoreState(walletsFolder: string, name: string, recording: string): 'free' | 'whole' {
  const folder = join(walletsFolder, name);
  if (!existsSync(folder)) return 'free';
  const files = readdirSync(folder);
  const whole =
    files.join() === 'wallet.dat' &&
    readFileSync(join(folder, 'wallet.dat')).equals(recordingOf(recording).bytes);
  if (!whole) throw new Error(`a half wallet is in ${name}: ${files.join(', ')}`);
  return 'whole';
}

/** All files of a wallets folder, relative to it, less the lock. */
export function filesOf(walletsFolder: string): string[] {
  return readdirSync(walletsFolder, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .filter((entry) => !entry.isDirectory() && !basename(entry.name).startsWith('.wallet-ferry-engine.lock'))
    .map((entry) => join(entry.parentPath, entry.name).slice(walletsFolder.length + 1));
}

function isFile(path: string): boolean {
  return (
    existsSync(path) &&
    readdirSync(dirname(path), { withFileTypes: true }).some(
      (entry) => entry.isFile() && entry.name === basename(path),
    )
  );
}
