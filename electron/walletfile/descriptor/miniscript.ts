/** Reads the text of a Miniscript (BIP 379), and writes it as Bitcoin Core does. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { type DescriptorKey, type Fragment, fold, type Miniscript, wrappers } from './descriptor.ts';

/** A position in a text. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Skips a text if it is next. */
export function skip(cursor: Cursor, text: string): boolean {
  if (!cursor.text.startsWith(text, cursor.at)) return false;
  cursor.at += text.length;
  return true;
}

/** Reads up to the comma or closing bracket of the enclosing expression. */
export function readArgument(cursor: Cursor): string {
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

interface ReadContext {
  readonly cursor: Cursor;
  /** Throws for a wrong key. */
  readonly readKey: (text: string) => DescriptorKey;
  /** The error for other text. */
  readonly fault: () => Error;
  readonly tapscript: boolean;
}

/** A fragment whose parts are not complete. */
interface OpenFragment {
  readonly letters: string;
  /** The fragment with the parts read so far. */
  readonly node: Miniscript;
  /** The number of parts; infinity for any number. */
  readonly parts: number;
}

/** Reads the whole text. Keeps open fragments in a list, because recursion would overflow the stack on some spendable scripts. */
export function readMiniscript(text: string, how: Omit<ReadContext, 'cursor'>): Miniscript {
  const context = { ...how, cursor: { text, at: 0 } };
  const open: OpenFragment[] = [];
  for (;;) {
    open.push(openFragment(context));
    for (let last = open.at(-1); last && isFull(last, context); last = open.at(-1)) {
      const node = closeFragment(last, context);
      open.pop();
      const around = open.at(-1);
      if (around) around.node.subs.push(node);
      else if (context.cursor.at === text.length) return node;
      else throw how.fault();
    }
  }
}

function openFragment(context: ReadContext): OpenFragment {
  const { cursor, fault } = context;
  const [, letters = ''] = take(cursor, /([a-z]+):/y) ?? [];
  if (!/^[asctdvjnlu]*$/.test(letters) || letters.includes('vv')) throw fault();
  if (skip(cursor, '0')) return { letters, node: fragmentOf('0'), parts: 0 };
  if (skip(cursor, '1')) return { letters, node: fragmentOf('1'), parts: 0 };
  const [, name = ''] = take(cursor, /([a-z_0-9]+)\(/y) ?? [];
  const isShort = name === 'pk' || name === 'pkh';
  return { letters: isShort ? `${letters}c` : letters, ...readArguments(context, name) };
}

/** Whether all parts are read. Skips the comma before the next part. */
function isFull({ node, parts }: OpenFragment, { cursor, fault }: ReadContext): boolean {
  if (parts === Number.POSITIVE_INFINITY) return !skip(cursor, ',');
  if (node.subs.length === parts) return true;
  if (node.subs.length > 0 && !skip(cursor, ',')) throw fault();
  return false;
}

function closeFragment({ letters, node, parts }: OpenFragment, { cursor, fault }: ReadContext): Miniscript {
  const { fragment, number, subs } = node;
  if (fragment !== '0' && fragment !== '1' && !skip(cursor, ')')) throw fault();
  if (fragment === 'thresh' && number > subs.length) throw fault();
  if (fragment === 'andor' && parts === 2) subs.push(fragmentOf('0'));
  return [...letters].reduceRight((inner, letter) => wrap(letter, inner), node);
}

function wrap(letter: string, node: Miniscript): Miniscript {
  if (letter === 't') return fragmentOf('and_v', { subs: [node, fragmentOf('1')] });
  if (letter === 'l') return fragmentOf('or_i', { subs: [fragmentOf('0'), node] });
  if (letter === 'u') return fragmentOf('or_i', { subs: [node, fragmentOf('0')] });
  const wrapper = wrappers.find((one) => one === letter) ?? 'a';
  return fragmentOf(wrapper, { subs: [node] });
}

/** Reads the arguments that are not fragments. */
function readArguments(context: ReadContext, name: string): Pick<OpenFragment, 'node' | 'parts'> {
  const { cursor, fault, readKey, tapscript } = context;
  const alone = (node: Miniscript) => ({ node, parts: 0 });
  switch (name) {
    case 'pk':
    case 'pk_k':
      return alone(fragmentOf('pk_k', { keys: [readKey(readArgument(cursor))] }));
    case 'pkh':
    case 'pk_h':
      return alone(fragmentOf('pk_h', { keys: [readKey(readArgument(cursor))] }));
    case 'older':
    case 'after':
      return alone(fragmentOf(name, { number: readNumber(context, 2 ** 31 - 1) }));
    case 'sha256':
    case 'hash256':
    case 'ripemd160':
    case 'hash160':
      return alone(fragmentOf(name, { hash: readHash(context, name.endsWith('160') ? 20 : 32) }));
    case 'thresh':
      return {
        node: fragmentOf(name, { number: readNumber(context, 2 ** 31 - 1) }),
        parts: Number.POSITIVE_INFINITY,
      };
    case 'multi':
    case 'multi_a': {
      const number = readNumber(context, MAX_KEYS[name]);
      const keys: DescriptorKey[] = [];
      while (skip(cursor, ',')) keys.push(readKey(readArgument(cursor)));
      const stands = tapscript === (name === 'multi_a');
      if (!stands || number > keys.length || keys.length > MAX_KEYS[name]) throw fault();
      return alone(fragmentOf(name, { number, keys }));
    }
    case 'and_v':
    case 'and_b':
    case 'or_b':
    case 'or_c':
    case 'or_d':
    case 'or_i':
      return { node: fragmentOf(name), parts: 2 };
    case 'and_n':
      return { node: fragmentOf('andor'), parts: 2 };
    case 'andor':
      return { node: fragmentOf(name), parts: 3 };
    default:
      throw fault();
  }
}

/** `MAX_PUBKEYS_PER_MULTISIG` and `MAX_PUBKEYS_PER_MULTI_A` of `script.h`. */
export const MAX_KEYS = { multi: 20, multi_a: 999 } as const;

function readNumber({ cursor, fault }: ReadContext, most: number): number {
  const [digits] = take(cursor, /\d{1,19}(?=[,)])/y) ?? [];
  const number = Number(digits ?? 0);
  if (number < 1 || number > most) throw fault();
  return number;
}

function readHash({ cursor, fault }: ReadContext, size: 20 | 32): Uint8Array {
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

function fragmentOf(fragment: Fragment, parts: Partial<Omit<Miniscript, 'fragment'>> = {}): Miniscript {
  return { fragment, number: 0, keys: [], hash: NO_HASH, subs: [], ...parts };
}

const NO_HASH = new Uint8Array();

/** Writes a Miniscript with all short forms. */
export function writeMiniscript(node: Miniscript, writeKey: (key: DescriptorKey) => string): string {
  return textOf(fold<FragmentText>(node, (one, parts) => fragmentText(one, parts, writeKey)));
}

interface FragmentText {
  readonly letters: string;
  readonly body: string;
}

function textOf({ letters, body }: FragmentText): string {
  return letters === '' ? body : `${letters}:${body}`;
}

function fragmentText(
  { fragment, number, keys, hash, subs }: Miniscript,
  parts: readonly FragmentText[],
  writeKey: (key: DescriptorKey) => string,
): FragmentText {
  const [x, y, z] = subs;
  const [first, second] = parts;
  const around = (letter: string, { letters, body }: FragmentText) => ({ letters: letter + letters, body });
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
