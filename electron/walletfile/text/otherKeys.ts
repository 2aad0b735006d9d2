/** Reads key material that is no word of its own: private keys in hex, encrypted keys, and scripts. */
import { hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod/mini';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { once, orNull } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { ENCRYPTED_SIZE } from '../keys/crypter.ts';
import type { PrivateKey } from '../keys/privateKey.ts';
import { receivingRecords } from '../records/addressBook.ts';
import { writeRecord } from '../records/records.ts';
import { ADDRESS_NETWORKS, hashesIn, scriptIfAddress } from '../script/address.ts';
import { hash160 } from '../script/script.ts';
import {
  BIRTH_NAME,
  birthIn,
  type Columns,
  cellsOf,
  dumpWords,
  type KeyFacts,
  NO_FACTS,
  PRIVATE_KEY_WORDS,
  wordsOf,
} from './keyFacts.ts';
import {
  formsFor,
  formsOf,
  HEX_64,
  hexDamage,
  isKey,
  keysInPem,
  multisigsOn,
  type RawKey,
  rawBase58,
  readKeyText,
  readRawKey,
  withJoinedGroups,
  withoutType,
} from './keyText.ts';
import type { ScannedLine } from './scanText.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A private key that a text has in hex. */
export interface HexKey extends KeyFacts {
  readonly key: PrivateKey;
}

/** A private key in hex and what its text says of it. */
interface FoundHex {
  /** 64 digits. */
  readonly hex: string;
  readonly facts: KeyFacts;
  /** Of its public key; undefined if the text does not say. */
  readonly compressed?: boolean | undefined;
  readonly addresses: readonly string[];
  /** The index of its line. */
  readonly at: number;
}

/** Collects the key material of a text. Lines are identified by index. */
export class KeyMaterialCollector {
  readonly hexKeys: HexKey[] = [];
  /** By `toLatin1` of the private key. */
  private readonly formsOfKey = new Map<string, readonly PrivateKey[]>();
  /** Encrypted keys and their master keys, scripts, and the labels of encrypted keys. */
  readonly records: RawRecord[] = [];
  /** Multisig scripts, and the lines of each. */
  readonly multisigs: { script: Uint8Array; start: number; end: number }[] = [];
  /** Number of private keys, plain and encrypted. */
  count = 0;
  readonly damages = new Map<number, KeyDamage[]>();
  readonly taken = new Set<number>();
  /** Private keys that are known already. */
  private readonly known: Set<string>;
  /** Keys in hex that are members of JSON. */
  private readonly inJson = new Set<string>();
  private attempts = 0;
  /** The last line with words, unless it has a key or is longer than a heading. */
  private heading = '';

  /** The line that has a text between quotation marks. */
  private readonly lineOf = once(() => {
    const found = new Map<string, number>();
    this.lines.forEach(({ text }, at) => {
      for (const [, quoted = ''] of text.matchAll(/"([^"]*)"/g))
        if (!found.has(quoted)) found.set(quoted, at);
    });
    return found;
  });

  /** Whether the text says that its keys are Bitcoin's. 32 bytes in base64 are the keys of many programs. */
  private readonly namesBitcoin = once(() =>
    this.lines.some(
      ({ text, keys }) =>
        keys.length > 0 ||
        BITCOIN_WORDS.test(text) ||
        text.match(ADDRESS)?.some((word) => hashesIn(word).length > 0),
    ),
  );

  /** `keys`: the keys that were found as words. */
  constructor(
    keys: readonly string[],
    private readonly lines: readonly ScannedLine[],
    private readonly compares: boolean,
  ) {
    const plain = keys.map((text) => readKeyText(text, {}));
    this.known = new Set(
      plain.flatMap((key) => (key && typeof key === 'object' ? [toLatin1(key.privateKey)] : [])),
    );
  }

  /** An object of pywallet (`--dumpwallet`), of `importmulti`, or of another program. */
  addObject(object: JsonObject): void {
    const found = objectShape.parse(object);
    const facts = memberFacts(object);
    const raw = rawBase58(found.priv);
    const named = found.hexsec ?? found.secret;
    const text = (named && this.mayBeBitcoin(named) ? named : this.privateHex(object, facts)) ?? '';
    const digits = text.replace(/^0x/i, '');
    const { hex, compressed = found.compressed } = readRawKey(text) ?? { hex: digits };
    this.inJson.add(digits);
    // Otherwise the object has the key as a word.
    const isHex = text !== '' && !isKey(found.sec) && !isKey(text);
    const addresses = [...(facts.addresses ?? []), ...foreignAddresses(object)];
    if (raw !== null) this.addHex({ hex: raw, facts, addresses, at: this.lineIndexOf(found.priv ?? '') });
    if (isHex) this.addHex({ hex, facts, compressed, addresses, at: this.lineIndexOf(text) });
    else if (text === '' && found.sec && !isKey(found.sec)) this.addUnreadable(found.sec);
    if (found.encrypted_privkey) this.addEncrypted(found.encrypted_privkey, found.pubkey ?? '', facts);
    if (found.encrypted_key) {
      const record = this.addRecord(found.encrypted_key, () => masterRecord(found));
      if (record) this.records.push(record);
    }
    for (const script of [found.redeemscript, found.witnessscript])
      if (script) this.addScript(script, this.lineIndexOf(script));
  }

  /** A line of a dump, or with keys in hex. */
  addLine({ text: written, keys, damages }: ScannedLine, at: number, columns: Columns | null): void {
    const { heading } = this;
    const mayHaveKey = PRIVATE_KEY_WORDS.test(written + heading);
    const { text, end } = mayHaveKey ? withJoinedGroups(this.lines, at) : { text: written, end: at };
    const other = keys.reduce((rest, key) => rest.replace(key.text, ''), text).replace(HEX_WORD, '');
    if (!SAYS_NOTHING.test(other)) this.heading = other === text && text.length < 100 ? text : '';
    const dumped = dumpWords(text);
    if (dumped?.has('script')) this.addScript(dumped.get('value') ?? '', at);
    else if (dumped && keys.length + damages.length === 0) this.addDamage(at, { why: 'length', column: 1 });
    for (const [, length, hex = ''] of text.matchAll(DER_KEY))
      this.addHex({ hex, facts: NO_FACTS, compressed: length === '81d3', addresses: [], at });
    for (const { hex, end } of keysInPem(this.lines, at)) {
      this.addHex({ hex, facts: NO_FACTS, addresses: [], at });
      for (let next = at; next < end; next += 1) this.taken.add(next);
    }
    if (dumped) return;
    this.multisigs.push(...multisigsOn(this.lines, at).map((found) => ({ ...found, start: at })));
    const cell = columns && cellsOf(text, columns)[columns.key];
    for (const { 0: word, 1: digits = word, index } of text.matchAll(HEX_WORD)) {
      const isCalled = columns
        ? cell?.includes(digits) === true
        : isCalledPrivate(text.slice(Math.max(0, index - 100), index), heading);
      const isPrivate = isCalled && this.mayBeBitcoin(digits);
      if (this.inJson.has(digits)) continue;
      const key = readRawKey(digits);
      if (HEX_64.test(digits) || (key && isPrivate))
        this.addHexOfLine(key ?? { hex: digits }, { at, index }, isPrivate);
      else if (isPrivate) {
        const damage = hexDamage(digits);
        const start = index + word.length - digits.length;
        const column = damage?.letter ? written.indexOf(damage.letter, start) : start;
        if (damage) this.addDamage(at, { ...damage, column: column + 1 });
      }
    }
    if (this.taken.has(at)) for (let next = at + 1; next < end; next += 1) this.taken.add(next);
  }

  /** A key that is called private, or that belongs to an address on its line. */
  private addHexOfLine(
    { hex, compressed }: RawKey,
    { at, index }: { at: number; index: number },
    isPrivate: boolean,
  ): void {
    if (!this.compares && isPrivate) this.addHex({ hex, facts: NO_FACTS, compressed, addresses: [], at });
    if (!this.compares || (!isPrivate && this.attempts > MAX_ATTEMPTS)) return;
    // A file of JSON can be one line.
    const own = wordsOf(this.lines[at]?.text.slice(Math.max(0, index - NEAR), index + NEAR) ?? '');
    if (isPrivate) {
      const others = [...this.lines.slice(Math.max(0, at - 3), at), ...this.lines.slice(at + 1, at + 4)];
      const near = [...own, ...others.flatMap(({ text }) => wordsOf(text.slice(0, NEAR)))];
      // The addresses may belong to other keys.
      const addresses = formsFor(formsOf(hex), near).length > 0 ? near : [];
      this.addHex({ hex, facts: NO_FACTS, compressed, addresses, at });
      return;
    }
    const addresses = own.filter((word) => hashesIn(word).length > 0);
    if (this.isProved(hex, addresses)) this.addHex({ hex, facts: NO_FACTS, addresses, at });
  }

  /** A member of another program’s JSON that calls itself private, or that stands beside an address. */
  private privateHex(object: JsonObject, { addresses }: KeyFacts): string | null {
    const all = Object.entries(object).flatMap(([name, value]) =>
      typeof value === 'string' && readRawKey(value) !== null && !/pub|encrypt|hash|tx/i.test(name)
        ? [{ name, value }]
        : [],
    );
    const found =
      all.find(({ name, value }) => PRIVATE_KEY_WORDS.test(name) && this.mayBeBitcoin(value)) ??
      all.find(({ value }) => this.isProved(readRawKey(value)?.hex ?? '', addresses ?? [])) ??
      // A name this plain needs an address too, if only one that cannot be compared.
      all.find(
        ({ name }) => /^(?:key|hex)$/i.test(name) && (addresses ?? foreignAddresses(object)).length > 0,
      );
    return found?.value ?? null;
  }

  private mayBeBitcoin(key: string): boolean {
    return !key.endsWith('=') || this.namesBitcoin();
  }

  /** Whether a key belongs to one of the addresses. Gives up after many that do not, as in a long list of transactions. */
  private isProved(hex: string, addresses: readonly string[]): boolean {
    if (!this.compares || addresses.length === 0 || this.attempts > MAX_ATTEMPTS) return false;
    this.attempts += 1;
    if (formsFor(formsOf(hex), addresses).length === 0) return false;
    this.attempts = 0;
    return true;
  }

  /** Reports a member that should be a key, unless the scan reports it. */
  private addUnreadable(text: string): void {
    const at = this.lineIndexOf(text);
    if (this.lines[at]?.damages.length === 0) this.addDamage(at, { why: 'length', column: 1 });
  }

  private addEncrypted(encrypted: string, publicKey: string, { label, addresses }: KeyFacts): void {
    const record = this.addRecord(encrypted, () => encryptedRecord(publicKey, encrypted));
    if (record === null) return;
    this.count += 1;
    const labelled = label === null ? [] : (addresses ?? []);
    this.records.push(record, ...labelled.flatMap((address) => receivingRecords(address, label ?? '')));
  }

  /** The record of an encrypted text; null, and damage, if `make` throws. */
  private addRecord(text: string, make: () => RawRecord): RawRecord | null {
    const record = orNull(make);
    if (record === null) this.addDamage(this.lineIndexOf(text), { why: 'length', column: 1 });
    else this.taken.add(this.lineIndexOf(text));
    return record;
  }

  private addHex({ hex, facts, compressed, addresses, at }: FoundHex): void {
    const id = HEX_64.test(hex) ? toLatin1(hexToBytes(hex)) : '';
    if (this.known.has(id)) {
      this.taken.add(at);
      // This mention of the key may name an earlier birth, or a label.
      const forms = facts === NO_FACTS ? [] : (this.formsOfKey.get(id) ?? []);
      this.hexKeys.push(...forms.map((key) => ({ ...facts, key })));
      return;
    }
    const forms = formsOf(hex);
    const isComparable = this.compares && addresses.some((address) => !isScriptAddress(address));
    // Without an address, both forms: an extra key does no harm.
    const keys = !isComparable
      ? forms.filter((key) => key.compressed === (compressed ?? key.compressed))
      : formsFor(forms, addresses);
    const [first] = keys;
    if (first === undefined)
      this.addDamage(at, { why: forms.length === 0 ? 'length' : 'address', column: 1 });
    else {
      this.taken.add(at);
      this.count += 1;
      this.known.add(toLatin1(first.privateKey));
      this.formsOfKey.set(toLatin1(first.privateKey), keys);
      this.hexKeys.push(...keys.map((key) => ({ ...facts, key })));
    }
  }

  private addScript(hex: string, at: number): void {
    const script = orNull(() => hexToBytes(hex));
    if (script === null) this.addDamage(at, { why: 'letter', column: 1 });
    else {
      this.records.push(writeRecord({ type: 'cscript', scriptId: hash160(script), script }));
      this.taken.add(at);
    }
  }

  private addDamage(at: number, damage: KeyDamage): void {
    this.damages.set(at, [...(this.damages.get(at) ?? []), damage]);
  }

  private lineIndexOf(text: string): number {
    return this.lineOf().get(text) ?? 0;
  }
}

const BITCOIN_WORDS =
  /bitcoin|(?<![a-z])btc(?![a-z])|satoshi|privkey|\bwif\b|multibit|electrum|armory|bither|wallet\.dat/i;
const ADDRESS = /(?<![0-9a-z])(?:[13mn2]|(?:bc|tb|bcrt)1)[0-9a-z]{25,87}(?![0-9a-z])/gi;

/** In characters. */
const NEAR = 1000;

/** How many keys in hex without a name are compared with the addresses on their lines, in a row without success. */
const MAX_ATTEMPTS = 200;

/** The start of a private key in DER, as old wallets store it: of a compressed or an uncompressed public key. */
const DER_KEY = /30(81d3|820113)0201010420([0-9a-f]{64})/gi;
/** A word as long as a private key in hex, or nearly, or with what a WIF adds; or 32 bytes in base64. */
const HEX_WORD = /(?<![0-9a-z])(?:0x)?([0-9a-z]{60,76})(?![0-9a-z])|(?<![\w+/-])[\w+/-]{43}=(?![\w=])/gi;
/** By the last word that says what it is, on its line or in the heading above. */
function isCalledPrivate(before: string, heading: string): boolean {
  const words = SAYS_NOTHING.test(before) ? heading : before;
  const [last = ''] =
    words.match(/priv|secret|wif|chain_?code|\bpub|\bhash|txid|transaction|checksum/gi)?.slice(-1) ?? [];
  return PRIVATE_KEY_WORDS.test(last);
}

/** Between a heading and its key, or around a key: marks, numbers, and words like “Hex:”. */
const SAYS_NOTHING = /^(?:[\W\d_]|\b(?:hex|key|value)\b)*$/i;

/** What an object of JSON says of its key, in the words of `importmulti`, of pywallet, and of other programs. */
export function memberFacts(member: JsonObject): KeyFacts {
  const find = (pattern: RegExp) => Object.entries(member).find(([name]) => pattern.test(name))?.[1];
  // The time stamp of another program's file may be of its export.
  const isRequest = /^[a-z]+\(/.test(String(member.desc)) || 'scriptPubKey' in member;
  // A node lists the labels of an address.
  const [label] = [find(/^labels?$/i) ?? find(/^name$/i)].flat();
  const addresses = addressTexts(member).filter((text) => isBitcoinAddress(text));
  return {
    ...NO_FACTS,
    createTime: birthIn(isRequest ? member.timestamp : find(BIRTH_NAME)),
    label: typeof label === 'string' ? label : null,
    addresses: addresses.length > 0 ? addresses : null,
  };
}

/** What an object of JSON calls its address or addresses, without a type or the scheme of a link. */
function addressTexts(member: JsonObject): string[] {
  return Object.entries(member)
    .filter(([name]) => /^addr(?:ess(?:es)?)?$/i.test(name))
    .flatMap(([, value]) => value)
    .flatMap((text) => (typeof text === 'string' ? [withoutType(text).replace(/\?.*/, '')] : []));
}

/** Texts in place of an address that may be addresses of other coins, or mistyped. */
function foreignAddresses(member: JsonObject): string[] {
  return addressTexts(member).filter((text) => /^\w{26,}$/.test(text) && !isBitcoinAddress(text));
}

function isBitcoinAddress(text: string): boolean {
  return hashesIn(text).length > 0 || isScriptAddress(text);
}

/** Whether no single key's hash is in the address, as for Taproot. */
function isScriptAddress(text: string): boolean {
  return (
    hashesIn(text).length === 0 && ADDRESS_NETWORKS.some((network) => scriptIfAddress(text, network) !== null)
  );
}

const optionalText = z.catch(z.optional(z.string()), undefined);
const objectShape = z.object({
  sec: optionalText,
  secret: optionalText,
  hexsec: optionalText,
  priv: optionalText,
  compressed: z.catch(z.optional(z.boolean()), undefined),
  pubkey: optionalText,
  encrypted_privkey: optionalText,
  encrypted_key: optionalText,
  salt: optionalText,
  nDerivationIterations: z.catch(z.optional(z.number()), undefined),
  nID: z.catch(z.optional(z.number()), undefined),
  redeemscript: optionalText,
  witnessscript: optionalText,
});

/** Throws for a public key or an encrypted key of another length. */
function encryptedRecord(publicKey: string, encrypted: string): RawRecord {
  const [bytes, secret] = [hexToBytes(publicKey), hexToBytes(encrypted)];
  if (![33, 65].includes(bytes.length) || secret.length !== ENCRYPTED_SIZE) throw new RangeError();
  return writeRecord({ type: 'ckey', publicKey: bytes, encrypted: secret, checksum: null });
}

/** Throws for fields of another length. */
function masterRecord(found: z.infer<typeof objectShape>): RawRecord {
  const encrypted = hexToBytes(found.encrypted_key ?? '');
  const salt = hexToBytes(found.salt ?? '');
  if (encrypted.length !== ENCRYPTED_SIZE || salt.length !== 8) throw new RangeError();
  return writeRecord({
    type: 'mkey',
    id: found.nID ?? 1,
    encrypted,
    salt,
    derivationMethod: 0,
    iterations: found.nDerivationIterations ?? 25_000,
    otherParameters: new Uint8Array(),
  });
}
