/** Proves a migration by its files: each script and record of the legacy wallet is in the right wallet. */
import { equalBytes } from '@noble/curves/utils.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { ProofFault } from '../../../shared/model/findings/finding.ts';
import type { MigrationProof, WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type FileBytes, sourceOf } from '../bytes/byteSource.ts';
import { listInFinding, shortText } from '../bytes/lists.ts';
import { once } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { readSqliteHeader, SQLITE_HEADER_SIZE } from '../database/fileStart.ts';
import { unexpectedError } from '../database/problemLog.ts';
import { isSameRecord, type RawRecord, WrittenRecord } from '../database/rawRecord.ts';
import { eachRow } from '../database/sqliteWalk.ts';
import { type Descriptor, keysOf, publicKeysOf } from '../descriptor/descriptor.ts';
import { expand } from '../descriptor/descriptorExpand.ts';
import { parseDescriptor } from '../descriptor/descriptorParse.ts';
import { scriptsOfKey } from '../descriptor/makeScripts.ts';
import { eachDescriptor, type StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import { decryptKey } from '../keys/crypter.ts';
import { readStoredKey } from '../keys/privateKey.ts';
import {
  isCompressed,
  type LegacyKey,
  type LegacyKeys,
  type LegacyPrivateKeys,
  type StoredSecret,
} from '../legacy/legacyKeys.ts';
import { assignTransactions } from '../legacy/migrationPlan.ts';
import { readAddress } from '../records/addressBook.ts';
import type { RecordsByType } from '../records/records.ts';
import { addressOf } from '../script/address.ts';
import { historyRecords, type MigrationContents, scriptsIn } from './migratedRecords.ts';

const parts: readonly WalletPart[] = ['primary', 'watchonly', 'solvables'];

/** One of the new wallets: its file, and the records it was written from. */
interface NewWalletRecords {
  bytes: FileBytes;
  records: RawRecord[];
  /** The same records. Call it after the proof has replaced some of them. */
  byType: () => RecordsByType;
}

type ProofInput = Pick<
  MigrationContents,
  'wallet' | 'privateKeys' | 'preserved' | 'plan' | 'addresses' | 'network'
> & {
  /** Null for a wallet without encryption. */
  masterKey: Uint8Array | null;
  /** The wallet for records that belong to no script. */
  main: WalletPart;
  files: Record<WalletPart, NewWalletRecords | null>;
};

/** Throws `wallet_error` with a list of what is missing, added, or in the wrong wallet. */
export function proveMigration(input: ProofInput): MigrationProof {
  const { wallet, preserved, plan, addresses, network } = input;
  const proofs = readBack(input);
  const faults = parts.flatMap((part) => proofs[part].proven.faults);
  const all = [...faults, ...scriptFaults(input, proofs), ...recordFaults(input, proofs)];
  if (all.length > 0) {
    const list = listInFinding(all, (fault) => fault);
    throw new FileError('wallet_error', { code: 'proof_failed', faults: list });
  }
  const { primary, watchonly, solvables } = proofs;
  const ofKeys = [...primary.proven.keys].reduce(
    (sum, { publicKey }) => sum + (isCompressed(publicKey) ? 4 : 2),
    0,
  );
  const others = [...primary.proven.scripts.values()].filter(
    ({ script }) => !isTwice(script, primary, input.wallet.keys),
  );
  const inPrimary = ofKeys + others.length;
  const inWatchonly = watchonly.proven.scripts.size;
  const unreadable = plan.inexpressible();
  const leftOut = [...unreadable, ...wallet.scripts.notMine.values()];
  return {
    scripts: { old: inPrimary + inWatchonly + unreadable.length, primary: inPrimary, watchonly: inWatchonly },
    solvable: solvables.proven.scripts.size,
    ready: primary.proven.ready,
    addressRecords:
      preserved.names.length +
      preserved.purposes.length +
      preserved.addressData.length -
      addresses.leftOut.length,
    transactions: preserved.transactions.length,
    lockedCoins: preserved.lockedCoins.length,
    leftOut: leftOut.map((script) => scriptText(script, network)),
  };
}

interface ProvenFile {
  /** The records in the file. */
  records: readonly RawRecord[];
  proven: ProvenScripts;
}

function readBack({
  files,
  wallet,
  privateKeys,
  masterKey,
  network,
}: ProofInput): Record<WalletPart, ProvenFile> {
  const known = { keys: wallet.keys, privateKeys, isWhole: keyProver(masterKey) };
  const read = (file: NewWalletRecords | null): ProvenFile => {
    const records = file ? recordsIn(file, network) : [];
    const descriptors = file ? eachDescriptor(file.byType(), network) : [];
    return { records, proven: proveScripts(descriptors, known, network) };
  };
  return { primary: read(files.primary), watchonly: read(files.watchonly), solvables: read(files.solvables) };
}

/**
 * The records of a new file, after comparing them with its rows, so that the proof holds for the file's bytes. Reads without
 * SQLite. In a file in memory, replaces those that the migration wrote by their rows, so that their bytes are there only once.
 * Throws `internal` if the file holds anything but its records in their order.
 */
function recordsIn({ bytes, records }: NewWalletRecords, network: Network): readonly RawRecord[] {
  const { inMemory, read } = sourceOf(bytes);
  let rows = 0;
  let areSame = true;
  const { sql, faults, others } = eachRow(bytes, (row) => {
    const record = records[rows];
    areSame &&= record !== undefined && isSameRecord(row, record);
    if (inMemory !== null && record instanceof WrittenRecord) records[rows] = row;
    rows += 1;
  });
  const isUnchanged =
    readSqliteHeader(read(0, SQLITE_HEADER_SIZE)).network === network &&
    sql !== null &&
    faults.length + others === 0 &&
    rows === records.length &&
    areSame;
  if (isUnchanged) return records;
  throw unexpectedError({ code: 'new_wallet_not_read_back' });
}

/** Proves the private key of a record, each only once, because eight descriptors share a seed's key. */
function keyProver(masterKey: Uint8Array | null): (publicKey: Uint8Array, secret: StoredSecret) => boolean {
  const proved = new Set<string>();
  return (publicKey, secret) => {
    const id = toLatin1('encrypted' in secret ? secret.encrypted : secret.der);
    const known = `${toLatin1(publicKey)} ${id}`;
    if (proved.has(known)) return true;
    const privateKey =
      'encrypted' in secret
        ? masterKey && decryptKey(masterKey, { publicKey, encrypted: secret.encrypted })
        : readStoredKey({ publicKey, ...secret })?.privateKey;
    privateKey?.fill(0);
    if (privateKey) proved.add(known);
    return Boolean(privateKey);
  };
}

function scriptFaults(
  { wallet, plan, network }: ProofInput,
  proofs: Record<WalletPart, ProvenFile>,
): ProofFault[] {
  const { primary, watchonly, solvables } = proofs;
  const { keys, watchesOnly, scripts } = wallet;
  const faults: ProofFault[] = [];
  const report = (code: ScriptFault, script: Uint8Array) =>
    faults.push({ code, address: scriptText(script, network) });
  const expected = new Map(scripts.mine);
  for (const key of keys.all) {
    if (primary.proven.keys.has(key)) continue;
    for (const script of scriptsOfKey(key.publicKey)) expected.set(bytesToHex(script), script);
  }
  for (const script of plan.inexpressible()) expected.delete(bytesToHex(script));
  for (const [hex, script] of expected) {
    if (!primary.proven.scripts.has(hex) && !watchonly.proven.scripts.has(hex)) report('script_lost', script);
  }
  for (const [hex, { script, hasKeys }] of primary.proven.scripts) {
    if (!expected.has(hex) && !isTwice(script, primary, keys)) report('script_added', script);
    if (!hasKeys && !watchesOnly) report('script_keys_lost', script);
  }
  for (const [hex, { script, couldHaveKeys }] of watchonly.proven.scripts) {
    if (!expected.has(hex) || primary.proven.scripts.has(hex)) report('script_watched_wrongly', script);
    if (couldHaveKeys) report('script_only_watched', script);
  }
  for (const [hex, { script }] of solvables.proven.scripts) {
    if (!scripts.solvable.has(hex)) report('script_not_solvable', script);
  }
  if (solvables.proven.scripts.size !== scriptsIn(plan, 'solvables').length)
    faults.push({ code: 'solvable_scripts_lost' });
  return faults;
}

/**
 * Whether a combo descriptor covers the script too. A chain that was used gets more keys than its counter says, and these can be keys
 * that the legacy wallet has beyond the counter.
 */
function isTwice(script: Uint8Array, { proven }: ProvenFile, keys: LegacyKeys): boolean {
  const key = keys.ofScript(script);
  return key !== undefined && proven.keys.has(key);
}

function recordFaults(input: ProofInput, proofs: Record<WalletPart, ProvenFile>): ProofFault[] {
  const { wallet, preserved, addresses, main, files } = input;
  const placeOf = (script: Uint8Array): WalletPart | null => {
    if (!wallet.isLegacy) return 'primary';
    const key = wallet.keys.ofScript(script);
    if (key && proofs.primary.proven.keys.has(key)) return 'primary';
    const hex = bytesToHex(script);
    return parts.find((part) => proofs[part].proven.scripts.has(hex)) ?? null;
  };
  const inFile = {
    primary: once(() => new Set(proofs.primary.records)),
    watchonly: once(() => new Set(proofs.watchonly.records)),
    solvables: once(() => new Set(proofs.solvables.records)),
  };
  const faults: ProofFault[] = [];
  const missing = (records: readonly RawRecord[], from: readonly WalletPart[], code: RecordFault) => {
    // Most lists are in one file, in one piece, which saves the look-up of each record.
    if (from.some((part) => hasInOnePiece(proofs[part].records, records))) return;
    const lost = records.filter((record) => !from.some((part) => inFile[part]().has(record))).length;
    if (lost > 0) faults.push({ code, count: lost });
  };
  if (files.primary) missing(preserved.others, ['primary'], 'records_lost');
  const transactions = preserved.transactions.map(({ record }) => record);
  const history = historyRecords(preserved, assignTransactions(transactions, placeOf), main);
  for (const part of parts) missing(history[part], [part], 'transaction_records_lost');
  const stored = [...preserved.transactions, ...preserved.lockedCoins].map(({ entry }) => entry);
  missing(stored, parts, 'transaction_records_lost');
  const leftOut = new Set(addresses.leftOut);
  for (const list of [preserved.names, preserved.purposes, preserved.addressData]) {
    const expected = leftOut.size > 0 ? list.filter((record) => !leftOut.has(record)) : list;
    missing(expected, parts, 'address_records_lost');
  }
  const receiving: Record<WalletPart, RawRecord[]> = { primary: [], watchonly: [], solvables: [] };
  preserved.purposes.forEach((record, at) => {
    const of = addresses.owners[at];
    if (!of) return;
    const part =
      of instanceof Uint8Array ? placeOf(of) : proofs.primary.proven.keys.has(of) ? 'primary' : null;
    if (part) receiving[part].push(record);
    else if (!leftOut.has(record))
      faults.push({ code: 'address_in_no_wallet', address: toLatin1(readAddress(record)) });
  });
  for (const part of parts) missing(receiving[part], [part], 'addresses_in_wrong_wallet');
  return faults;
}

function hasInOnePiece(all: readonly RawRecord[], piece: readonly RawRecord[]): boolean {
  const [first] = piece;
  if (!first) return true;
  const start = all.indexOf(first);
  return start >= 0 && piece.every((record, at) => all[start + at] === record);
}

type ScriptFault = Extract<ProofFault, { address: string }>['code'];
type RecordFault = Extract<ProofFault, { count: number }>['code'];

/** Bytes. A fault shows no more of a script. */
const MAX_SHOWN_LENGTH = 1000;

function scriptText(script: Uint8Array, network: Network): string {
  return addressOf(script, network) ?? shortText(bytesToHex(script.subarray(0, MAX_SHOWN_LENGTH)));
}

/** The scripts of a new wallet's descriptors, except the new active ones. */
interface ProvenScripts {
  /** The legacy wallet's keys that combo descriptors cover. */
  keys: Set<LegacyKey>;
  /** Other scripts by hex, and whether the wallet has, or could have, all their private keys. */
  scripts: Map<string, { script: Uint8Array; hasKeys: boolean; couldHaveKeys: boolean }>;
  /** Number of unused chain keys that the legacy wallet did not have. */
  ready: number;
  /** Faults of single descriptors. */
  faults: ProofFault[];
}

/** Matches `combo([origin]KEY)#checksum` fast, because a wallet can have thousands of them. */
const SINGLE_COMBO = /^combo\((?:\[[0-9a-fh/]+\])?([0-9a-f]{66}|[0-9a-f]{130})\)#/;

/** Throws `bad_input` for an unreadable descriptor. */
function proveScripts(
  descriptors: Iterable<StoredDescriptor>,
  known: KnownKeys,
  network: Network,
): ProvenScripts {
  const proven: ProvenScripts = { keys: new Set(), scripts: new Map(), ready: 0, faults: [] };
  for (const stored of descriptors) {
    const text = stored.record.descriptor;
    const single = SINGLE_COMBO.exec(text)?.[1];
    const key = single === undefined ? undefined : known.keys.ofPublicKey(Buffer.from(single, 'hex'));
    if (key) {
      addKey(proven, key);
      if (!hasKeyOf(stored, key, known.privateKeys)) proven.faults.push({ code: 'private_key_lost' });
      continue;
    }
    const { descriptor } = parseDescriptor(text, { network, checksum: 'required' });
    if (isOfSeed(descriptor)) addSeeds(proven, stored, descriptor, known);
    else addOther(proven, stored, descriptor, known);
  }
  return proven;
}

/** The legacy wallet's keys. */
interface KnownKeys {
  keys: LegacyKeys;
  privateKeys: LegacyPrivateKeys;
  /** Proves the private key of a seed's root, which the legacy wallet did not have in this form. */
  isWhole(publicKey: Uint8Array, secret: StoredSecret): boolean;
}

function isOfSeed({ script }: Descriptor): boolean {
  return keysOf(script).every(({ key }) => key.kind === 'tree') && keysOf(script).length > 0;
}

/** Adds a chain of the legacy wallet, or checks a new active descriptor. */
function addSeeds(
  proven: ProvenScripts,
  stored: StoredDescriptor,
  { script }: Descriptor,
  { keys, isWhole }: KnownKeys,
): void {
  for (const { key } of keysOf(script)) {
    const [root] = publicKeysOf(key);
    const kept = stored.keys.find(({ publicKey }) => equalBytes(publicKey, root));
    if (!kept || !isWhole(kept.publicKey, kept)) proven.faults.push({ code: 'private_key_lost' });
  }
  if (stored.active) return;
  // The public key is the last 33 of the 74 bytes.
  const children = new Map(
    stored.cached.map(({ derivationIndex, extendedPublicKey }) => [
      derivationIndex,
      extendedPublicKey.subarray(-33),
    ]),
  );
  let ready = 0;
  for (let index = 0; index < stored.record.rangeEnd; index += 1) {
    const child = children.get(index);
    const own = child && keys.ofPublicKey(child);
    if (!child) proven.faults.push({ code: 'descriptor_key_lost', index });
    else if (!own) ready += 1;
    else if (ready > 0) proven.faults.push({ code: 'descriptor_keys_reordered' });
    else addKey(proven, own);
  }
  proven.ready += ready;
}

function addOther(
  proven: ProvenScripts,
  stored: StoredDescriptor,
  descriptor: Descriptor,
  { keys, privateKeys }: KnownKeys,
): void {
  const required = keysOf(descriptor.script).map(({ key }) =>
    key.kind === 'single' ? keys.ofExpression(key) : undefined,
  );
  const couldHaveKeys = required.length > 0 && required.every((key) => key !== undefined);
  const hasKeys =
    couldHaveKeys && required.every((key) => key !== undefined && hasKeyOf(stored, key, privateKeys));
  if (!hasKeys && stored.keys.length > 0) proven.faults.push({ code: 'private_keys_partly_lost' });
  for (const script of expand(descriptor, 0)) {
    const hex = bytesToHex(script);
    if (proven.scripts.has(hex)) proven.faults.push({ code: 'descriptors_overlap' });
    proven.scripts.set(hex, { script, hasKeys, couldHaveKeys });
  }
}

function addKey(proven: ProvenScripts, key: LegacyKey): void {
  if (proven.keys.has(key)) proven.faults.push({ code: 'descriptors_overlap' });
  proven.keys.add(key);
}

/** Whether a descriptor has the same private key as the legacy wallet. */
function hasKeyOf({ keys }: StoredDescriptor, key: LegacyKey, privateKeys: LegacyPrivateKeys): boolean {
  const kept = keys.find(({ publicKey }) => equalBytes(publicKey, key.publicKey));
  const had = privateKeys.of(key);
  if (!kept) return false;
  if ('encrypted' in had) return 'encrypted' in kept && equalBytes(kept.encrypted, had.encrypted);
  return !('encrypted' in kept) && equalBytes(kept.der, had.der) && equalBytes(kept.checksum, had.checksum);
}
