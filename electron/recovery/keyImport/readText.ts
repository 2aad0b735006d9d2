/**
 * Reads texts with keys: the output of `dumpwallet` and `bitcoin-wallet dump`, pywallet's JSON, and lists of single keys.
 * Their keys become records of a legacy wallet, so that they go the same way as every wallet.
 */
import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import type { Network } from '../../../shared/model/network.ts';
import { parseJson } from '../../../shared/model/parseJson.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { wrongPassphrase } from '../../walletfile/keys/crypter.ts';
import {
  deriveKey,
  extendedKeyOfSeed,
  HARDENED,
  privateChildren,
} from '../../walletfile/keys/extendedKey.ts';
import { makeStoredKey, type PrivateKey } from '../../walletfile/keys/privateKey.ts';
import { publicKeyOf } from '../../walletfile/keys/publicKey.ts';
import { nestedHash } from '../../walletfile/legacy/legacyKeys.ts';
import { receivingRecords } from '../../walletfile/records/addressBook.ts';
import { writeRecord } from '../../walletfile/records/records.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { hash160 } from '../../walletfile/script/script.ts';
import { metadataRecord } from '../salvage/derivedKeys.ts';
import { hashesIn } from '../salvage/provedKeys.ts';
import { type KeyTextOptions, readHexKey, readKeyText } from './keyText.ts';

export interface TextRecords {
  records: RawRecord[];
  /** Number of keys under their own passphrases that the given passphrase does not open. */
  sealed: number;
  /** Number of lines that look like damaged keys or records. */
  unread: number;
}

/** Null for bytes without such a text. Throws `wrong_passphrase` if the passphrase opens none of the BIP 38 keys. */
export function readText(bytes: Uint8Array, options: KeyTextOptions): TextRecords | null {
  const start = textIn(bytes)?.trimStart();
  if (start === undefined) return null;
  const read = start.startsWith(RECORDS)
    ? readRecordDump(start)
    : start.startsWith('# Wallet dump created by')
      ? readDump(start, options)
      : start.startsWith('{')
        ? readPywallet(start, options)
        : readList(start, options);
  return read.records.length + read.sealed > 0 ? read : null;
}

