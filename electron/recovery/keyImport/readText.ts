/**
 * Reads texts with keys: the output of `dumpwallet`, dumps of a database, pywallet's JSON, and lists of single keys.
 * Turns their keys into records of a legacy wallet, so that a rescue can treat them like any other wallet.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { countDamage, type TextLines } from '../../../shared/model/findings/textLines.ts';
import type { Network } from '../../../shared/model/network.ts';
import { toLatin1 } from '../../walletfile/bytes/textCoding.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { wrongPassphraseError } from '../../walletfile/keys/crypter.ts';
import { extendedKeyOfSeed, isSameNode, readExtendedKey } from '../../walletfile/keys/extendedKey.ts';
import { makeStoredKey, type PrivateKey } from '../../walletfile/keys/privateKey.ts';
import { publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { type Branch, branchKeys, keyPathOf } from '../../walletfile/legacy/legacyWallet.ts';
import { receivingRecords } from '../../walletfile/records/addressBook.ts';
import { ENCRYPTED_TYPES, PLAIN_TYPES } from '../../walletfile/records/encryption.ts';
import { typeIn, writeRecord } from '../../walletfile/records/records.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { hash160, makeOutputScript } from '../../walletfile/script/script.ts';
import { decodeText } from '../../walletfile/text/decodeText.ts';
import { type KeyFacts, NO_FACTS } from '../../walletfile/text/keyFacts.ts';
import { keysInText, type TextContents } from '../../walletfile/text/keysInText.ts';
import { type KeyTextOptions, readKeyText } from '../../walletfile/text/keyText.ts';
import { type RecordDump, readRecordDump } from '../../walletfile/text/recordDump.ts';
import { metadataRecord, UNUSED_KEYS } from '../salvage/derivedKeys.ts';
import { isDump, networkOfKey } from './requestsInText.ts';

export interface TextRecords {
  records: RawRecord[];
  /** Number of keys under their own passphrases that the given passphrase does not open. */
  sealed: number;
  /** Null for a dump of records, whose lines hold no keys of their own. */
  lines: TextLines | null;
  /** Number of damaged keys or records. */
  unread: number;
}

/** A text with keys, or with the records of a database. */
export type KeyText = { readonly contents: TextContents } | { readonly recordDump: RecordDump };

/** Null if the bytes are not text, or the text is too long. The text may have no keys. */
export function parseText(bytes: Uint8Array): KeyText | null {
  const text = bytes.length > MAX_BYTES ? null : decodeText(bytes);
  if (text === null) return null;
  const recordDump = readRecordDump(text);
  return recordDump ? { recordDump } : { contents: keysInText(text) };
}

/** In bytes. A dump of 100,000 keys has 15 MB. */
const MAX_BYTES = 200_000_000;

/**
 * The records of a legacy wallet with the single keys of a text, which is given as bytes or parsed. Null without such keys. Throws
 * `wrong_passphrase` if the passphrase opens none of the BIP 38 keys.
 */
export function readText(source: Uint8Array | KeyText, options: KeyTextOptions): TextRecords | null {
  const text = source instanceof Uint8Array ? parseText(source) : source;
  if (text === null) return null;
  const read =
    'recordDump' in text ? { ...text.recordDump, sealed: 0, lines: null } : readKeys(text.contents, options);
  return read.records.length + read.sealed > 0 ? read : null;
}

/** Whether a text has keys of the main network, and of the test networks. Scripts, which are of any, count if it has no keys. */
export function networksOfText(text: KeyText): { main: boolean; test: boolean } {
  const [main, test] = (['main', 'testnet3'] as const).map((network) => readText(text, { network }));
  const hasKeys = (found: typeof main) =>
    !!found && (found.sealed > 0 || found.records.some(({ key }) => KEY_TYPES.has(typeIn(key))));
  const has = hasKeys(main) || hasKeys(test) ? hasKeys : (found: typeof main) => !!found;
  return { main: has(main), test: has(test) };
}

