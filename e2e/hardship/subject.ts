/** A recorded wallet in a wallets folder, and what may be there after its migration or restore was interrupted. */
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
  /** In the wallets folder; empty for the unnamed wallet. */
  readonly name: string;
}

export interface Recording {
  readonly file: string;
  readonly bytes: Buffer;
  readonly passphrase: string | undefined;
  /** What release 31.0 made of it. */
  readonly made: readonly {
    readonly role: Role;
    readonly descriptors: readonly string[];
    /** Their number. */ readonly transactions: number;
  }[];
  /** Whether active descriptors come of the wallet's own seed, and not of a random one. */
  readonly hasSeed: boolean;
}

const roles = ['wallet_name', 'watchonly_name', 'solvables_name'] as const;
type Role = (typeof roles)[number];

const recordings = new Map<string, Recording>();

export function recordingOf(name: string): Recording {
  const known = recordings.get(name);
  if (known) return known;
  const { passphrase, before, after_by_release } = factsOf(name);
  const hasSeed = before.getwalletinfo.hdseedid !== undefined;
  const wallets = after_by_release?.['31.0']?.wallets ?? {};
  const made = roles.flatMap((role) => {
    const wallet = wallets[role];
    if (!wallet) return [];
    const descriptors = wallet.listdescriptors?.descriptors ?? [];
    return {
      role,
      descriptors: descriptors.filter(({ active }) => hasSeed || !active).map(({ desc }) => desc),
      // The node's solvables wallet finds transactions in its chain that the old wallet had not.
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
    made,
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

/** Names of the wallets that come of a migration, by what they are. */
function madeNames({ recording, name }: Subject): { role: Role; name: string }[] {
  const prefix = name === '' ? 'default_wallet' : name;
  const names = {
    wallet_name: name,
    watchonly_name: `${prefix}_watchonly`,
    solvables_name: `${prefix}_solvables`,
  };
  return recordingOf(recording).made.map(({ role }) => ({ role, name: names[role] }));
}

/**
 * What a migration that was interrupted left, once the engine is started again: everything as it was, or the migration
 * done and the backup beside it. Throws where it is neither.
 */
export async function migrationState(
  walletsFolder: string,
  subject: Subject,
  engine: EngineProcess,
): Promise<'unchanged' | 'complete'> {
  const { bytes } = recordingOf(subject.recording);
  const files = filesOf(walletsFolder);
  const made = madeNames(subject);
  const backups = files.filter((path) => path.endsWith('.legacy.bak'));
  for (const backup of backups) {
    if (!readFileSync(join(walletsFolder, backup)).equals(bytes))
      throw new Error(`${backup} is not the wallet`);
  }
  const original = originalFile(walletsFolder, subject);
  const unchanged = isFile(original) && readFileSync(original).equals(bytes);
  const wanted = unchanged
    ? [original.slice(walletsFolder.length + 1)]
    : made.map(({ name }) => join(name, 'wallet.dat'));
  const there = files.filter((path) => !backups.includes(path));
  if (there.toSorted().join('\n') !== wanted.toSorted().join('\n')) {
    throw new Error(`there are ${files.join(', ')} where ${wanted.join(', ')} should be`);
  }
  if (unchanged) return 'unchanged';
  if (backups.length === 0) throw new Error('the wallet is migrated and its backup is gone');
  for (const wallet of made) {
    const { problems } = await readSqlite(readFileSync(join(walletsFolder, wallet.name, 'wallet.dat')));
    const problem = problems[0]?.finding.code ?? (await differenceFrom(subject, wallet, engine));
    if (problem) throw new Error(`"${wallet.name}": ${problem}`);
  }
  return 'complete';
}

const listed = z.object({ descriptors: z.array(z.object({ desc: z.string(), active: z.boolean() })) });
const information = z.object({ txcount: z.number() });

/** How a new wallet is another than the one that release 31.0 made. */
async function differenceFrom(
  { recording }: Subject,
  { role, name }: { role: Role; name: string },
  engine: EngineProcess,
): Promise<string | null> {
  const { made, hasSeed } = recordingOf(recording);
  const recorded = made.find((each) => each.role === role);
  const loaded = await engine.call('loadwallet', [name]);
  // -35: it was on the list of those that are loaded at the start.
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