/** Null if the bytes are not text, or the text is too long. */
export function textIn(bytes: Uint8Array): string | null {
  if (bytes.length > MOST_BYTES) return null;
  const text = orNull(() => new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  return text?.includes('\0') ? null : text;
}

/** In bytes. A dump of 100,000 keys has 15 MB. */
const MOST_BYTES = 200_000_000;
const RECORDS = 'BITCOIN_CORE_WALLET_DUMP,';

/** Collects the keys of a text. */
class KeyCollector {
  readonly keys: ImportedKey[] = [];
  readonly others: RawRecord[] = [];
  sealed = 0;
  unread = 0;
  private opened = 0;
  private notOpened = 0;

  constructor(private readonly options: KeyTextOptions) {}

  add(text: string, facts: Omit<ImportedKey, 'privateKey' | 'compressed'>): void {
    const isSealed = readKeyText(text, { ...this.options, passphrase: undefined }) === 'sealed';
    const key = readKeyText(text, this.options);
    if (key === null) this.unread += 1;
    else if (key === 'sealed' || key === 'wrong') this.sealed += 1;
    else this.keys.push({ ...key, ...facts });
    if (key === 'wrong') this.notOpened += 1;
    else if (isSealed && key !== 'sealed') this.opened += 1;
  }

  /** The keys of a list can have different passphrases. A passphrase that opens any of them is right. */
  result(): TextRecords {
    if (this.notOpened > 0 && this.opened === 0) throw wrongPassphrase();
    const { keys, others, sealed, unread } = this;
    return { records: [...recordsOfKeys(keys, this.options.network), ...others], sealed, unread };
  }
}

/** One key a line with an optional label, or several keys separated by spaces, commas or semicolons. */
function readList(text: string, options: KeyTextOptions): TextRecords {
  const found = new KeyCollector(options);
  for (const line of text.split(/[\r\n]+/)) {
    const [first = '', ...words] = line.trim().split(/[\s,;]+/);
    if (readKeyText(first, { ...options, passphrase: undefined }) === null) {
      // Other words may be text around the keys, or a mistyped key.
      if (LIKE_A_KEY.test(first)) found.unread += 1;
      continue;
    }
    const label = words.join(' ');
    const areKeys = words.every((word) => readKeyText(word, { ...options, passphrase: undefined }) !== null);
    for (const key of areKeys ? [first, ...words] : [first])
      found.add(key, { ...NO_FACTS, label: areKeys || label === '' ? null : label });
  }
  return found.result();
}

/** WIF, BIP 38 or a mini key, perhaps with a missing, extra or wrong character. */
const LIKE_A_KEY = /^(?:[5KL9c][0-9A-Za-z]{49,52}|6P[0-9A-Za-z]{54,58}|S[0-9A-Za-z]{20,30})$/;

/** Output of `dumpwallet` (`rpcdump.cpp`): key, time, facts, and addresses after a `#`. */
function readDump(text: string, options: KeyTextOptions): TextRecords {
  const found = new KeyCollector(options);
  for (const line of text.split(/\r?\n/)) {
    if (line === '' || line.startsWith('#')) continue;
    const [facts = '', comment = ''] = line.split(' # ');
    const [first = '', time = '', ...words] = facts.split(' ');
    const of = new Map([...words, ...comment.split(' ')].map((word) => splitAt(word, '=')));
    if (of.has('script')) {
      const script = orNull(() => hexToBytes(first));
      if (script === null) found.unread += 1;
      else found.others.push(writeRecord({ type: 'cscript', scriptId: hash160(script), script }));
      continue;
    }
    const seconds = Math.floor(Date.parse(time) / 1000);
    const label = of.get('label');
    found.add(first, {
      createTime: seconds > 1 ? seconds : 1,
      label: label === undefined ? null : (orNull(() => decodeURIComponent(label)) ?? label),
      addresses: of.get('addr')?.split(',') ?? null,
      chain: chainOf(of),
    });
  }
  return found.result();
}

/** Releases before 0.17 called seeds masters. */
function chainOf(of: ReadonlyMap<string, string>): ImportedKey['chain'] {
  if (of.has('hdseed') || of.has('hdmaster')) return 'seed';
  if (of.has('inactivehdseed') || of.has('inactivehdmaster')) return 'old-seed';
  const [, branch, index] = /^m\/0'\/([01])'\/(\d{1,9})'$/.exec(of.get('hdkeypath') ?? '') ?? [];
  return index === undefined ? null : { branch: branch === '1' ? 1 : 0, index: Number(index) };
}

function splitAt(word: string, mark: string): [string, string] {
  const at = word.indexOf(mark);
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
}

/** Output of `bitcoin-wallet dump` (`DumpWallet` in `dump.cpp`): the records of a wallet's database. */
export function readRecordDump(text: string): TextRecords {
  const records: RawRecord[] = [];
  let unread = 0;
  for (const line of text.split(/\r?\n/)) {
    const [key = '', value = ''] = line.split(',');
    if (HEADS.has(key) || key === '') continue;
    const record = orNull(() => ({ key: hexToBytes(key), value: hexToBytes(value) }));
    if (record) records.push(record);
    else unread += 1;
  }
  return { records, sealed: 0, unread };
}

const HEADS: ReadonlySet<string> = new Set(['BITCOIN_CORE_WALLET_DUMP', 'format', 'checksum']);

const pywallet = z.object({
  keys: z.array(
    z.object({
      sec: z.string().optional(),
      secret: z.string().optional(),
      hexsec: z.string().optional(),
      compressed: z.boolean().optional(),
      label: z.string().optional(),
      addr: z.string().optional(),
    }),
  ),
});

/** Output of `pywallet --dumpwallet`. */
function readPywallet(text: string, options: KeyTextOptions): TextRecords {
  const found = new KeyCollector(options);
  const parsed = pywallet.safeParse(parseJson(text));
  for (const { sec = '', secret, hexsec = secret ?? '', compressed, label, addr } of parsed.data?.keys ??
    []) {
    const facts = { ...NO_FACTS, label: label ?? null, addresses: addr === undefined ? null : [addr] };
    const forms = sec === '' ? formsOf(hexsec, compressed, addr) : null;
    if (forms === null) found.add(sec, facts);
    else if (forms.length === 0) found.unread += 1;
    else found.keys.push(...forms.map((key) => ({ ...key, ...facts })));
  }
  return found.result();
}

/**
 * The compressed or uncompressed form of a key, by its address, or else by pywallet's own flag. Both forms if neither is known,
 * because an extra key does no harm. Empty if the address fits neither form. Null if the hex is not a private key.
 */
function formsOf(
  hex: string,
  compressed: boolean | undefined,
  addr: string | undefined,
): PrivateKey[] | null {
  const forms = [true, false].flatMap((form) => readHexKey(hex, form) ?? []);
  if (forms.length === 0) return null;
  if (addr === undefined) return forms.filter((key) => key.compressed === (compressed ?? key.compressed));
  const hashes = hashesIn(addr);
  return forms.filter((key) => {
    const hash = quickHash160(makeStoredKey(key).publicKey);
    return hashes.includes(hash) || (key.compressed && hashes.includes(nestedHash(hash)));
  });
}

interface ImportedKey extends PrivateKey {
  /** Unix seconds; 1 if unknown. */
  createTime: number;
  label: string | null;
  /** The addresses with this label; null for all addresses of the key. */
  addresses: readonly string[] | null;
  /** The role of the key in an HD chain: the seed of the active or an old chain, or a place in one. */
  chain: 'seed' | 'old-seed' | { branch: 0 | 1; index: number } | null;
}

const NO_FACTS = { createTime: 1, label: null, addresses: null, chain: null } as const;

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
  keyAt(branch: 0 | 1, index: number): string;
  /** The next index of each branch, after the keys of the text. */
  counters: [number, number];
}