const KEY_TYPES: ReadonlySet<string> = new Set([...PLAIN_TYPES, ...ENCRYPTED_TYPES]);

/** Each single key with its facts. */
function readKeys(contents: TextContents, options: KeyTextOptions): TextRecords {
  const { keys, hexKeys, records, multisigs, lines } = contents;
  const found: ImportedKey[] = hexKeys.map(({ key, ...facts }) => ({ ...facts, ...key }));
  const ofOthers: TextLines['damaged'] = [];
  const sealed = { opened: 0, closed: 0, wrong: 0 };
  for (const { text: written, form, line, ...facts } of keys) {
    if (form !== 'private' && form !== 'sealed') continue;
    const key = readKeyText(written, options);
    if (key === null) ofOthers.push({ line, column: 1, why: 'network' });
    else if (typeof key === 'object') found.push({ ...facts, ...key });
    if (form !== 'sealed') continue;
    if (key === 'sealed' || key === 'wrong') sealed.closed += 1;
    if (key === 'wrong') sealed.wrong += 1;
    else if (key !== 'sealed') sealed.opened += 1;
  }
  // The keys of a list can have different passphrases. A passphrase that opens any of them is right.
  if (sealed.wrong > 0 && sealed.opened === 0) throw wrongPassphraseError();
  const account = withDamage(lines, ofOthers);
  const more = isDump(contents) ? keysOfLostSeed(keys, found, options) : [];
  return {
    records: [
      ...recordsOfKeys(withoutRepeats([...found, ...more]), options.network),
      ...records,
      ...multisigs.flatMap(recordsOfMultisig),
    ],
    sealed: sealed.closed,
    lines: account,
    unread: countDamage(account).lost,
  };
}

/**
 * The keys of the master key that a dump names in a comment, unless its seed is there: a legacy wallet stores the seed, which the master
 * key does not give. In each chain up to the last key of the text, and as many as a wallet keeps unused.
 */
function keysOfLostSeed(
  keys: TextContents['keys'],
  found: readonly ImportedKey[],
  { network }: KeyTextOptions,
): ImportedKey[] {
  const known = new Set(found.map(({ privateKey }) => toLatin1(privateKey)));
  const seeds = found.filter(({ chain }) => chain === 'seed' || chain === 'old-seed');
  const roots = seeds.map(({ privateKey }) => extendedKeyOfSeed(privateKey));
  return keys.flatMap(({ text, isComment }) => {
    const master = readExtendedKey(text, network ?? networkOfKey(text));
    if (
      !isComment ||
      master === null ||
      !('privateKey' in master) ||
      roots.some((root) => isSameNode(root, master))
    )
      return [];
    return ([0, 1] as const).flatMap((branch) => {
      const keyAt = branchKeys(master, branch);
      const own = new Set<number>();
      let end = 0;
      for (const { chain, privateKey } of found) {
        if (typeof chain !== 'object' || chain?.branch !== branch || own.has(chain.index)) continue;
        if (!equalBytes(keyAt(chain.index), privateKey)) continue;
        own.add(chain.index);
        end = Math.max(end, chain.index + 1);
      }
      return Array.from({ length: end + UNUSED_KEYS }, (_, index) => index)
        .flatMap((index) => (own.has(index) ? [] : [keyAt(index)]))
        .filter((privateKey) => !known.has(toLatin1(privateKey)))
        .map((privateKey) => ({ ...NO_FACTS, privateKey, compressed: true }));
    });
  });
}

/** A text can have a key twice. The earliest birth counts, because a later one hides payments. */
function withoutRepeats(keys: readonly ImportedKey[]): ImportedKey[] {
  const byKey = new Map<string, ImportedKey>();
  for (const key of keys) {
    const id = `${key.compressed} ${toLatin1(key.privateKey)}`;
    const known = byKey.get(id);
    const createTime = Math.min(known?.createTime ?? key.createTime, key.createTime);
    byKey.set(id, {
      ...(known?.label ? known : { ...known, ...key }),
      createTime,
      chain: known?.chain ?? key.chain,
    });
  }
  return [...byKey.values()];
}

