/** Decides by their keys whether files belong to the same wallet, even after a migration. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../shared/model/network.ts';
import { readWallet } from '../files/readWallet.ts';
import { identifyWallet } from '../walletfile/inspect/identifyWallet.ts';
import { compareMigration } from '../walletfile/migrate/compareMigration.ts';
import type { RecordsByType } from '../walletfile/records/recordsByType.ts';

interface Question {
  readonly path: string;
  readonly others: readonly string[];
  /** Used for keys that do not show their network. Null stands for `main`. */
  readonly network: Network | null;
}

/**
 * One answer for each other file. Null if unknown, as for a file that cannot be read or has no keys. Two
 * legacy wallets match if they share a key or a watched script; a migrated one, if it has a script of the legacy one.
 */
export async function areSameWallet({ path, others, network }: Question): Promise<(boolean | null)[]> {
  const one = await read(path).catch(() => null);
  const answers: (boolean | null)[] = [];
  for (const other of others) answers.push(one && (await isSame(one, other, network).catch(() => null)));
  return answers;
}

async function read(path: string) {
  const { bytes } = await readWallet(path);
  const { kind, format, records } = await identifyWallet(bytes, undefined);
  return { bytes, kind, format: format.kind, marks: marksOf(records) };
}

async function isSame(
  one: Awaited<ReturnType<typeof read>>,
  path: string,
  network: Network | null,
): Promise<boolean | null> {
  const other = await read(path);
  if (one.marks.size > 0 && other.marks.size > 0) return [...other.marks].some((mark) => one.marks.has(mark));
  if (one.format !== 'berkeley-db' || other.kind !== 'descriptor') return null;
  const made = [{ part: 'primary', name: '', bytes: other.bytes }] as const;
  const { scripts } = await compareMigration(one.bytes, made, network ?? 'main');
  return scripts.before === 0 ? null : scripts.missing.total < scripts.before;
}

/** Public keys, watched scripts and seeds. A legacy wallet never drops one of them. */
function marksOf(records: RecordsByType): ReadonlySet<string> {
  const own = [
    ...(['key', 'ckey', 'wkey'] as const).flatMap((type) => records.of(type).map((one) => one.publicKey)),
    ...records.of('watchs').map(({ script }) => script),
    ...records.of('hdchain').map(({ seedId }) => seedId),
  ];
  return new Set(own.map((bytes) => bytesToHex(bytes)));
}