function seedOf({ privateKey, chain }: ImportedKey): Seed {
  const root = extendedKeyOfSeed(privateKey);
  const children = [0, 1].map((branch) => privateChildren(deriveKey(root, [HARDENED, HARDENED + branch])));
  return {
    id: hash160(publicKeyOf(privateKey)),
    active: chain === 'seed',
    keyAt: (branch, index) =>
      byteText(publicKeyOf(children[branch]?.(HARDENED + index).privateKey ?? privateKey)),
    counters: [0, 0],
  };
}

function recordsOfKey(key: ImportedKey, seeds: readonly Seed[], network: Network | undefined): RawRecord[] {
  const { createTime, label, addresses } = key;
  const stored = makeStoredKey(key);
  const { publicKey } = stored;
  const hd = placeOf(key, publicKey, seeds);
  return [
    writeRecord({ type: 'key', ...stored }),
    metadataRecord(publicKey, createTime, hd),
    ...(label === null ? [] : (addresses ?? addressesOf(publicKey, network))).flatMap((address) =>
      receivingRecords(address, label ?? ''),
    ),
  ];
}

/** The place of a key in a chain. Null unless the seed derives this very key. */
function placeOf({ chain }: ImportedKey, publicKey: Uint8Array, seeds: readonly Seed[]) {
  if (chain === null) return null;
  if (chain === 'seed' || chain === 'old-seed') return { keyPath: 's', seedId: hash160(publicKey) };
  const { branch, index } = chain;
  const seed = seeds.find(({ keyAt }) => keyAt(branch, index) === byteText(publicKey));
  if (!seed) return null;
  seed.counters[branch] = Math.max(seed.counters[branch], index + 1);
  return { keyPath: `m/0'/${branch}'/${index}'`, seedId: seed.id };
}

function chainRecord({ id, counters: [externalCounter, internalCounter] }: Seed): RawRecord {
  return writeRecord({ type: 'hdchain', version: 2, externalCounter, seedId: id, internalCounter });
}

function addressesOf(publicKey: Uint8Array, network: Network | undefined): string[] {
  if (network === undefined) return [];
  return scriptsOfKey(publicKey).flatMap((script) => addressOf(script, network) ?? []);
}
