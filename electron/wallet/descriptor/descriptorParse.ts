/** Reads the text of an output descriptor (BIP 380 to 386) by the rules and limits of Bitcoin Core. */
import { hexToBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { orNull } from '../bytes/once.ts';
import { scriptOfAddress } from '../script/address.ts';
import { withoutChecksum } from './checksum.ts';
import {
  type Descriptor,
  descriptorError,
  type KeyExpression,
  type PrivateKeys,
  type ScriptExpression,
  UnsupportedDescriptor,
} from './descriptor.ts';
import { isHex, readKey } from './descriptorKey.ts';

interface ParseOptions {
  /** Whose keys and addresses the text holds. */
  network: Network;
  /** Whether a missing checksum is an error. A wrong one always is. Default `optional`. */
  checksum?: 'required' | 'optional';
}

interface ParsedDescriptor {
  descriptor: Descriptor;
  /** The private keys that the text held; empty for a public descriptor. */
  privateKeys: PrivateKeys;
}

/**
 * Reads pk, pkh, wpkh, sh, wsh, combo, multi, sortedmulti, tr (key path), rawtr, raw, addr and unused. Throws AppError
 * `bad_input` that says what is wrong and where, and never quotes the text; `UnsupportedDescriptor` for
 * what is right for Bitcoin Core and not read here (Miniscript, script trees, musig, several paths in one).
 */
export function parseDescriptor(
  text: string,
  { network, checksum = 'optional' }: ParseOptions,
): ParsedDescriptor {
  const privateKeys = new Map<string, Uint8Array>();
  if (text.length > LONGEST_TEXT) throw descriptorError(say('The descriptor is too long.'));
  const body = withoutChecksum(text, checksum);
  const script = parseScript(body, { network, outer: [], privateKeys });
  return { descriptor: { network, script }, privateKeys };
}

/** Whether `parseDescriptor` reads the text. */
export function isDescriptor(text: string, options: ParseOptions): boolean {
  return orNull(() => parseDescriptor(text, options)) !== null;
}

type FunctionName = ScriptExpression['kind'];

interface Context {
  network: Network;
  /** The functions around this place, outermost first: none, sh, wsh, or sh and wsh. */
  outer: readonly FunctionName[];
  privateKeys: Map<string, Uint8Array>;
}

/** Inside which function each may stand; null is the top. */
const allowedInside: Record<FunctionName, readonly (FunctionName | null)[]> = {
  pk: [null, 'sh', 'wsh'],
  pkh: [null, 'sh', 'wsh'],
  multi: [null, 'sh', 'wsh'],
  sortedmulti: [null, 'sh', 'wsh'],
  wpkh: [null, 'sh'],
  wsh: [null, 'sh'],
  sh: [null],
  combo: [null],
  unused: [null],
  tr: [null],
  rawtr: [null],
  raw: [null],
  addr: [null],
};

/** Characters. Twenty keys with the longest paths and origins take 130,000, a script that can be spent 20,000. */
const LONGEST_TEXT = 4_000_000;
const MAX_KEYS = 20;
const MAX_BARE_KEYS = 3;
/** Bytes of the largest item that a script may push, and so of a redeem script. */
const MAX_PUSH = 520;

function parseScript(text: string, context: Context): ScriptExpression {
  const [expression, rest] = takeExpression(text);
  if (rest !== '') throw fault(context, say('there is text after the end'));
  const [, name = '', body = ''] = /^([^(]*)\((.*)\)$/s.exec(expression) ?? [];
  if (!isFunctionName(name)) throw unknownFunction(name, context);
  if (!allowedInside[name].includes(context.outer.at(-1) ?? null)) {
    throw fault(context, say('{function}() cannot stand here', { function: name }));
  }
  const inside: Context = { ...context, outer: [...context.outer, name] };
  switch (name) {
    case 'multi':
    case 'sortedmulti':
      return parseMultisig(name, body, inside);
    case 'sh':
    case 'wsh':
      return { kind: name, inner: parseScript(body, inside) };
    case 'raw':
      if (!isHex(body)) throw fault(inside, say('the script is not in hex'));
      return { kind: name, scriptPubKey: hexToBytes(body) };
    case 'addr':
      return { kind: name, scriptPubKey: scriptOfAddress(body, context.network) };
    case 'tr': {
      const [key, tree] = takeExpression(body);
      if (tree !== '') {
        throw new UnsupportedDescriptor(say('In tr(): script trees are not supported.'));
      }
      return { kind: name, key: parseKey(key, inside) };
    }
    default:
      return { kind: name, key: parseKey(body, inside) };
  }
}

function parseMultisig(kind: 'multi' | 'sortedmulti', body: string, context: Context): ScriptExpression {
  const [threshold, ...rest] = splitArguments(body, context);
  const required = Number(threshold);
  if (!/^\d{1,9}$/.test(threshold ?? '') || required < 1)
    throw fault(context, say('the number of signatures is not valid'));
  const outer = context.outer.at(-2);
  const most = outer === undefined ? MAX_BARE_KEYS : MAX_KEYS;
  if (rest.length === 0 || rest.length > most)
    throw fault(context, say('there are {keys} keys; 1 to {most} are allowed', { keys: rest.length, most }));
  if (required > rest.length) {
    const words = { signatures: required, keys: rest.length };
    throw fault(
      context,
      say('{signatures} signatures are needed of {keys, plural, one {# key} other {# keys}}', words),
    );
  }
  const keys = rest.map((key, place) => parseKey(key, context, place + 1));
  if (outer === 'sh') {
    const size = keys.reduce(
      (sum, { key }) => sum + 1 + (key.kind === 'single' ? key.publicKey.length : 33),
      3,
    );
    if (size > MAX_PUSH) {
      throw fault(context, say('the script has {size} bytes; {most} are allowed', { size, most: MAX_PUSH }));
    }
  }
  return { kind, threshold: required, keys };
}

function parseKey(text: string, { network, outer, privateKeys }: Context, place?: number): KeyExpression {
  const taproot = outer.includes('tr') || outer.includes('rawtr');
  return readKey(text, {
    network,
    privateKeys,
    uncompressed: !taproot && !outer.includes('wpkh') && !outer.includes('wsh'),
    xOnly: taproot,
    where: () =>
      place === undefined
        ? nested(outer)
        : say('{function}, key {number}', { function: nested(outer), number: place }),
  });
}

/** The text up to the comma or closing bracket that belongs to what is around it, and the rest from there. */
function takeExpression(text: string): [expression: string, rest: string] {
  let level = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '(' || character === '{') level += 1;
    else if (character === ')' || character === '}' || character === ',') {
      if (level === 0) return [text.slice(0, at), text.slice(at)];
      if (character !== ',') level -= 1;
    }
  }
  return [text, ''];
}

