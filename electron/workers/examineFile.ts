/** Examines a wallet file with its journal and log: is it whole, incomplete or damaged? Compares it with other wallets' files. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { MAX_FIRST_KEYS } from '../../shared/model/conditions.ts';
import { AppError } from '../../shared/model/errors.ts';
import { formFault, type Inspection, isDamaged } from '../../shared/model/inspection.ts';
import type { WalletPart } from '../../shared/model/migrationPreview.ts';
import type { Network } from '../../shared/model/network.ts';
import { type WalletIds, walletIdsOf } from '../../shared/model/wallet.ts';
import { sha256Of } from '../files/hash.ts';
import { type OpenedWallet, withWallet } from '../files/readWallet.ts';
import { type FileBytes, sourceOf } from '../walletfile/bytes/byteSource.ts';
import { orNull, rememberLatest } from '../walletfile/bytes/once.ts';
import { keyConditions } from '../walletfile/conditions/recordConditions.ts';
import { identifyWallet, readRecords } from '../walletfile/inspect/identifyWallet.ts';
import { type InspectOptions, inspect } from '../walletfile/inspect/inspect.ts';
import { yieldsPublicKey } from '../walletfile/keys/privateKey.ts';
import { memoizedMatcher, type SharedKeys, shareKeys } from '../walletfile/legacy/legacyKeys.ts';
import {
  type ComparedFile,
  compareRestored as compareDescriptorWallets,
  compareMigration,
} from '../walletfile/migrate/compareMigration.ts';
import type { RecordsByType } from '../walletfile/records/records.ts';
import { withLog } from './wholeCopy.ts';

/**
 * `legacy-with-log`: not closed cleanly, but whole with the log next to it. `damaged`: parts are unreadable, or it was not closed
 * cleanly and no log makes it whole. `none`: not a wallet, or an empty file. `mixed`: a descriptor wallet with legacy records,
 * which nodes refuse. A migration on a full disk leaves one: SQLite rolls the transaction back, but the node continues to write
 * (observed with release 31.0).
 */
type FileState =
  | 'legacy'
  | 'legacy-with-log'
  | 'descriptor'
  | 'mixed'
  | 'damaged'
  | 'none'
  | 'missing'
  | NonNullable<Inspection['incomplete']>;

export interface FileExamination extends WalletIds {
  readonly state: FileState;
  /** Null if the file is not readable as a wallet. */
  readonly format: Inspection['file']['format']['kind'] | null;
  /** In bytes; 0 if the file is not readable as a wallet. */
  readonly size: number;
  /** Of the file, in lower-case hex; null if the file is not readable as a wallet. */
  readonly sha256: string | null;
  /** The possible networks; empty if the file does not show any. */
  readonly networks: readonly Network[];
  /** Whether its keys are encrypted. */
  readonly encrypted: boolean;
  /** Whether it is damaged only as an open wallet is: not closed cleanly, and its log does not make it whole. */
  readonly isUnclosed?: boolean;
}

const NOTHING = {
  format: null,
  size: 0,
  sha256: null,
  networks: [],
  encrypted: false,
} as const;

/** Null for a file that cannot be read, which says nothing about its content. */
export async function examineFile({ path }: { readonly path: string }): Promise<FileExamination | null> {
  try {
    return await withWallet(path, (wallet) => examineWallet(path, wallet));
  } catch (error) {
    const code = error instanceof AppError ? error.code : null;
    if (code === 'file_missing') return { ...NOTHING, state: 'missing' };
    if (code === 'not_a_wallet' || code === 'file_empty') return { ...NOTHING, state: 'none' };
    return null;
  }
}

async function examineWallet(path: string, wallet: OpenedWallet): Promise<FileExamination> {
  const { content } = wallet;
  const sha256 = wallet.sha256();
  const found = await inspectOnce(content, sha256, { isFirstLook: true });
  const state = stateOf(found);
  const isWhole =
    state === 'damaged' && formFault(found.file) !== null && (await isWholeWithLog(path, content));
  return {
    state: isWhole ? 'legacy-with-log' : state,
    format: found.file.format.kind,
    size: found.file.size,
    sha256,
    networks: found.network.candidates,
    encrypted: found.encryption !== null,
    isUnclosed: !isWhole && formFault(found.file) === 'not-closed' && !isDamaged(found.problems),
    ...walletIdsOf(found),
  };
}

/** Whether it is a whole legacy wallet once Berkeley DB has applied the log. */
async function isWholeWithLog(path: string, content: FileBytes): Promise<boolean> {
  const joined = await withLog(path, content);
  return (
    joined !== null &&
    stateOf(await inspectOnce(joined, sha256Of(joined), { isFirstLook: true })) === 'legacy'
  );
}

/** Inspections without a passphrase, of an interrupted wallet and its backup. */
const inspections = rememberLatest<Promise<Inspection>>(2);
const firstLooks = rememberLatest<Promise<Inspection>>(2);

/**
 * Inspects the content of a file, whose hash is `sha256`. Also throws errors of the disk, which `inspect` takes for damage.
 * `isFirstLook`: see `wallet.inspect` in the contract. `help`: starts threads that share the work (`fitShared`).
 */
export function inspectOnce(
  content: FileBytes,
  sha256: string,
  { help, ...options }: InspectOptions & { readonly help?: Help | undefined },
): Promise<Inspection> {
  const { network, passphrase, isFirstLook } = options;
  if (passphrase !== undefined) return inspect(content, options);
  const remember = isFirstLook ? firstLooks : inspections;
  return remember(`${sha256} ${network}`, async () => {
    const first = isFirstLook
      ? await inspect(content, options)
      : await inspectOnce(content, sha256, { ...options, isFirstLook: true });
    const isAll = isFirstLook || (first.records.byType.key ?? 0) <= MAX_FIRST_KEYS;
    const found = isAll || (await keysFit(content, help)) ? first : await inspect(content, options);
    sourceOf(content).throwError?.();
    return found;
  });
}