/** The result of the lines, with `more` of them marked as damaged. */
function withDamage({ keys, taken, damaged, states }: TextLines, more: TextLines['damaged']): TextLines {
  const all = [...damaged, ...more].sort((one, other) => one.line - other.line);
  const known = new Set(damaged.flatMap(({ line, isKeyRead }) => (isKeyRead ? [] : line)));
  const added = new Set(more.map(({ line }) => line).filter((line) => !known.has(line)));
  return {
    keys: keys - more.length,
    taken: taken - added.size,
    damaged: all,
    states: states.map((state, at) => (added.has(at + 1) ? 'damaged' : state)),
  };
}

type ImportedKey = PrivateKey & KeyFacts;

/** Without a network, drops the labels of keys whose addresses the text does not name. */
function recordsOfKeys(keys: readonly ImportedKey[], network: Network | undefined): RawRecord[] {
  const seeds = keys.filter(({ chain }) => chain === 'seed' || chain === 'old-seed').map(seedOf);
  return [
    ...keys.flatMap((key) => recordsOfKey(key, seeds, network)),
    ...seeds.filter(({ active }) => active).map((seed) => chainRecord(seed)),
  ];
}

interface Seed {
  id: Uint8Array;
  active: boolean;
  keyAt(branch: Branch, index: number): string;
  /** The next index of each branch, after the keys of the text. */
  counters: [number, number];
}

function seedOf({ privateKey, chain }: ImportedKey): Seed {
  const root = extendedKeyOfSeed(privateKey);
  const [external, internal] = [branchKeys(root, 0), branchKeys(root, 1)];
  return {
    id: hash160(publicKeyOf(privateKey)),
    active: chain === 'seed',
    keyAt: (branch, index) => toLatin1(publicKeyOf((branch === 1 ? internal : external)(index))),
    counters: [0, 0],
  };
}

function recordsOfKey(key: ImportedKey, seeds: readonly Seed[], network: Network | undefined): RawRecord[] {
  const { createTime, label, addresses } = key;
  const stored = makeStoredKey(key);
  const { publicKey } = stored;
  const hd = chainMetadataOf(key, publicKey, seeds);
  return [
    writeRecord({ type: 'key', ...stored }),
    metadataRecord(publicKey, createTime, hd),
    ...(label === null ? [] : (addresses ?? addressesOf(publicKey, network))).flatMap((address) =>
      receivingRecords(address, label ?? ''),
    ),
  ];
}

/** The place of a key in a chain. Null unless the seed derives this very key. */
function chainMetadataOf({ chain }: ImportedKey, publicKey: Uint8Array, seeds: readonly Seed[]) {
  if (chain === null) return null;
  if (chain === 'seed' || chain === 'old-seed') return { keyPath: 's', seedId: hash160(publicKey) };
  const { branch, index } = chain;
  const seed = seeds.find(({ keyAt }) => keyAt(branch, index) === toLatin1(publicKey));
  if (!seed) return null;
  seed.counters[branch] = Math.max(seed.counters[branch], index + 1);
  return { keyPath: keyPathOf(branch, index), seedId: seed.id };
}

function chainRecord({ id, counters: [externalCounter, internalCounter] }: Seed): RawRecord {
  return writeRecord({ type: 'hdchain', version: 2, externalCounter, seedId: id, internalCounter });
}

/** As `importmulti` stores a script for both kinds of addresses: itself, and its program (`IsMine`). */
function recordsOfMultisig(script: Uint8Array): RawRecord[] {
  return [script, makeOutputScript({ kind: 'p2wsh', scriptHash: sha256(script) })].map((one) =>
    writeRecord({ type: 'cscript', scriptId: hash160(one), script: one }),
  );
}

function addressesOf(publicKey: Uint8Array, network: Network | undefined): string[] {
  if (network === undefined) return [];
  return scriptsOfKey(publicKey).flatMap((script) => addressOf(script, network) ?? []);
}
