/** Reads the text of an output descriptor (BIP 379 to 390) by the rules and limits of Bitcoin Core. */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import type { Network } from '../../../shared/model/network.ts';
import { orNull } from '../bytes/once.ts';
import { scriptOfAddress } from '../script/address.ts';
import { withoutChecksum } from './checksum.ts';
import {
  type Descriptor,
  type DescriptorKey,
  descriptorError,
  type MultisigKind,
  type PrivateKeys,
  type ScriptExpression,
  type TaprootTree,
} from './descriptor.ts';
import { publicKeyDeriver } from './descriptorExpand.ts';
import { isHex, readKey } from './descriptorKey.ts';
import { type Cursor, MAX_KEYS, readArgument, readMiniscript, skip } from './miniscript.ts';
import { isSane } from './miniscriptLimits.ts';

interface ParseOptions {
  /** The network of the text's keys and addresses. */
  network: Network;
  /** Whether a missing checksum is an error. A wrong one always is. Default `optional`. */
  checksum?: 'required' | 'optional';
}

interface ParsedDescriptor {
  descriptor: Descriptor;
  /** The private keys in the text; empty for a public descriptor. */
  privateKeys: PrivateKeys;
}

/**
 * Parses every descriptor that Bitcoin Core accepts, except multipath ones (BIP 389). Throws `bad_input` with the fault and its
 * position, and never quotes the text.
 */
export function parseDescriptor(
  text: string,
  { network, checksum = 'optional' }: ParseOptions,
): ParsedDescriptor {
  const privateKeys = new Map<string, Uint8Array>();
  if (text.length > MAX_TEXT_LENGTH) throw descriptorError({ code: 'descriptor_too_long' });
  const body = withoutChecksum(text, checksum);
  const script = parseScript(body, { network, outer: [], privateKeys });
  return { descriptor: { network, script }, privateKeys };
}

/** Whether `parseDescriptor` reads the text. */
export function isDescriptor(text: string, options: ParseOptions): boolean {
  return orNull(() => parseDescriptor(text, options)) !== null;
}

type FunctionName = Exclude<ScriptExpression['kind'], 'miniscript'>;

interface Context {
  network: Network;
  /** The enclosing functions, outermost first: none, sh, wsh, or sh and wsh. */
  outer: readonly FunctionName[];
  privateKeys: Map<string, Uint8Array>;
}

