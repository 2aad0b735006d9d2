/** Reads the text of a Miniscript (BIP 379), and writes it as Bitcoin Core does. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type DescriptorKey, type Fragment, fold, type Miniscript, wrappers } from './descriptor.ts';

/** A position in a text. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Skips a text if it is next. */
export function takes(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Reads up to the comma or closing bracket of the enclosing expression. */
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
  /** Throws for a wrong key. */
  readonly readKey: (text: string) => DescriptorKey;
  /** The error for other text. */
  readonly fault: () => Error;
  readonly tapscript: boolean;
}

/** A fragment whose parts are not complete. */
interface Begun {
  readonly letters: string;
  /** The fragment with the parts read so far. */
  readonly node: Miniscript;
  /** The number of parts; infinity for any number. */
  readonly parts: number;
}

/** Reads the whole text. Keeps open fragments in a list, because recursion would overflow the stack on some spendable scripts. */
export function readMiniscript(text: string, how: Omit<Reading, 'cursor'>): Miniscript {
  const reading = { ...how, cursor: { text, at: 0 } };
  const begun: Begun[] = [];
  for (;;) {
    begun.push(begin(reading));
    for (let last = begun.at(-1); last && isFull(last, reading); last = begun.at(-1)) {
      const node = end(last, reading);
      begun.pop();
      const around = begun.at(-1);
      if (around) around.node.subs.push(node);
      else if (reading.cursor.at === text.length) return node;
      else throw how.fault();
    }
  }
}

function begin(reading: Reading): Begun {
  const { cursor, fault } = reading;
  const [, letters = ''] = take(cursor, /([a-z]+):/y) ?? [];
  if (!/^[asctdvjnlu]*$/.test(letters) || letters.includes('vv')) throw fault();
  if (takes(cursor, '0')) return { letters, node: made('0'), parts: 0 };
  if (takes(cursor, '1')) return { letters, node: made('1'), parts: 0 };
  const [, name = ''] = take(cursor, /([a-z_0-9]+)\(/y) ?? [];
  const isShort = name === 'pk' || name === 'pkh';
  return { letters: isShort ? `${letters}c` : letters, ...readArguments(reading, name) };
}

/** Whether all parts are read. Skips the comma before the next part. */
function isFull({ node, parts }: Begun, { cursor, fault }: Reading): boolean {
  if (parts === Number.POSITIVE_INFINITY) return !takes(cursor, ',');
  if (node.subs.length === parts) return true;
  if (node.subs.length > 0 && !takes(cursor, ',')) throw fault();
  return false;
}

function end({ letters, node, parts }: Begun, { cursor, fault }: Reading): Miniscript {
  const { fragment, number, subs } = node;
  if (fragment !== '0' && fragment !== '1' && !takes(cursor, ')')) throw fault();
  if (fragment === 'thresh' && number > subs.length) throw fault();
  if (fragment === 'andor' && parts === 2) subs.push(made('0'));
  return [...letters].reduceRight((inner, letter) => wrapped(letter, inner), node);
}

function wrapped(letter: string, node: Miniscript): Miniscript {
  if (letter === 't') return made('and_v', { subs: [node, made('1')] });
  if (letter === 'l') return made('or_i', { subs: [made('0'), node] });
  if (letter === 'u') return made('or_i', { subs: [node, made('0')] });
  const wrapper = wrappers.find((one) => one === letter) ?? 'a';
  return made(wrapper, { subs: [node] });
}

/** Reads the arguments that are not fragments. */
function readArguments(reading: Reading, name: string): Pick<Begun, 'node' | 'parts'> {
  const { cursor, fault, readKey, tapscript } = reading;
  const alone = (node: Miniscript) => ({ node, parts: 0 });
  switch (name) {
    case 'pk':
    case 'pk_k':
      return alone(made('pk_k', { keys: [readKey(takeArgument(cursor))] }));
    case 'pkh':
    case 'pk_h':
      return alone(made('pk_h', { keys: [readKey(takeArgument(cursor))] }));
    case 'older':
    case 'after':
      return alone(made(name, { number: readNumber(reading, 2 ** 31 - 1) }));
    case 'sha256':
    case 'hash256':
    case 'ripemd160':
    case 'hash160':
      return alone(made(name, { hash: readHash(reading, name.endsWith('160') ? 20 : 32) }));
    case 'thresh':
      return {
        node: made(name, { number: readNumber(reading, 2 ** 31 - 1) }),
        parts: Number.POSITIVE_INFINITY,
      };
    case 'multi':
    case 'multi_a': {
      const number = readNumber(reading, MOST_KEYS[name]);
      const keys: DescriptorKey[] = [];
      while (takes(cursor, ',')) keys.push(readKey(takeArgument(cursor)));
      const stands = tapscript === (name === 'multi_a');
      if (!stands || number > keys.length || keys.length > MOST_KEYS[name]) throw fault();
      return alone(made(name, { number, keys }));
    }
    case 'and_v':
    case 'and_b':
    case 'or_b':
    case 'or_c':
    case 'or_d':
    case 'or_i':
      return { node: made(name), parts: 2 };
    case 'and_n':
      return { node: made('andor'), parts: 2 };
    case 'andor':
      return { node: made(name), parts: 3 };
    default:
      throw fault();
  }
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

/** Reads a match of a pattern, which has the flag y. */
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

/** Writes a Miniscript with all short forms. */
export function writeMiniscript(node: Miniscript, writeKey: (key: DescriptorKey) => string): string {
  return textOf(fold<Written>(node, (one, parts) => written(one, parts, writeKey)));
}

interface Written {
  readonly letters: string;
  readonly body: string;
}

function textOf({ letters, body }: Written): string {
  return letters === '' ? body : `${letters}:${body}`;
}

function written(
  { fragment, number, keys, hash, subs }: Miniscript,
  parts: readonly Written[],
  writeKey: (key: DescriptorKey) => string,
): Written {
  const [x, y, z] = subs;
  const [first, second] = parts;
  const around = (letter: string, { letters, body }: Written) => ({ letters: letter + letters, body });
  if (fragment === 'c' && (x?.fragment === 'pk_k' || x?.fragment === 'pk_h')) {
    return { letters: '', body: `${x.fragment === 'pk_k' ? 'pk' : 'pkh'}(${x.keys.map(writeKey).join('')})` };
  }
  if (first && parts.length === 1 && fragment !== 'thresh') return around(fragment, first);
  if (first && fragment === 'and_v' && y?.fragment === '1') return around('t', first);
  if (second && fragment === 'or_i' && x?.fragment === '0') return around('l', second);
  if (first && fragment === 'or_i' && y?.fragment === '0') return around('u', first);
  if (fragment === '0' || fragment === '1') return { letters: '', body: fragment };
  const nothing = fragment === 'andor' && z?.fragment === '0';
  const inside = [
    ...(number > 0 ? [number] : []),
    ...(hash.length > 0 ? [bytesToHex(hash)] : []),
    ...keys.map(writeKey),
    ...(nothing ? parts.slice(0, 2) : parts).map(textOf),
  ];
  return { letters: '', body: `${nothing ? 'and_n' : fragment}(${inside.join(',')})` };
}