export type Help = (keys: SharedKeys) => void;

/** Whether all plain keys yield their public keys. A first look then gives the same facts as a whole one. */
async function keysFit(content: FileBytes, help: Help | undefined): Promise<boolean> {
  const { records } = await readRecords(content);
  const keys = records.of('key');
  const isHelped = help && keys.length >= HELPED_FROM;
  // Without memory for copies, the work only takes longer.
  const shared = isHelped ? orNull(() => shareKeys(keys.slice(0, MAX_SHARED))) : null;
  try {
    if (shared) help?.(shared.keys);
    const conditions = keyConditions(records, shared?.fits ?? memoizedMatcher(yieldsPublicKey));
    return conditions.every(({ code }) => code !== 'key-misfit');
  } finally {
    shared?.end();
  }
}

/** With fewer keys, loading the program in more threads costs as much as they save: 5,000 keys take one second either way. */
const HELPED_FROM = 8000;
/** Their copies take 100 MB. */
const MAX_SHARED = 1_000_000;

function stateOf(found: Inspection): FileState {
  const { kind, incomplete, problems, conditions } = found;
  if (incomplete !== null) return incomplete;
  if (formFault(found.file) !== null || isDamaged(problems)) return 'damaged';
  return conditions.some(({ code }) => code === 'legacy-record') ? 'mixed' : kind;
}

interface WalletPair {
  readonly path: string;
  readonly other: string;
  /** Used for keys that do not show their network. Null stands for `main`. */
  readonly network: Network | null;
  /** `other` must have every key or descriptor of `path`: without a name that fits, one that both have shows little. */
  readonly withAllKeys?: boolean;
}

/**
 * Null if unknown, as for a file that cannot be read or has no keys. Two legacy wallets match if they share a key or a watched
 * script, two descriptor wallets if they share a descriptor; a migrated one, if it has a script of the legacy one.
 */
export function areSameWallet({
  path,
  other,
  network,
  withAllKeys = false,
}: WalletPair): Promise<boolean | null> {
  return withWallet(path, async (one) =>
    withWallet(other, async (two) => {
      const [own, others] = [await read(one), await read(two)];
      return withAllKeys ? hasAllKeys(own, others) : isSame(own, others, network);
    }),
  ).catch(() => null);
}

function hasAllKeys(one: ReadFile, other: ReadFile): boolean | null {
  const kind = one.marks.size > 0 ? 'marks' : 'descriptors';
  return one[kind].size === 0 ? null : [...one[kind]].every((each) => other[kind].has(each));
}

async function read({ content }: OpenedWallet) {
  const { kind, format, records } = await identifyWallet(content, undefined);
  const descriptors = new Set(
    records.entries('walletdescriptor').map(({ key }) => bytesToHex(key.subarray(-32))),
  );
  return { content, kind, format: format.kind, marks: marksOf(records), descriptors };
}

type ReadFile = Awaited<ReturnType<typeof read>>;

async function isSame(one: ReadFile, other: ReadFile, network: Network | null): Promise<boolean | null> {
  if (one.descriptors.size > 0 && other.descriptors.size > 0)
    return [...other.descriptors].some((id) => one.descriptors.has(id));
  if (one.marks.size > 0 && other.marks.size > 0) return [...other.marks].some((mark) => one.marks.has(mark));
  if (one.descriptors.size > 0 && other.format === 'berkeley-db') return isSame(other, one, network);
  if (one.format !== 'berkeley-db' || other.kind !== 'descriptor') return null;
  const migrated = [{ part: 'primary', name: '', bytes: other.content }] as const;
  const { scripts } = await compareMigration(one.content, migrated, network ?? 'main');
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

interface Comparison {
  readonly path: string;
  readonly network: Network;
}

interface NewWalletFile {
  readonly part: WalletPart;
  readonly name: string;
  readonly path: string;
}

/** Compares a legacy wallet's file with those of its migrated wallets. Throws as `withWallet` and `compareMigration` do. */
export function compareMigrated({
  path,
  network,
  migrated,
}: Comparison & { readonly migrated: readonly NewWalletFile[] }) {
  return withWallet(path, ({ content }) =>
    withFiles(migrated, (files) => compareMigration(content, files, network)),
  );
}

/** Calls `work` with the content of all these files, in their order. */
function withFiles<T>(
  [next, ...others]: readonly NewWalletFile[],
  work: (files: readonly ComparedFile[]) => Promise<T>,
  read: readonly ComparedFile[] = [],
): Promise<T> {
  if (next === undefined) return work(read);
  const { path, ...wallet } = next;
  return withWallet(path, ({ content }) => withFiles(others, work, [...read, { ...wallet, bytes: content }]));
}

/**
 * Compares a descriptor wallet's backup, or its repaired file, with the file of the wallet that the node restored from it. Throws as
 * `withWallet` and the comparison do.
 */
export function compareRestoredFiles({
  path,
  network,
  restored,
}: Comparison & { readonly restored: NewWalletFile }) {
  const { path: newPath, ...wallet } = restored;
  return withWallet(path, ({ content }) =>
    withWallet(newPath, (newWallet) =>
      compareDescriptorWallets(content, { ...wallet, bytes: newWallet.content }, network),
    ),
  );
}
