/** Reads all keys of a text with what the text says of each, and accounts for every line. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { base58 } from '@scure/base';
import { z } from 'zod';
import type { KeyDamage, LineState, TextLines } from '../../../shared/model/findings/textLines.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { once, orNull } from '../../walletfile/bytes/once.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { makeStoredKey, type PrivateKey } from '../../walletfile/keys/privateKey.ts';
import { nestedHash } from '../../walletfile/legacy/legacyKeys.ts';
import { receivingRecords } from '../../walletfile/records/addressBook.ts';
import { writeRecord } from '../../walletfile/records/records.ts';
import { hash160 } from '../../walletfile/script/script.ts';
import { readHexKey, readKeyText } from '../../walletfile/text/keyText.ts';
import { type ScannedLine, scanText, type TextKey } from '../../walletfile/text/scanText.ts';
import { hashesIn } from '../salvage/provedKeys.ts';
import { jsonInText } from './jsonInText.ts';
import {
  birthOf,
  type Columns,
  cellsOf,
  columnsIn,
  dumpWords,
  factsOnLine,
  type KeyFacts,
  NO_FACTS,
  wordsOf,
} from './keyFacts.ts';

/** A key or descriptor of a text. `line`: from 1. */
export interface KeyInText extends KeyFacts {
  readonly text: string;
  readonly form: TextKey['form'];
  readonly line: number;
  readonly isComment: boolean;
  /** The object of JSON that has it as a member, or in an array of its own. */
  readonly member: JsonObject | null;
}

/** A private key that a text has in hex. */
export interface HexKey extends KeyFacts {
  readonly key: PrivateKey;
}

export interface TextContents {
  readonly keys: readonly KeyInText[];
  readonly hexKeys: readonly HexKey[];
  /** Encrypted keys and their master keys, scripts, and the labels of encrypted keys. */
  readonly records: readonly RawRecord[];
  /** Whether its extended keys are shares of a multisig wallet, which its text describes in words. */
  readonly isMultisig: boolean;
  /** The damage of each line that has any. */
  readonly lines: TextLines;
}

export type JsonObject = Readonly<Record<string, unknown>>;

/** `text`: as `decodeText` gives it. */
export function keysInText(text: string): TextContents {
  const lines = scanText(text);
  // With the quoting of a shell undone.
  const plain = lines.map((line) => line.text).join('\n');
  const members = plain.includes('"') ? membersOf(jsonInText(plain)) : NO_MEMBERS;
  const columns = tableOf(lines);
  const keys = lines.flatMap((line, at) => {
    const onLine = factsOnLine(line.text, line.keys, columns);
    return line.keys.map((key, number): KeyInText => {
      const member = members.byKey.get(key.text) ?? null;
      const facts = member ? memberFacts(member) : (onLine[number] ?? NO_FACTS);
      return { ...facts, text: key.text, form: key.form, line: at + 1, isComment: line.isComment, member };
    });
  });
  const others = new OtherKeys(keys, lines);
  for (const object of members.all) others.addObject(object);
  lines.forEach((line, at) => {
    others.addLine(line, at, columns);
  });
  const { hexKeys, records } = others;
  const readable = keys.length + hexKeys.length + records.length;
  const isMultisig = MULTISIG.test(plain);
  return { keys, hexKeys, records, isMultisig, lines: { keys: readable, ...accountOf(lines, others) } };
}

function accountOf(lines: readonly ScannedLine[], others: OtherKeys): Omit<TextLines, 'keys'> {
  const damaged: TextLines['damaged'] = [];
  let taken = 0;
  const states = lines.map((line, at): LineState => {
    const damages = [...line.damages, ...(others.damages.get(at) ?? [])];
    damaged.push(...damages.map((damage) => ({ ...damage, line: at + 1 })));
    if (damages.length > 0) return 'damaged';
    if (line.keys.length === 0 && !line.continuesKey && !others.taken.has(at))
      return line.text.trim() === '' ? 'empty' : line.isComment ? 'comment' : 'other';
    taken += 1;
    return 'taken';
  });
  return { taken, damaged, states: states.slice(0, MOST_STATES) };
}