function splitArguments(text: string, context: Context): string[] {
  const found: string[] = [];
  let rest = `,${text}`;
  while (rest !== '') {
    if (!rest.startsWith(',')) throw fault(context, say('a comma is missing'));
    const [argument, after] = takeExpression(rest.slice(1));
    found.push(argument);
    rest = after;
  }
  return found;
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(allowedInside, name);
}

/** Functions of Miniscript, taproot leaves and key aggregation: right, but not read here. */
const unsupported = new Set(
  `and_v and_b and_n andor or_b or_c or_d or_i thresh older after sha256 hash256 ripemd160 hash160 pk_k pk_h
   multi_a sortedmulti_a`.split(/\s+/),
);

function unknownFunction(name: string, context: Context): Error {
  const bare = name.replace(/^[a-z]+:/, '');
  if (context.outer.at(-1) === 'wsh' && (unsupported.has(bare) || bare !== name)) {
    return new UnsupportedDescriptor(
      say('In {function}: Miniscript is not supported.', { function: nested(context.outer) }),
    );
  }
  return fault(context, say('the function is not known'));
}

function fault({ outer }: Context, what: string): Error {
  return descriptorError(
    outer.length === 0
      ? say('In the descriptor: {fault}.', { fault: what })
      : say('In {function}: {fault}.', { function: nested(outer), fault: what }),
  );
}

/** `sh(wsh(multi()))` of the functions around a place. */
function nested(outer: readonly FunctionName[]): string {
  return outer.reduceRight((inner, name) => `${name}(${inner})`, '');
}
