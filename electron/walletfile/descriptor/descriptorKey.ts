/** Reads the text of a key in a descriptor (BIP 380), and gives the key's origin. */
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js';
import type { Fault } from '../../../shared/model/findings/faults.ts';
import type { Network } from '../../../shared/model/network.ts';
import {
  fingerprintOf,
  HARDENED,
  type HardenedMark,
  MAX_STEPS,
  readExtendedKey,
  withoutPrivateKey,
} from '../keys/extendedKey.ts';
import { readWif } from '../keys/privateKey.ts';
import { isPublicKey, publicKeyOf } from '../keys/publicKey.ts';
import {
  type AggregateKey,
  type DescriptorKey,
  descriptorError,
  type KeyExpression,
  type KeyOrigin,
  type SingleKey,
  type TreeKey,
} from './descriptor.ts';

interface KeyContext {
  network: Network;
  /** False in segwit scripts, which allow only compressed keys. */
  uncompressed: boolean;
  /** True in taproot, whose keys may have 32 bytes. */
  xOnly: boolean;
  /** The key's position for errors: in `wpkh()`, or its number in `sh(multi())`, from 1. */
  where: () => { function: string; key: number | null };
  /** Receives the private keys in the text. */
  privateKeys: Map<string, Uint8Array>;
}

/** Reads a key expression. Throws `bad_input` that names the place but never the key. */
export function readKey(text: string, context: KeyContext): DescriptorKey {
  return context.xOnly && text.startsWith('musig(')
    ? readAggregate(text, context)
    : readExpression(text, context);
}

