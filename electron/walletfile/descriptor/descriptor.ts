/** What an output descriptor is, once read: the declared shape that all the rest works on (BIP 379 to 390). */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { ExtendedPublicKey, HardenedMark } from '../keys/extendedKey.ts';

/** A descriptor never holds private keys: they are beside it, as `PrivateKeys`. */
export interface Descriptor {
  network: Network;
  script: ScriptExpression;
}

export type ScriptExpression =
  /** `unused` has no script: it keeps a key for descriptors to come (release 32). */
  | { kind: 'pk' | 'pkh' | 'wpkh' | 'combo' | 'rawtr' | 'unused'; key: DescriptorKey }
  | { kind: 'tr'; key: DescriptorKey; tree: TaprootTree | null }
  /** Those of `_a` stand in leaves of taproot only. */
  | { kind: MultisigKind; threshold: number; keys: DescriptorKey[] }
  | { kind: 'miniscript'; node: Miniscript }
  | { kind: 'sh' | 'wsh'; inner: ScriptExpression }
  /** A script by its bytes, or by its address. */
  | { kind: 'raw' | 'addr'; scriptPubKey: Uint8Array };

export type MultisigKind = 'multi' | 'sortedmulti' | 'multi_a' | 'sortedmulti_a';

/** The scripts beside a taproot key: one, or two branches (BIP 386). */
export type TaprootTree = ScriptExpression | { left: TaprootTree; right: TaprootTree };

/** Conditions to spend (BIP 379). Short forms are written out: `t:X` is `and_v(X,1)`, `pk(KEY)` is `c:pk_k(KEY)`. */
export interface Miniscript {
  fragment: Fragment;
  /** Of thresholds and times; else 0. */
  number: number;
  keys: DescriptorKey[];
  /** Of a hash; else empty. */
  hash: Uint8Array;
  subs: Miniscript[];
}

export const wrappers = ['a', 's', 'c', 'd', 'v', 'j', 'n'] as const;
export type Fragment =
  | (typeof wrappers)[number]
  | 'sha256'
  | 'hash256'
  | 'ripemd160'
  | 'hash160'
  | '0'
  | '1'
  | 'pk_k'
  | 'pk_h'
  | 'older'
  | 'after'
  | 'and_v'
  | 'and_b'
  | 'or_b'
  | 'or_c'
  | 'or_d'
  | 'or_i'
  | 'andor'
  | 'thresh'
  | 'multi'
  | 'multi_a';

export type DescriptorKey = KeyExpression | AggregateKey;

/** `musig(KEY,…)`: one key of several, and those below it (BIP 390). Only the keys that take part can be ranged, or this. */
export interface AggregateKey {
  participants: KeyExpression[];
  path: readonly number[];
  children: 'none' | 'unhardened';
}

/** One key of a script. */
export interface KeyExpression {
  origin: KeyOrigin | null;
  key: SingleKey | TreeKey;
  /** The mark to write hardened steps with. A key's marks are all alike, so that the last one read counts. */
  mark: HardenedMark;
}

/** Which key a key comes from, and by which steps. */
export interface KeyOrigin {
  /** Eight lower-case hex digits. */
  fingerprint: string;
  path: readonly number[];
}

/** One key. `xOnly` ones are kept as 33 bytes with first byte 2 and written as the 32 that follow. */
export interface SingleKey {
  kind: 'single';
  publicKey: Uint8Array;
  xOnly: boolean;
}

/** The keys below a node of a key tree: the one at `path`, or all children of it. */
export interface TreeKey {
  kind: 'tree';
  root: ExtendedPublicKey;
  path: readonly number[];
  children: 'none' | 'unhardened' | 'hardened';
}

/**
 * Private keys (32 bytes) by the hex of their public keys (33 or 65 bytes). A `TreeKey`'s is the one of its
 * root, to which the descriptor itself adds the chain code.
 */
export type PrivateKeys = ReadonlyMap<string, Uint8Array>;

/**
 * The public keys that a wallet file remembers of its descriptor, so that it can do without private keys. Each
 * is found by the place of its key expression in the descriptor, counted from 0.
 */
export interface DescriptorCache {
  /** The node whose children are asked for (`walletdescriptorcache` without index). */
  parents: ReadonlyMap<number, ExtendedPublicKey>;
  /** Hardened children by their number (`walletdescriptorcache` with index). */
  children: ReadonlyMap<number, ReadonlyMap<number, ExtendedPublicKey>>;
  /** The node after the last hardened step (`walletdescriptorlhcache`). */
  lastHardened: ReadonlyMap<number, ExtendedPublicKey>;
}

