/** The text of a Miniscript (BIP 379): read, and written the way Bitcoin Core writes it. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type DescriptorKey, type Fragment, type Miniscript, wrappers } from './descriptor.ts';

/** Where reading is in a text. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Steps past a text if it stands here. */
export function takes(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Steps to the comma or closing bracket that belongs to what is around it, and gives the text up to there. */
export function takeArgument(cursor: Cursor): string {
  const { text, at: from } = cursor;
  let level = 0;
  for (; cursor.at < text.length; cursor.at += 1) {
    const character = text.charAt(cursor.at);
    if (character === '(' || character === '{') level += 1;
    else if (character === ')' || character === '}' || character === ',') {
      if (level === 0) break;
      if (character !== ',') level -= 1;
    }
  }
  return text.slice(from, cursor.at);
}

interface Reading {
  readonly cursor: Cursor;
  /** Throws what is wrong with a key. */
  readonly readKey: (text: string) => DescriptorKey;
  /** What is thrown for text that is no Miniscript, or nested deeper than any that can be spent. */
  readonly fault: () => Error;
  readonly tapscript: boolean;
}

/** Reads the whole text. */
export function readMiniscript(text: string, how: Omit<Reading, 'cursor'>): Miniscript {
  const reading = { ...how, cursor: { text, at: 0 } };
  const node = readNode(reading, 0);
  if (reading.cursor.at < text.length) throw how.fault();
  return node;
}

/** Each takes room on the stack of this program, and most on the script's, which has 1,000 places. */
const MOST_LEVELS = 2000;

function readNode(reading: Reading, level: number): Miniscript {
  const { cursor, fault } = reading;
  if (level > MOST_LEVELS) throw fault();
  const [, letters = ''] = take(cursor, /([a-z]+):/y) ?? [];
  if (!/^[asctdvjnlu]*$/.test(letters) || letters.includes('vv')) throw fault();
  const inner = readFunction(reading, level + letters.length);
  return [...letters].reduceRight((node, letter) => wrapped(letter, node), inner);
}

function wrapped(letter: string, node: Miniscript): Miniscript {
  if (letter === 't') return made('and_v', { subs: [node, made('1')] });
  if (letter === 'l') return made('or_i', { subs: [made('0'), node] });
  if (letter === 'u') return made('or_i', { subs: [node, made('0')] });
  const wrapper = wrappers.find((one) => one === letter) ?? 'a';
  return made(wrapper, { subs: [node] });
}

function readFunction(reading: Reading, level: number): Miniscript {
  const { cursor, fault } = reading;
  if (takes(cursor, '0')) return made('0');
  if (takes(cursor, '1')) return made('1');
  const [, name = ''] = take(cursor, /([a-z_0-9]+)\(/y) ?? [];
  const node = readArguments(reading, level, name);
  if (!takes(cursor, ')')) throw fault();
  return node;
}

function readArguments(reading: Reading, level: number, name: string): Miniscript {
  const { cursor, fault, readKey, tapscript } = reading;
  switch (name) {
    case 'pk':
    case 'pkh': {
      const keys = [readKey(takeArgument(cursor))];
      return made('c', { subs: [made(name === 'pk' ? 'pk_k' : 'pk_h', { keys })] });
    }
    case 'pk_k':
    case 'pk_h':
      return made(name, { keys: [readKey(takeArgument(cursor))] });
    case 'older':
    case 'after':
      return made(name, { number: readNumber(reading, 2 ** 31 - 1) });
    case 'sha256':
    case 'hash256':
    case 'ripemd160':
    case 'hash160':
      return made(name, { hash: readHash(reading, name.endsWith('160') ? 20 : 32) });
    case 'thresh': {
      const number = readNumber(reading, 2 ** 31 - 1);
      const subs: Miniscript[] = [];
      while (takes(cursor, ',')) subs.push(readNode(reading, level + 1));
      if (number > subs.length) throw fault();
      return made(name, { number, subs });
    }
    case 'multi':
    case 'multi_a': {
      const number = readNumber(reading, MOST_KEYS[name]);
      const keys: DescriptorKey[] = [];
      while (takes(cursor, ',')) keys.push(readKey(takeArgument(cursor)));
      const stands = tapscript === (name === 'multi_a');
      if (!stands || number > keys.length || keys.length > MOST_KEYS[name]) throw fault();
      return made(name, { number, keys });
    }
    case 'and_v':
    case 'and_b':
    case 'or_b':
    case 'or_c':
    case 'or_d':
    case 'or_i':
      return made(name, { subs: readSubs(reading, level, 2) });
    case 'andor':
      return made(name, { subs: readSubs(reading, level, 3) });
    case 'and_n':
      return made('andor', { subs: [...readSubs(reading, level, 2), made('0')] });
    default:
      throw fault();
  }
}

function readSubs(reading: Reading, level: number, count: number): Miniscript[] {
  const subs: Miniscript[] = [];
  while (subs.length < count) {
    if (subs.length > 0 && !takes(reading.cursor, ',')) throw reading.fault();
    subs.push(readNode(reading, level + 1));
  }
  return subs;
}

/** `MAX_PUBKEYS_PER_MULTISIG` and `MAX_PUBKEYS_PER_MULTI_A` of `script.h`. */
export const MOST_KEYS = { multi: 20, multi_a: 999 } as const;

function readNumber({ cursor, fault }: Reading, most: number): number {
  const [digits] = take(cursor, /\d{1,19}(?=[,)])/y) ?? [];
  const number = Number(digits ?? 0);
  if (number < 1 || number > most) throw fault();
  return number;
}

function readHash({ cursor, fault }: Reading, size: 20 | 32): Uint8Array {
  const [hex] = take(cursor, size === 20 ? /[0-9a-fA-F]{40}(?=\))/y : /[0-9a-fA-F]{64}(?=\))/y) ?? [];
  if (hex === undefined) throw fault();
  return hexToBytes(hex);
}