/** The functions that may enclose each; null is the top. In `wsh` and `tr`, everything else is Miniscript. */
const allowedInside: Record<FunctionName, readonly (FunctionName | null)[]> = {
  pk: [null, 'sh', 'wsh', 'tr'],
  pkh: [null, 'sh', 'wsh'],
  multi: [null, 'sh', 'wsh'],
  sortedmulti: [null, 'sh', 'wsh'],
  multi_a: ['tr'],
  sortedmulti_a: ['tr'],
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
const MAX_TEXT_LENGTH = 4_000_000;
const MAX_BARE_KEYS = 3;
/** Bytes of the largest push in a script, and so of a redeem script. */
const MAX_PUSH = 520;

function parseScript(text: string, context: Context): ScriptExpression {
  const cursor = { text, at: 0 };
  const expression = readArgument(cursor);
  if (cursor.at < text.length) throw fault(context, { code: 'text_after_end' });
  const around = context.outer.at(-1) ?? null;
  const [, name = '', body = ''] = /^([^(]*)\((.*)\)$/s.exec(expression) ?? [];
  const isKnown = isFunctionName(name) && !(around === 'tr' && name === 'pkh');
  if (!isKnown && (around === 'wsh' || around === 'tr')) return parseMiniscript(expression, context);
  if (!isFunctionName(name)) throw fault(context, { code: 'function_unknown' });
  if (!allowedInside[name].includes(around))
    throw fault(context, { code: 'function_not_allowed', function: name });
  const inside: Context = { ...context, outer: [...context.outer, name] };
  switch (name) {
    case 'multi':
    case 'sortedmulti':
    case 'multi_a':
    case 'sortedmulti_a':
      return parseMultisig(name, body, inside);
    case 'sh':
    case 'wsh':
      return { kind: name, inner: parseScript(body, inside) };
    case 'raw':
      if (!isHex(body)) throw fault(inside, { code: 'script_not_hex' });
      return { kind: name, scriptPubKey: hexToBytes(body) };
    case 'addr':
      return { kind: name, scriptPubKey: scriptOfAddress(body, context.network) };
    case 'tr': {
      const parts = { text: body, at: 0 };
      const key = parseKey(readArgument(parts), inside);
      const tree = skip(parts, ',') ? parseTree(parts, 0, inside) : null;
      if (parts.at < body.length) throw fault(inside, { code: 'text_after_end' });
      return { kind: name, key, tree };
    }
    default:
      return { kind: name, key: parseKey(body, inside) };
  }
}

function parseTree(cursor: Cursor, level: number, context: Context): TaprootTree {
  if (!skip(cursor, '{')) return parseScript(readArgument(cursor), context);
  if (level >= MAX_BRANCHINGS) throw fault(context, { code: 'script_tree_too_deep' });
  const left = parseTree(cursor, level + 1, context);
  if (!skip(cursor, ',')) throw fault(context, { code: 'comma_missing' });
  const right = parseTree(cursor, level + 1, context);
  if (!skip(cursor, '}')) throw fault(context, { code: 'bracket_missing' });
  return { left, right };
}

/** `TAPROOT_CONTROL_MAX_NODE_COUNT` */
const MAX_BRANCHINGS = 128;

function parseMiniscript(text: string, context: Context): ScriptExpression {
  const tapscript = context.outer.includes('tr');
  const keys: DescriptorKey[] = [];
  const readKey = (written: string) => {
    const key = parseKey(written, context, keys.length + 1);
    keys.push(key);
    return key;
  };
  const node = readMiniscript(text, {
    tapscript,
    readKey,
    fault: () => fault(context, { code: 'function_unknown' }),
  });
  if (!isSane(node, tapscript) || hasRepeatedKey(keys)) {
    throw fault(context, { code: 'miniscript_refused' });
  }
  return { kind: 'miniscript', node };
}

/** Whether a key repeats. Keys that only a private key can derive count as equal. Source: `KeyCompare` in `descriptor.cpp`. */
function hasRepeatedKey(keys: readonly DescriptorKey[]): boolean {
  const first = keys.map((key) => orNull(() => bytesToHex(publicKeyDeriver(key, {})(0))));
  return new Set(first).size < first.length;
}

function parseMultisig(kind: MultisigKind, body: string, context: Context): ScriptExpression {
  const [threshold, ...rest] = splitArguments(body, context);
  const required = Number(threshold);
  if (!/^\d{1,9}$/.test(threshold ?? '') || required < 1)
    throw fault(context, { code: 'signatures_invalid' });
  const outer = context.outer.at(-2);
  const most = outer === undefined ? MAX_BARE_KEYS : MAX_KEYS[outer === 'tr' ? 'multi_a' : 'multi'];
  if (rest.length === 0 || rest.length > most)
    throw fault(context, { code: 'key_count_not_allowed', keys: rest.length, most });
  if (required > rest.length) {
    throw fault(context, {
      code: 'more_signatures_than_keys',
      signatures: required,
      keys: rest.length,
    });
  }
  const keys = rest.map((key, place) => parseKey(key, context, place + 1));
  if (outer === 'sh') {
    const size = keys.reduce(
      (sum, key) => sum + 1 + ('key' in key && key.key.kind === 'single' ? key.key.publicKey.length : 33),
      3,
    );
    if (size > MAX_PUSH) {
      throw fault(context, { code: 'script_too_large', size, most: MAX_PUSH });
    }
  }
  return { kind, threshold: required, keys };
}

function parseKey(text: string, { network, outer, privateKeys }: Context, place?: number): DescriptorKey {
  const taproot = outer.includes('tr') || outer.includes('rawtr');
  return readKey(text, {
    network,
    privateKeys,
    uncompressed: !taproot && !outer.includes('wpkh') && !outer.includes('wsh'),
    xOnly: taproot,
    where: () => ({ function: nestedNames(outer), key: place ?? null }),
  });
}

function splitArguments(text: string, context: Context): string[] {
  const cursor = { text: `,${text}`, at: 0 };
  const found: string[] = [];
  while (cursor.at < cursor.text.length) {
    if (!skip(cursor, ',')) throw fault(context, { code: 'comma_missing' });
    found.push(readArgument(cursor));
  }
  return found;
}

function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(allowedInside, name);
}

function fault({ outer }: Context, what: Fault): Error {
  return descriptorError({ code: 'descriptor_wrong', function: nestedNames(outer), key: null, fault: what });
}

/** Writes enclosing functions as `sh(wsh(multi()))`. */
function nestedNames(outer: readonly FunctionName[]): string {
  return outer.reduceRight((inner, name) => `${name}(${inner})`, '');
}