/** Reads an aggregate's participants, and unhardened steps below it (BIP 390). */
function readAggregate(text: string, context: KeyContext): AggregateKey {
  const [, inside = '', steps = '', star] = /^musig\(([^()]+)\)((?:\/[^/*]+)*)(\/\*)?$/.exec(text) ?? [];
  const participantContext: KeyContext = { ...context, uncompressed: false, xOnly: false };
  const participants = inside.split(',').map((key) => readExpression(key, participantContext));
  const { path } = readSteps(steps.split('/').slice(1), context);
  const below = path.length > 0 || star !== undefined;
  const wrong =
    path.some((step) => step >= HARDENED) ||
    (below && participants.some(({ key }) => key.kind === 'single' || key.children !== 'none'));
  if (wrong) throw fault(context, { code: 'key_path_step_invalid' });
  return { participants, path, children: star === undefined ? 'none' : 'unhardened' };
}

function readExpression(text: string, context: KeyContext): KeyExpression {
  const [first = '', second, ...more] = text.split(']');
  if (more.length > 0) throw fault(context, { code: 'key_bracket_repeated' });
  if (second === undefined) return { origin: null, ...readPlainKey(first, context, 'h') };
  if (!first.startsWith('[')) throw fault(context, { code: 'key_origin_bracket_missing' });
  const { origin, mark } = readOrigin(first.slice(1), context);
  return { origin, ...readPlainKey(second, context, mark) };
}

/** The origin of a key expression's key at an index: the key itself if the text has no origin. */
export function originAt({ origin, key }: KeyExpression, index: number): KeyOrigin {
  const own =
    key.kind === 'single'
      ? { fingerprint: fingerprintOf(key.publicKey), path: [] }
      : { fingerprint: fingerprintOf(key.root.publicKey), path: pathAt(key, index) };
  return origin ? { fingerprint: origin.fingerprint, path: [...origin.path, ...own.path] } : own;
}

/** The steps from a tree key's root to its key at an index. */
function pathAt({ path, children }: TreeKey, index: number): readonly number[] {
  if (children === 'none') return path;
  return [...path, children === 'hardened' ? index + HARDENED : index];
}

type PlainKey = Pick<KeyExpression, 'key' | 'mark'>;

function readOrigin(text: string, context: KeyContext): { origin: KeyOrigin; mark: HardenedMark } {
  const [fingerprint = '', ...steps] = text.split('/');
  if (!/^[0-9a-fA-F]{8}$/.test(fingerprint)) {
    throw fault(context, { code: 'fingerprint_invalid' });
  }
  const { path, mark = 'h' } = readSteps(steps, context);
  return { origin: { fingerprint: fingerprint.toLowerCase(), path }, mark };
}

function readPlainKey(text: string, context: KeyContext, originMark: HardenedMark): PlainKey {
  const [name = '', ...steps] = text.split('/');
  if (name === '') throw fault(context, { code: 'key_missing' });
  if (name !== name.trim()) throw fault(context, { code: 'space_next_to_key' });
  const single = steps.length === 0 ? readSingleKey(name, context) : null;
  if (single) return { key: single, mark: originMark };
  return readTreeKey(name, steps, context, originMark);
}

function readSingleKey(text: string, context: KeyContext): SingleKey | null {
  if (isHex(text)) return readHexKey(hexToBytes(text), context);
  const wif = readWif(text, context.network);
  if (!wif) return null;
  if (!wif.compressed && !context.uncompressed) throw uncompressedKeyError(context);
  const publicKey = publicKeyOf(wif.privateKey, wif.compressed);
  context.privateKeys.set(bytesToHex(publicKey), wif.privateKey);
  if (!context.xOnly) return { kind: 'single', publicKey, xOnly: false };
  return { kind: 'single', publicKey: evenKey(publicKey.subarray(1)), xOnly: true };
}

function readHexKey(bytes: Uint8Array, context: KeyContext): SingleKey {
  const form = bytes[0];
  if (bytes.length === 65 && (form === 6 || form === 7)) {
    throw fault(context, { code: 'hybrid_key' });
  }
  if (bytes.length === 65 && form === 4 && !context.uncompressed) throw uncompressedKeyError(context);
  const xOnly = context.xOnly && bytes.length === 32;
  const publicKey = xOnly ? evenKey(bytes) : bytes;
  if (!isPublicKey(publicKey)) throw fault(context, { code: 'public_key_invalid' });
  return { kind: 'single', publicKey, xOnly };
}

function readTreeKey(name: string, steps: string[], context: KeyContext, originMark: HardenedMark): PlainKey {
  const root = readExtendedKey(name, context.network);
  if (!root) throw fault(context, { code: 'key_invalid_on_network', network: context.network });
  const [, star, starMark] = /^(\*)([h'])?$/.exec(steps.at(-1) ?? '') ?? [];
  const { path, mark } = readSteps(star ? steps.slice(0, -1) : steps, context);
  if (root.depth + path.length + (star === undefined ? 0 : 1) > MAX_STEPS) throw tooDeepError(context);
  if ('privateKey' in root) context.privateKeys.set(bytesToHex(root.publicKey), root.privateKey);
  const children = star === undefined ? 'none' : starMark === undefined ? 'unhardened' : 'hardened';
  // Bitcoin Core keeps one mark for a key. The path's mark overrides the star's.
  const last = mark ?? toMark(starMark) ?? originMark;
  return { key: { kind: 'tree', root: withoutPrivateKey(root), path, children }, mark: last };
}

/** `mark`: the last hardened step's. */
function readSteps(steps: string[], context: KeyContext): { path: number[]; mark: HardenedMark | undefined } {
  if (steps.length > MAX_STEPS) throw tooDeepError(context);
  const path: number[] = [];
  let last: HardenedMark | undefined;
  for (const step of steps) {
    const [, digits, mark] = /^(\d+)([h'])?$/.exec(step) ?? [];
    if (digits === undefined || Number(digits) >= HARDENED)
      throw fault(context, { code: 'key_path_step_invalid' });
    path.push(Number(digits) + (mark === undefined ? 0 : HARDENED));
    last = toMark(mark) ?? last;
  }
  return { path, mark: last };
}

function evenKey(x: Uint8Array): Uint8Array {
  return concatBytes(Uint8Array.of(2), x);
}

function toMark(text: string | undefined): HardenedMark | undefined {
  return text === 'h' || text === "'" ? text : undefined;
}

function fault(context: KeyContext, what: Fault): Error {
  return descriptorError({ code: 'descriptor_wrong', ...context.where(), fault: what });
}

function tooDeepError(context: KeyContext): Error {
  return fault(context, { code: 'key_path_too_long' });
}

function uncompressedKeyError(context: KeyContext): Error {
  return fault(context, { code: 'uncompressed_key' });
}

/** Whether a text is hex for at least one byte. */
export function isHex(text: string): boolean {
  // A repeated group of two digits would overflow the regular expression's stack on a long text.
  return text.length > 0 && text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
}
