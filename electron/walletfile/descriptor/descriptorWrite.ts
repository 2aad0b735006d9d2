/** Writes descriptors as text in Bitcoin Core's forms, with their checksum, whole or for one index. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import {
  fingerprintOf,
  type HardenedMark,
  writeExtendedPrivateKey,
  writeExtendedPublicKey,
  writePath,
} from '../keys/extendedKey.ts';
import { writeWif } from '../keys/privateKey.ts';
import { addressOf } from '../script/address.ts';
import { withChecksum } from './checksum.ts';
import {
  type Descriptor,
  type DescriptorKey,
  descriptorError,
  isAggregate,
  type KeyExpression,
  type KeySources,
  keyIndexesOf,
  keysOf,
  miniscriptKeysOf,
  type PrivateKeys,
  type ScriptExpression,
  type TaprootTree,
} from './descriptor.ts';
import { type Expansion, hardenedStepsOf, privateKeyOf, treeNode } from './descriptorExpand.ts';
import { writeMiniscript } from './miniscript.ts';

/** The public form with the marks of the text read, as in `walletdescriptor` records. */
export function writePublic(descriptor: Descriptor): string {
  return write(descriptor, (key) => writeKey(descriptor, key, key.mark));
}

/** The public form with `'` for every hardened step, from which the id is computed. */
export function writeCompatible(descriptor: Descriptor): string {
  return write(descriptor, (key) => writeKey(descriptor, key, "'"));
}

/** The form with private keys of `listdescriptors true`; public for keys without a private key. The text is a secret. */
export function writePrivate(descriptor: Descriptor, privateKeys: PrivateKeys): string {
  return write(descriptor, (key) => writeKey(descriptor, key, key.mark, privateKeyOf(key.key, privateKeys)));
}

/**
 * The public form of `listdescriptors`: each key as the node after its last hardened step, with the steps to it in its origin, and
 * `h` for hardened steps. It gives addresses without private keys, except hardened children. Throws AppError `bad_input` if the
 * node needs a private key that is missing and not cached.
 */
export function writeNormalised(descriptor: Descriptor, sources: KeySources = {}): string {
  return write(descriptor, (key, place) => writeKey(descriptor, normalise(key, place, sources), 'h'));
}

function write(descriptor: Descriptor, writer: (key: KeyExpression, place: number) => string): string {
  const places = keyIndexesOf(descriptor.script);
  const writeOne = (key: KeyExpression) => writer(key, places.get(key) ?? 0);
  const writeAny = (key: DescriptorKey) => {
    if (!isAggregate(key)) return writeOne(key);
    const star = key.children === 'none' ? '' : '/*';
    return `musig(${key.participants.map(writeOne).join(',')})${writePath(key.path)}${star}`;
  };
  return withChecksum(writeScript(descriptor.script, writeAny, descriptor));
}

type KeyWriter = (key: DescriptorKey) => string;

function writeScript(script: ScriptExpression, writeOne: KeyWriter, descriptor: Descriptor): string {
  if ('inner' in script) return `${script.kind}(${writeScript(script.inner, writeOne, descriptor)})`;
  if ('keys' in script)
    return `${script.kind}(${[script.threshold, ...script.keys.map(writeOne)].join(',')})`;
  switch (script.kind) {
    case 'miniscript':
      return writeMiniscript(script.node, writeOne);
    case 'tr': {
      const tree = script.tree ? `,${writeTree(script.tree, writeOne, descriptor)}` : '';
      return `tr(${writeOne(script.key)}${tree})`;
    }
    case 'raw':
      return `raw(${bytesToHex(script.scriptPubKey)})`;
    case 'addr': {
      const address = addressOf(script.scriptPubKey, descriptor.network);
      if (address === null) throw descriptorError({ code: 'script_without_address' });
      return `addr(${address})`;
    }
    default:
      return `${script.kind}(${writeOne(script.key)})`;
  }
}

function writeTree(tree: TaprootTree, writeOne: KeyWriter, descriptor: Descriptor): string {
  if (!('left' in tree)) return writeScript(tree, writeOne, descriptor);
  return `{${writeTree(tree.left, writeOne, descriptor)},${writeTree(tree.right, writeOne, descriptor)}}`;
}