/** What a pattern with the flag y finds here; steps past it. */
function take(cursor: Cursor, pattern: RegExp): RegExpExecArray | null {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found) cursor.at = pattern.lastIndex;
  return found;
}

function made(fragment: Fragment, parts: Partial<Omit<Miniscript, 'fragment'>> = {}): Miniscript {
  return { fragment, number: 0, keys: [], hash: NO_HASH, subs: [], ...parts };
}

const NO_HASH = new Uint8Array();

/** With the short forms that there are. */
export function writeMiniscript(node: Miniscript, writeKey: (key: DescriptorKey) => string): string {
  const { letters, body } = written(node, writeKey);
  return letters === '' ? body : `${letters}:${body}`;
}

interface Written {
  readonly letters: string;
  readonly body: string;
}

function written(
  { fragment, number, keys, hash, subs }: Miniscript,
  writeKey: (key: DescriptorKey) => string,
): Written {
  const [x, y, z] = subs;
  const around = (letter: string, inner: Miniscript): Written => {
    const { letters, body } = written(inner, writeKey);
    return { letters: letter + letters, body };
  };
  if (fragment === 'c' && (x?.fragment === 'pk_k' || x?.fragment === 'pk_h')) {
    return { letters: '', body: `${x.fragment === 'pk_k' ? 'pk' : 'pkh'}(${x.keys.map(writeKey).join('')})` };
  }
  if (x && subs.length === 1 && fragment !== 'thresh') return around(fragment, x);
  if (x && fragment === 'and_v' && y?.fragment === '1') return around('t', x);
  if (y && fragment === 'or_i' && x?.fragment === '0') return around('l', y);
  if (x && fragment === 'or_i' && y?.fragment === '0') return around('u', x);
  if (fragment === '0' || fragment === '1') return { letters: '', body: fragment };
  const nothing = fragment === 'andor' && z?.fragment === '0';
  const inside = [
    ...(number > 0 ? [number] : []),
    ...(hash.length > 0 ? [bytesToHex(hash)] : []),
    ...keys.map(writeKey),
    ...(nothing ? subs.slice(0, 2) : subs).map((sub) => writeMiniscript(sub, writeKey)),
  ];
  return { letters: '', body: `${nothing ? 'and_n' : fragment}(${inside.join(',')})` };
}