const MOST_STATES = 1000;

/** A Coldcard's setup, Caravan's and others' JSON, and the usual path of a multisig key (BIP 48). */
const MULTISIG =
  /^\s*Policy:\s*\d+ (?:of|\/) \d+|"(?:quorum|requiredSigners)"\s*:|\/48['h]\/\d['h]\/\d+['h]\/[12]['h]/m;

/** The columns of a table, if its header is among the first lines with text. */
function tableOf(lines: readonly ScannedLine[]): Columns | null {
  const first = lines.filter(({ text }) => text.trim() !== '').slice(0, MOST_TITLES);
  for (const { text, keys } of first) {
    if (keys.length > 0) return null;
    const columns = columnsIn(text);
    if (columns) return columns;
  }
  return null;
}

/** A title, and the separator that Excel reads. */
const MOST_TITLES = 4;

interface Members {
  readonly byKey: ReadonlyMap<string, JsonObject>;
  readonly all: readonly JsonObject[];
}
const NO_MEMBERS: Members = { byKey: new Map(), all: [] };

/** Every object in parsed JSON, and the object of each text in it. */
function membersOf(values: readonly unknown[]): Members {
  const byKey = new Map<string, JsonObject>();
  const all: JsonObject[] = [];
  const visit = (value: unknown, owner: JsonObject | null, depth: number): void => {
    if (depth > DEEPEST) return;
    if (typeof value === 'string') {
      // Electrum writes the type of a key's address before it.
      if (owner) byKey.set(value.replace(/^p2\w+(?:-p2sh)?:/, ''), owner);
    } else if (Array.isArray(value)) {
      for (const one of value) visit(one, owner, depth + 1);
    } else if (typeof value === 'object' && value !== null) {
      const object = value as JsonObject;
      all.push(object);
      for (const one of Object.values(object)) visit(one, object, depth + 1);
    }
  };
  for (const value of values) visit(value, null, 0);
  return { byKey, all };
}

const DEEPEST = 50;

/** In the words of `importmulti` and `importdescriptors`, of pywallet, and of exports. */
const memberShape = z.object({
  label: z.string().optional().catch(undefined),
  timestamp: z.coerce.number().optional().catch(undefined),
  addr: z.string().optional().catch(undefined),
  address: z.string().optional().catch(undefined),
});

function memberFacts(member: JsonObject): KeyFacts {
  const { label = null, timestamp, addr, address = addr } = memberShape.parse(member);
  return {
    ...NO_FACTS,
    createTime: birthOf(timestamp),
    label,
    addresses: address === undefined ? null : [address],
  };
}

/** Key material that is no word of its own: keys in hex, encrypted keys, and scripts. */
class OtherKeys {
  readonly hexKeys: HexKey[] = [];
  readonly records: RawRecord[] = [];
  /** By the index of the line. */
  readonly damages = new Map<number, KeyDamage[]>();
  readonly taken = new Set<number>();
  /** Keys in hex that are members of JSON. */
  private readonly inJson = new Set<string>();
  private readonly known: Set<string>;

  /** The index of the line that has a text between quotation marks. */
  private readonly lineOf = once(() => {
    const found = new Map<string, number>();
    this.lines.forEach(({ text }, at) => {
      for (const [, quoted = ''] of text.matchAll(/"([^"]*)"/g))
        if (!found.has(quoted)) found.set(quoted, at);
    });
    return found;
  });

  constructor(
    keys: readonly KeyInText[],
    private readonly lines: readonly ScannedLine[],
  ) {
    const plain = keys.filter(({ form }) => form === 'private').map(({ text }) => readKeyText(text, {}));
    this.known = new Set(
      plain.flatMap((key) => (key && typeof key === 'object' ? [byteText(key.privateKey)] : [])),
    );
  }