function writeKey(
  { network }: Descriptor,
  { origin, key }: KeyExpression,
  mark: HardenedMark,
  privateKey?: Uint8Array,
): string {
  const from = origin ? `[${origin.fingerprint}${writePath(origin.path, mark)}]` : '';
  if (key.kind === 'tree') {
    const root = privateKey
      ? writeExtendedPrivateKey({ ...key.root, privateKey }, network)
      : writeExtendedPublicKey(key.root, network);
    const star = { none: '', unhardened: '/*', hardened: `/*${mark}` }[key.children];
    return from + root + writePath(key.path, mark) + star;
  }
  if (privateKey) return from + writeWif({ privateKey, compressed: key.publicKey.length === 33 }, network);
  return from + bytesToHex(key.xOnly ? key.publicKey.subarray(1) : key.publicKey);
}

/** The key as written from the node after its last hardened step. */
function normalise(expression: KeyExpression, place: number, sources: KeySources): KeyExpression {
  const { origin, key } = expression;
  if (key.kind === 'single' || key.children === 'hardened') return expression;
  const steps = hardenedStepsOf(key);
  if (steps === 0) return expression;
  const root = sources.cache?.lastHardened.get(place) ?? treeNode(key, steps, sources.privateKeys);
  const fingerprint = origin?.fingerprint ?? fingerprintOf(key.root.publicKey);
  const path = [...(origin?.path ?? []), ...key.path.slice(0, steps)];
  return { ...expression, origin: { fingerprint, path }, key: { ...key, root, path: key.path.slice(steps) } };
}

/**
 * The 32 bytes that name a descriptor in `walletdescriptor` and related records: the SHA-256 of `writeCompatible`. Source: Bitcoin
 * Core's `DescriptorID`.
 */
export function descriptorId(descriptor: Descriptor): Uint8Array {
  return sha256(utf8ToBytes(writeCompatible(descriptor)));
}

/**
 * The id that releases before 31 compute; null if it is the same. They leave the marks of keys in Miniscript as they are (`StringMaker`
 * in `descriptor.cpp`), and refuse a wallet with another id, as later releases do.
 */
export function earlierDescriptorId(descriptor: Descriptor): Uint8Array | null {
  const keys = new Set(miniscriptKeysOf(descriptor.script));
  if (keys.size === 0) return null;
  const text = write(descriptor, (key) => writeKey(descriptor, key, keys.has(key) ? key.mark : "'"));
  return text === writeCompatible(descriptor) ? null : sha256(utf8ToBytes(text));
}

/** The public form for a new record: every release computes the same id from it. That is `text` unless it has Miniscript with `h`. */
export function writeForRecord(descriptor: Descriptor, text = writePublic(descriptor)): string {
  return earlierDescriptorId(descriptor) === null ? text : writeCompatible(descriptor);
}

/**
 * The public form of a descriptor for one index, with its public keys and their origins. `keys`: from the expansion at the index.
 * Steps below `musig()` are not supported, because an expansion has no keys for them.
 */
export function writeAtIndex(descriptor: Descriptor, keys: Expansion['keys']): string {
  const { script } = descriptor;
  const keyOf = new Map(keysOf(script).map((key, at) => [key, keys[at]] as const));
  const participants = new Set(
    [...keyIndexesOf(script).keys()].flatMap((key) => (isAggregate(key) ? key.participants : [])),
  );
  // Taproot keys have 32 bytes, but an aggregate's participants 33.
  const isTaproot = script.kind === 'tr' || script.kind === 'rawtr';
  return write(descriptor, (key) => {
    const { publicKey, origin } = keyOf.get(key) ?? {};
    if (!publicKey || !origin) return writeKey(descriptor, key, key.mark);
    const xOnly = isTaproot && !participants.has(key);
    const single: KeyExpression = { origin, key: { kind: 'single', publicKey, xOnly }, mark: 'h' };
    return writeKey(descriptor, single, single.mark);
  });
}
