/** Tells whether a file is a whole wallet, a half-made one, or none: the file alone, as SQLite would read it. */

import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../shared/model/errors.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import type { Network } from '../../shared/model/network.ts';
import { sha256Of } from '../files/hash.ts';
import { readWallet } from '../files/readWallet.ts';
import { identifyWallet } from '../walletfile/inspect/identifyWallet.ts';
import { compareMigration } from '../walletfile/migrate/compareMigration.ts';
import type { RecordsByType } from '../walletfile/records/recordsByType.ts';
import { withLog } from './wholeCopy.ts';

/**
 * `legacy-with-log`: it was not closed cleanly, and is whole with the log next to it. `damaged`: parts cannot be read, or it
 * was not closed cleanly and has no log that makes it whole. `none`: no wallet, or an empty file. `mixed`: a descriptor
 * wallet with records of a legacy one, which nodes refuse. A migration leaves it when the disk is full: SQLite rolls the
 * transaction back, and the node goes on writing (seen of a real 31.0).
 */
export type Standing =
  | 'legacy'
  | 'legacy-with-log'
  | 'descriptor'
  | 'mixed'
  | 'damaged'
  | 'none'
  | 'missing'
  | NonNullable<Inspection['cutOff']>;

export interface Examined {
  readonly standing: Standing;
  /** Null where nothing can be read. */
  readonly format: Inspection['file']['format']['kind'] | null;
  /** Bytes; 0 where nothing can be read. */
  readonly size: number;
  /** Of the file, in lower-case hex; null where nothing can be read. */
  readonly sha256: string | null;
  /** Networks that it can be of; none where it does not tell. */
  readonly networks: readonly Network[];
}

const NOTHING = { format: null, size: 0, sha256: null, networks: [] } as const;

/** Throws AppError `file_unreadable`, and what reading a file throws that says nothing about what is in it. */
export async function examineFile(
  path: string,
  inspect: (bytes: Uint8Array, sha256: string) => Promise<Inspection>,
): Promise<Examined> {
  try {
    const { bytes } = await readWallet(path);
    const sha256 = sha256Of(bytes);
    const found = await inspect(bytes, sha256);
    const networks = found.network.candidates;
    const standing = standingOf(found);
    return {
      standing:
        standing === 'damaged' && isUnclean(found) && (await isWholeWithLog(path, bytes, inspect))
          ? 'legacy-with-log'
          : standing,
      format: found.file.format.kind,
      size: bytes.length,
      sha256,
      networks,
    };
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'file_missing') return { ...NOTHING, standing: 'missing' };
    if (code === 'not_a_wallet' || code === 'file_empty') return { ...NOTHING, standing: 'none' };
    throw error;
  }
}

/** Whether Berkeley DB makes it a whole legacy wallet when it opens it. */
async function isWholeWithLog(
  path: string,
  bytes: Uint8Array,
  inspect: (bytes: Uint8Array, sha256: string) => Promise<Inspection>,
): Promise<boolean> {
  const joined = await withLog(path, bytes);
  return joined !== null && standingOf(await inspect(joined, sha256Of(joined))) === 'legacy';
}

function standingOf(found: Inspection): Standing {
  const { kind, cutOff, problems, conditions } = found;
  if (cutOff !== null) return cutOff;
  if (isUnclean(found) || problems.some(({ lost }) => lost)) return 'damaged';
  return conditions.some(({ code }) => code === 'legacy-record') ? 'mixed' : kind;
}

function isUnclean({ file: { format } }: Inspection): boolean {
  return format.kind === 'berkeley-db' && (!format.cleanlyClosed || format.refused !== null);
}

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