/** What may help where the descriptor alone does not suffice. */
export interface KeySources {
  privateKeys?: PrivateKeys;
  cache?: DescriptorCache;
}

/** The keys of a descriptor in the order in which they are written, those that take part in an aggregate one by one. */
export function keysOf(script: ScriptExpression): readonly KeyExpression[] {
  return [...placesOf(script).keys()].flatMap((key) => (isAggregate(key) ? [] : [key]));
}

/** The numbers, from 0, that wallet files have for the keys of a descriptor: an aggregate's comes after those of its keys. */
export function placesOf(script: ScriptExpression): ReadonlyMap<DescriptorKey, number> {
  const all = writtenKeys(script).flatMap((key) => (isAggregate(key) ? [...key.participants, key] : [key]));
  return new Map(all.map((key, place) => [key, place]));
}

function writtenKeys(script: ScriptExpression): readonly DescriptorKey[] {
  switch (script.kind) {
    case 'multi':
    case 'sortedmulti':
    case 'multi_a':
    case 'sortedmulti_a':
      return script.keys;
    case 'miniscript':
      return nodesOf(script.node).flatMap(({ keys }) => keys);
    case 'sh':
    case 'wsh':
      return writtenKeys(script.inner);
    case 'tr':
      return [script.key, ...(script.tree ? leavesOf(script.tree) : []).flatMap(writtenKeys)];
    case 'raw':
    case 'addr':
      return [];
    default:
      return [script.key];
  }
}

/** Each part of a Miniscript: from left to right, and what others are parts of before them. */
function nodesOf(root: Miniscript): readonly Miniscript[] {
  const nodes: Miniscript[] = [];
  const ahead = [root];
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    nodes.push(node);
    for (const sub of node.subs.toReversed()) ahead.push(sub);
  }
  return nodes;
}

/** What `made` makes of a Miniscript and of what it made of its parts. However deep it is nested, the stack stays shallow. */
export function fold<T>(root: Miniscript, made: (node: Miniscript, parts: readonly T[]) => T): T {
  const [, ...inner] = nodesOf(root);
  const waiting: T[] = [];
  for (const node of inner.reverse()) {
    const parts = waiting.splice(waiting.length - node.subs.length).reverse();
    waiting.push(made(node, parts));
  }
  return made(root, waiting.reverse());
}

/** From left to right. */
function leavesOf(tree: TaprootTree): readonly ScriptExpression[] {
  return 'left' in tree ? [...leavesOf(tree.left), ...leavesOf(tree.right)] : [tree];
}

export function isAggregate(key: DescriptorKey): key is AggregateKey {
  return 'participants' in key;
}

/** Whether a descriptor tells more than the script itself: how it can be signed for. */
export function isSolvable({ script }: Descriptor): boolean {
  return script.kind !== 'addr' && script.kind !== 'raw' && script.kind !== 'unused';
}

/**
 * Whether a descriptor gives its keys to those only who have its private key, as `combo(xpub…/0h/0h/*h)` of a migrated
 * wallet does. Without it software refuses such a descriptor ("Cannot expand descriptor", `importdescriptors`).
 */
export function needsPrivateKeys({ script }: Descriptor): boolean {
  return keysOf(script).some(({ key }) => key.kind === 'tree' && key.children === 'hardened');
}

/** What it has that says more than its keys. */
export function formOf({ script }: Descriptor): 'musig' | 'script-tree' | 'miniscript' | 'key-only' | null {
  if (script.kind === 'unused') return 'key-only';
  if ([...placesOf(script).keys()].some(isAggregate)) return 'musig';
  if (script.kind === 'tr') return script.tree && 'script-tree';
  const inner = script.kind === 'sh' ? script.inner : script;
  return inner.kind === 'wsh' && inner.inner.kind === 'miniscript' ? 'miniscript' : null;
}

/** Whether a descriptor stands for one set of scripts per index, and not for a single one. */
export function isRanged(descriptor: Descriptor): boolean {
  return [...placesOf(descriptor.script).keys()].some((key) =>
    isAggregate(key) ? key.children !== 'none' : key.key.kind === 'tree' && key.key.children !== 'none',
  );
}

/**
 * A descriptor that is wrong, or that cannot be used the way it was asked to be. Never quotes the descriptor: it may
 * hold a private key.
 */
export function descriptorError(finding: Finding): FileError {
  return new FileError('bad_input', finding);
}
