/** Proves a migration on the files it made: what the legacy wallet called its own is in them, each in its place. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/errors.ts';
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Network } from '../../../shared/network.ts';
import type { MigrationProof } from '../../../shared/rehearsal.ts';
import { say } from '../../../shared/text/say.ts';
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { cutList } from '../bytes/cutList.ts';
import { shownText } from '../bytes/shownText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { decryptKey } from '../key/crypter.ts';
import { readStoredKey } from '../key/privateKey.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import { type HeldKey, isCompressed, type OwnKeys } from '../legacy/ownKeys.ts';
import { readAddress } from '../record/addressBook.ts';
import { hasFlag } from '../record/walletFlags.ts';
import { addressOf } from '../script/address.ts';
import { makeOutputScript } from '../script/script.ts';
import type { AddressPlaces } from './addressPlaces.ts';
import { type MigrationPlan, places, scriptsIn } from './migrationPlan.ts';
import { type ProvenScripts, provenScripts } from './provenScripts.ts';
import { transactionPlaces } from './transactionPlaces.ts';
import { descriptorRows } from './writtenDescriptors.ts';
import { eachWritten } from './writtenWallet.ts';

/** One of the new wallets: its file, and the records it was written from. */
interface WrittenFile {
  bytes: Uint8Array;
  records: readonly RawRecord[];
}

interface ProofInput {
  legacy: LegacyWallet;
  keys: OwnKeys;
  /** Of the wallet's encryption, null where it has none. */
  masterKey: Uint8Array | null;
  plan: MigrationPlan;
  addresses: AddressPlaces;
  /** The wallet that holds what belongs to no script. */
  main: WalletPart;
  files: Record<WalletPart, WrittenFile | null>;
  network: Network;
}

/** Throws AppError `wallet_error` with a list of what is missing, too much, or in the wrong place. */
export function proveMigration(input: ProofInput): MigrationProof {
  const { legacy, plan, addresses, network } = input;
  const seen = readBack(input);
  const problems = [...faultsOf(seen), ...scriptProblems(input, seen), ...recordProblems(input, seen)];
  if (problems.length > 0) throw notProven(problems);
  const { primary, watchonly, solvables } = seen;
  const ofKeys = [...primary.proven.keys].reduce(
    (sum, { publicKey }) => sum + (isCompressed(publicKey) ? 4 : 2),
    0,
  );
  const inPrimary = ofKeys + primary.proven.scripts.size;
  const inWatchonly = watchonly.proven.scripts.size;
  const leftOut = [...plan.unreadable, ...(plan.scripts?.notMine.values() ?? [])];
  return {
    scripts: {
      old: inPrimary + inWatchonly + plan.unreadable.length,
      primary: inPrimary,
      watchonly: inWatchonly,
    },
    solvable: solvables.proven.scripts.size,
    ready: primary.proven.ready,
    addressRecords:
      legacy.names.length + legacy.purposes.length + legacy.addressData.length - addresses.leftOut.length,
    transactions: legacy.transactions.length,
    lockedCoins: legacy.lockedCoins.length,
    leftOut: leftOut.map((script) => shown(script, network)),
  };
}

interface Seen {
  /** The records whose rows are in the file. */
  records: readonly RawRecord[];
  proven: ProvenScripts;
}

function readBack({ files, keys, masterKey, network }: ProofInput): Record<WalletPart, Seen> {
  const isWhole = keyProver(masterKey);
  const read = (file: WrittenFile | null): Seen => {
    const rows = descriptorRows();
    if (file) eachWritten(file.bytes, file.records, network, rows.take);
    return { records: file?.records ?? [], proven: provenScripts(rows.found(), keys, isWhole, network) };
  };
  return { primary: read(files.primary), watchonly: read(files.watchonly), solvables: read(files.solvables) };
}

/** Proves the private key of a record by itself, each only once: eight descriptors share the one of a seed. */
function keyProver(masterKey: Uint8Array | null): (publicKey: Uint8Array, held: HeldKey) => boolean {
  const proved = new Set<string>();
  return (publicKey, held) => {
    const id = byteText(held.kind === 'plain' ? held.der : held.encrypted);
    const known = `${byteText(publicKey)} ${id}`;
    if (proved.has(known)) return true;
    const secret =
      held.kind === 'plain'
        ? readStoredKey({ publicKey, ...held })?.privateKey
        : masterKey && decryptKey(masterKey, { publicKey, ...held });
    secret?.fill(0);
    if (secret) proved.add(known);
    return Boolean(secret);
  };
}

function faultsOf(seen: Record<WalletPart, Seen>): string[] {
  return places.flatMap((place) => seen[place].proven.faults);
}