  /** An object of pywallet (`--dumpwallet`) or of `importmulti`. */
  addObject(object: JsonObject): void {
    const found = objectShape.parse(object);
    const facts = memberFacts(object);
    const at = (text: string) => this.lineOf().get(text) ?? 0;
    const hex = found.hexsec ?? found.secret ?? privateHex(object) ?? '';
    this.inJson.add(hex);
    const raw = rawBase58(found.priv);
    // Blockchain.com writes private keys in base58 without a checksum: only their address proves them.
    if (raw !== null && facts.addresses !== null && formsFor(formsOf(raw), facts.addresses).length > 0)
      this.addHex(raw, {
        facts,
        compressed: undefined,
        addresses: facts.addresses,
        at: at(found.priv ?? ''),
      });
    if (hex !== '' && !this.hasKey(hex) && !isKey(found.sec))
      this.addHex(hex, {
        facts,
        compressed: found.compressed,
        addresses: facts.addresses ?? [],
        at: at(hex),
      });
    else if (hex === '' && found.sec && !isKey(found.sec)) {
      const index = at(found.sec);
      // The scan reports what looks like a key.
      if (this.lines[index]?.damages.length === 0) this.addDamage(index, { why: 'length', column: 1 });
    }
    const { pubkey = '', encrypted_privkey: encrypted = '' } = found;
    if (encrypted !== '') {
      const record = orNull(() => encryptedRecord(pubkey, encrypted));
      if (record === null) this.addDamage(at(encrypted), { why: 'length', column: 1 });
      else {
        this.records.push(record);
        this.taken.add(at(encrypted));
        for (const address of facts.label === null ? [] : (facts.addresses ?? []))
          this.records.push(...receivingRecords(address, facts.label ?? ''));
      }
    }
    const { encrypted_key: master = '' } = found;
    if (master !== '') {
      const record = orNull(() => masterRecord(found));
      if (record === null) this.addDamage(at(master), { why: 'length', column: 1 });
      else {
        this.records.push(record);
        this.taken.add(at(master));
      }
    }
    for (const script of [found.redeemscript, found.witnessscript])
      if (script) this.addScript(script, at(script));
  }

  /** A line of a dump that has a script, and keys in hex behind a word that calls them private. */
  addLine({ text, keys, damages }: ScannedLine, at: number, columns: Columns | null): void {
    const dumped = dumpWords(text);
    if (dumped?.has('script')) this.addScript(dumped.get('value') ?? '', at);
    else if (dumped && keys.length + damages.length === 0) this.addDamage(at, { why: 'length', column: 1 });
    for (const [, length, hex = ''] of text.matchAll(DER_KEY)) {
      if (this.hasKey(hex)) this.taken.add(at);
      else this.addHex(hex, { facts: NO_FACTS, compressed: length === '81d3', addresses: [], at });
    }
    if (dumped) return;
    for (const { 0: found, index } of text.matchAll(HEX_KEY)) {
      const hex = found.replace(/^0x/i, '');
      const before = text.slice(Math.max(0, index - 100), index);
      const cell = columns && cellsOf(text, columns.separator)[columns.key];
      const isPrivate = columns ? cell?.includes(hex) : isCalledPrivate(before);
      if (!isPrivate || this.inJson.has(hex)) continue;
      if (this.hasKey(hex)) this.taken.add(at);
      else {
        const near = this.lines.slice(Math.max(0, at - 3), at + 4).flatMap((line) => wordsOf(line.text));
        this.addHex(hex, { facts: NO_FACTS, compressed: undefined, addresses: near, at, isNear: true });
      }
    }
  }

  private hasKey(hex: string): boolean {
    return HEX_64.test(hex) && this.known.has(byteText(hexToBytes(hex)));
  }