function scriptProblems(
  { legacy, keys, plan, network }: ProofInput,
  seen: Record<WalletPart, Seen>,
): string[] {
  const { primary, watchonly, solvables } = seen;
  const watchesOnly = hasFlag(legacy.flags, 'disable_private_keys');
  const problems: string[] = [];
  const address = (script: Uint8Array) => ({ address: shown(script, network) });
  const expected = new Map(plan.scripts?.mine);
  for (const script of plan.unreadable) expected.delete(bytesToHex(script));
  for (const key of keys.all) {
    if (primary.proven.keys.has(key)) continue;
    const script = makeOutputScript({ kind: 'p2pkh', keyHash: bytesOf(key.hash) });
    // Where the rules were asked, its scripts are among theirs.
    if (!plan.scripts) problems.push(say('Missing: {address}', address(script)));
  }
  for (const [hex, script] of expected) {
    const key = keys.ofScript(script);
    if (key && primary.proven.keys.has(key)) expected.delete(hex);
    else if (!primary.proven.scripts.has(hex) && !watchonly.proven.scripts.has(hex))
      problems.push(say('Missing: {address}', address(script)));
  }
  for (const [hex, { script, hasKeys }] of primary.proven.scripts) {
    if (!expected.has(hex)) problems.push(say('Not of the old wallet: {address}', address(script)));
    if (!hasKeys && !watchesOnly)
      problems.push(say('In the main wallet without its private keys: {address}', address(script)));
  }
  for (const [hex, { script, couldHaveKeys }] of watchonly.proven.scripts) {
    if (!expected.has(hex) || primary.proven.scripts.has(hex))
      problems.push(say('Not to be watched: {address}', address(script)));
    if (couldHaveKeys)
      problems.push(say('Only watched, though the wallet has its private keys: {address}', address(script)));
  }
  for (const [hex, { script }] of solvables.proven.scripts) {
    if (!plan.scripts?.solvable.has(hex))
      problems.push(say('Not to be kept as solvable: {address}', address(script)));
  }
  if (solvables.proven.scripts.size !== scriptsIn(plan, 'solvables').length)
    problems.push(say('Not all solvable scripts are kept'));
  return problems;
}

function recordProblems(input: ProofInput, seen: Record<WalletPart, Seen>): string[] {
  const { legacy, keys, addresses, main, files } = input;
  const placeOf = (script: Uint8Array): WalletPart | null => {
    if (!legacy.isLegacy) return 'primary';
    const key = keys.ofScript(script);
    if (key && seen.primary.proven.keys.has(key)) return 'primary';
    const hex = bytesToHex(script);
    return places.find((place) => seen[place].proven.scripts.has(hex)) ?? null;
  };
  const kept = {
    primary: membership(seen.primary.records),
    watchonly: membership(seen.watchonly.records),
    solvables: membership(seen.solvables.records),
  };
  const problems: string[] = [];
  const missing = (records: readonly RawRecord[], from: readonly WalletPart[], text: Lost) => {
    const lost = from.reduce((rest, place) => kept[place].without(rest), records);
    if (lost.length > 0) problems.push(text(lost.length));
  };
  if (files.primary) missing(legacy.others, ['primary'], othersLost);
  const { records } = transactionPlaces(legacy, placeOf, main);
  for (const place of places) missing(records[place], [place], transactionsLost);
  const stored = [...legacy.transactions, ...legacy.lockedCoins].map(({ record }) => record);
  missing(stored, places, transactionsLost);
  const leftOut = new Set(addresses.leftOut);
  for (const list of [legacy.names, legacy.purposes, legacy.addressData]) {
    const expected = leftOut.size > 0 ? list.filter((record) => !leftOut.has(record)) : list;
    missing(expected, places, addressesLost);
  }
  const receiving: Record<WalletPart, RawRecord[]> = { primary: [], watchonly: [], solvables: [] };
  for (const [at, record] of legacy.purposes.entries()) {
    const of = addresses.owners[at];
    if (!of) continue;
    const place =
      of instanceof Uint8Array ? placeOf(of) : seen.primary.proven.keys.has(of) ? 'primary' : null;
    if (place) receiving[place].push(record);
    else if (!leftOut.has(record))
      problems.push(say('Of no wallet: {address}', { address: byteText(readAddress(record)) }));
  }
  for (const place of places) missing(receiving[place], [place], addressesAstray);
  return problems;
}

/** What is lost, and how many of it. */
type Lost = (count: number) => string;

const othersLost: Lost = (count) =>
  say('{count, plural, one {# other record} other {# other records}}', { count });
const transactionsLost: Lost = (count) =>
  say('{count, plural, one {# record} other {# records}} of transactions and locked coins', { count });
const addressesLost: Lost = (count) =>
  say('{count, plural, one {# record} other {# records}} of entries of the address book', { count });
const addressesAstray: Lost = (count) =>
  say(
    '{count, plural, one {# address that is} other {# addresses that are}} not in the wallet of their script',
    {
      count,
    },
  );

/** Finds the records that are not in a list. Quick where they stand in the same order in it. */
function membership(list: readonly RawRecord[]): {
  without(records: readonly RawRecord[]): readonly RawRecord[];
} {
  let set: Set<RawRecord> | undefined;
  return {
    without(records) {
      let found = 0;
      for (let at = 0; at < list.length && found < records.length; at += 1) {
        if (list[at] === records[found]) found += 1;
      }
      if (found === records.length) return [];
      set ??= new Set(list);
      const known = set;
      return records.filter((record) => !known.has(record));
    },
  };
}

/** Bytes: their hex is cut as other words of a file are. */
const LONGEST_SHOWN = 1000;

function shown(script: Uint8Array, network: Network): string {
  return addressOf(script, network) ?? shownText(bytesToHex(script.subarray(0, LONGEST_SHOWN)));
}

function notProven(problems: readonly string[]): AppError {
  return new AppError(
    'wallet_error',
    say('The new wallets do not hold exactly what the old one does, so they were thrown away. {faults}', {
      faults: cutList(problems),
    }),
    say(
      'The legacy wallet was not changed; Bitcoin Core itself can still migrate it. Make a report of it in Activity, and ask for help with it.',
    ),
  );
}