  /** `isNear`: the addresses may belong to other keys. */
  private addHex(
    hex: string,
    of: {
      facts: KeyFacts;
      compressed: boolean | undefined;
      addresses: readonly string[];
      at: number;
      isNear?: boolean;
    },
  ): void {
    const forms = formsOf(hex);
    const fitting = formsFor(forms, of.addresses);
    const isUnknown = of.addresses.length === 0 || (of.isNear === true && fitting.length === 0);
    // Without an address, both forms: an extra key does no harm.
    const keys = isUnknown
      ? forms.filter((key) => key.compressed === (of.compressed ?? key.compressed))
      : fitting;
    if (keys.length === 0)
      this.addDamage(of.at, { why: forms.length === 0 ? 'length' : 'address', column: 1 });
    else {
      this.taken.add(of.at);
      this.hexKeys.push(...keys.map((key) => ({ ...of.facts, key })));
      for (const { privateKey } of keys) this.known.add(byteText(privateKey));
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
}

/** The start of a private key in DER, as old wallets store it: of a compressed or an uncompressed public key. */
const DER_KEY = /30(81d3|820113)0201010420([0-9a-f]{64})/gi;
/** By the last word that says what it is. */
function isCalledPrivate(before: string): boolean {
  const [last = ''] = before.match(/priv|secret|wif|\bpub|\bhash|txid/gi)?.slice(-1) ?? [];
  return PRIVATE.test(last);
}

const HEX_64 = /^[0-9a-f]{64}$/i;
const HEX_KEY = /(?<![0-9a-z])(?:0x)?[0-9a-f]{64}(?![0-9a-z])/gi;
const PRIVATE = /priv|secret|wif/i;

const optionalText = z.string().optional().catch(undefined);
const objectShape = z.object({
  sec: optionalText,
  secret: optionalText,
  hexsec: optionalText,
  priv: optionalText,
  compressed: z.boolean().optional().catch(undefined),
  pubkey: optionalText,
  encrypted_privkey: optionalText,
  encrypted_key: optionalText,
  salt: optionalText,
  nDerivationIterations: z.number().optional().catch(undefined),
  nID: z.number().optional().catch(undefined),
  redeemscript: optionalText,
  witnessscript: optionalText,
});

/** A member of another program’s JSON that calls itself private. */
function privateHex(object: JsonObject): string | null {
  const found = Object.entries(object).find(
    ([name, value]) => PRIVATE.test(name) && !/pub|encrypt/i.test(name) && HEX_64.test(String(value)),
  );
  return found ? String(found[1]) : null;
}

function formsOf(hex: string): PrivateKey[] {
  return [true, false].flatMap((form) => readHexKey(hex, form) ?? []);
}

/** In hex. */
function rawBase58(text = ''): string | null {
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text) ? orNull(() => base58.decode(text)) : null;
  return bytes?.length === 32 ? bytesToHex(bytes) : null;
}

function isKey(text: string | undefined): boolean {
  return text !== undefined && text !== '' && readKeyText(text, {}) !== null;
}

/** Throws for a public key or an encrypted key of another length. */
function encryptedRecord(publicKey: string, encrypted: string): RawRecord {
  const [bytes, secret] = [hexToBytes(publicKey), hexToBytes(encrypted)];
  if (![33, 65].includes(bytes.length) || secret.length !== 48) throw new RangeError();
  return writeRecord({ type: 'ckey', publicKey: bytes, encrypted: secret, checksum: null });
}

/** Throws for fields of another length. */
function masterRecord(found: z.infer<typeof objectShape>): RawRecord {
  const encrypted = hexToBytes(found.encrypted_key ?? '');
  const salt = hexToBytes(found.salt ?? '');
  if (encrypted.length !== 48 || salt.length !== 8) throw new RangeError();
  return writeRecord({
    ...{ type: 'mkey', id: found.nID ?? 1, encrypted, salt, derivationMethod: 0 },
    iterations: found.nDerivationIterations ?? 25_000,
    otherParameters: new Uint8Array(),
  });
}

/** The forms of a key, compressed or not, that have one of the addresses. */
function formsFor(forms: readonly PrivateKey[], addresses: readonly string[]): PrivateKey[] {
  const hashes = new Set(addresses.flatMap((address) => hashesIn(address)));
  return forms.filter((key) => {
    const hash = quickHash160(makeStoredKey(key).publicKey);
    return hashes.has(hash) || (key.compressed && hashes.has(nestedHash(hash)));
  });
}
