/** The shape of a parsed output descriptor, shared by the whole folder (BIP 379 to 390). */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Finding } from '../../../shared/model/findings/finding.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type ExtendedPublicKey, HARDENED, type HardenedMark } from '../keys/extendedKey.ts';
import type { AddressType } from '../records/recordShapes.ts';

/** A descriptor never holds private keys: `PrivateKeys` accompany it. */
export interface Descriptor {
  network: Network;
  script: ScriptExpression;
}

export type ScriptExpression =
  /** `unused` has no script: it stores a key for later descriptors (release 32). */
  | { kind: 'pk' | 'pkh' | 'wpkh' | 'combo' | 'rawtr' | 'unused'; key: DescriptorKey }
  | { kind: 'tr'; key: DescriptorKey; tree: TaprootTree | null }
  /** Only taproot leaves hold the `_a` forms. */
  | { kind: MultisigKind; threshold: number; keys: DescriptorKey[] }
  | { kind: 'miniscript'; node: Miniscript }
  | { kind: 'sh' | 'wsh'; inner: ScriptExpression }
  /** A script by its bytes, or by its address. */
  | { kind: 'raw' | 'addr'; scriptPubKey: Uint8Array };

export type MultisigKind = 'multi' | 'sortedmulti' | 'multi_a' | 'sortedmulti_a';

/** The script tree of a taproot output: one script, or two branches (BIP 386). */
export type TaprootTree = ScriptExpression | { left: TaprootTree; right: TaprootTree };

/** Conditions to spend (BIP 379). Short forms are written out: `t:X` is `and_v(X,1)`, `pk(KEY)` is `c:pk_k(KEY)`. */
export interface Miniscript {
  fragment: Fragment;
  /** A threshold or a time; else 0. */
  number: number;
  keys: DescriptorKey[];
  /** A hash; else empty. */
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

/** `musig(KEY,…)`: one key of several, and the keys below it (BIP 390). Either its participants or it can be ranged. */
export interface AggregateKey {
  participants: KeyExpression[];
  path: readonly number[];
  children: 'none' | 'unhardened';
}

/** One key of a script. */
export interface KeyExpression {
  origin: KeyOrigin | null;
  key: SingleKey | TreeKey;
  /** The mark of hardened steps. A key has one mark: the last one read. */
  mark: HardenedMark;
}

/** The key that a key comes from, and the steps to it. */
export interface KeyOrigin {
  /** Eight lower-case hex digits. */
  fingerprint: string;
  path: readonly number[];
}

/** One key. An `xOnly` key has 33 bytes with first byte 2, and its text has the last 32. */
export interface SingleKey {
  kind: 'single';
  publicKey: Uint8Array;
  xOnly: boolean;
}

/** Keys below a node of a key tree: the one at `path`, or all its children. */
export interface TreeKey {
  kind: 'tree';
  root: ExtendedPublicKey;
  path: readonly number[];
  children: 'none' | 'unhardened' | 'hardened';
}

/**
 * The public keys under which a wallet can store the private key of a key expression: a tree's root, a single key. The 32 bytes of
 * an x-only key stand for two points, and taproot treats both alike.
 */
export function publicKeysOf(key: SingleKey | TreeKey): [Uint8Array, ...Uint8Array[]] {
  if (key.kind === 'tree') return [key.root.publicKey];
  const { publicKey, xOnly } = key;
  return xOnly ? [publicKey, Uint8Array.of(3, ...publicKey.subarray(1))] : [publicKey];
}

/** Private keys (32 bytes) by the hex of their public keys (33 or 65 bytes). A `TreeKey` has its root's. */
export type PrivateKeys = ReadonlyMap<string, Uint8Array>;

/** The public keys that a wallet file caches for a descriptor, to derive without private keys. By the key's index, from 0. */
export interface DescriptorCache {
  /** The node whose children the key gives (`walletdescriptorcache` without index). */
  parents: ReadonlyMap<number, ExtendedPublicKey>;
  /** Hardened children by their number (`walletdescriptorcache` with index). */
  children: ReadonlyMap<number, ReadonlyMap<number, ExtendedPublicKey>>;
  /** The node after the last hardened step (`walletdescriptorlhcache`). */
  lastHardened: ReadonlyMap<number, ExtendedPublicKey>;
}

/** Further keys, if the descriptor alone does not suffice. */
export interface KeySources {
  privateKeys?: PrivateKeys;
  cache?: DescriptorCache;
}

/** The keys of a descriptor in the order of its text, an aggregate's participants one by one. */
export function keysOf(script: ScriptExpression): readonly KeyExpression[] {
  return [...keyIndexesOf(script).keys()].flatMap((key) => (isAggregate(key) ? [] : [key]));
}

/** The index, from 0, of each key in wallet files: an aggregate's follows its participants'. */
export function keyIndexesOf(script: ScriptExpression): ReadonlyMap<DescriptorKey, number> {
  const all = keysInText(script).flatMap((key) => (isAggregate(key) ? [...key.participants, key] : [key]));
  return new Map(all.map((key, place) => [key, place]));
}

function keysInText(script: ScriptExpression): readonly DescriptorKey[] {
  if ('inner' in script) return keysInText(script.inner);
  if ('keys' in script) return script.keys;
  if ('node' in script) return nodesOf(script.node).flatMap(({ keys }) => keys);
  const ofTree = 'tree' in script && script.tree ? leavesOf(script.tree).flatMap(keysInText) : [];
  return 'key' in script ? [script.key, ...ofTree] : [];
}

/** The keys in Miniscript, an aggregate's participants one by one. */
export function miniscriptKeysOf(script: ScriptExpression): readonly KeyExpression[] {
  if ('inner' in script) return miniscriptKeysOf(script.inner);
  if ('tree' in script) return (script.tree ? leavesOf(script.tree) : []).flatMap(miniscriptKeysOf);
  return 'node' in script ? keysOf(script) : [];
}

/** The nodes of a Miniscript from left to right, each before its parts. */
function nodesOf(root: Miniscript): readonly Miniscript[] {
  const nodes: Miniscript[] = [];
  const ahead = [root];
  for (let node = ahead.pop(); node; node = ahead.pop()) {
    nodes.push(node);
    for (const sub of node.subs.toReversed()) ahead.push(sub);
  }
  return nodes;
}

/** Combines the nodes of a Miniscript from its leaves up. Does not recurse, so deep nesting cannot exhaust the stack. */
export function fold<T>(root: Miniscript, combine: (node: Miniscript, parts: readonly T[]) => T): T {
  const [, ...inner] = nodesOf(root);
  const waiting: T[] = [];
  for (const node of inner.reverse()) {
    const parts = waiting.splice(waiting.length - node.subs.length).reverse();
    waiting.push(combine(node, parts));
  }
  return combine(root, waiting.reverse());
}

/** From left to right. */
function leavesOf(tree: TaprootTree): readonly ScriptExpression[] {
  return 'left' in tree ? [...leavesOf(tree.left), ...leavesOf(tree.right)] : [tree];
}

export function isAggregate(key: DescriptorKey): key is AggregateKey {
  return 'participants' in key;
}

/** Whether a descriptor describes how to sign for its scripts. */
export function isSolvable({ script }: Descriptor): boolean {
  return script.kind !== 'addr' && script.kind !== 'raw' && script.kind !== 'unused';
}

/**
 * Whether deriving a descriptor's keys needs its private key, as for `combo(xpub…/0h/0h/*h)` of a migrated wallet. Without it
 * software refuses such a descriptor ("Cannot expand descriptor", `importdescriptors`).
 */
export function needsPrivateKeys({ script }: Descriptor): boolean {
  return keysOf(script).some(({ key }) => key.kind === 'tree' && key.children === 'hardened');
}

/** Whether keys of the tree are derived by a hardened step, from a private key or a cached node. */
export function isHardened({ path, children }: TreeKey): boolean {
  return children === 'hardened' || path.some((step) => step >= HARDENED);
}

/** The special form of a descriptor, if any. */
export function formOf({ script }: Descriptor): 'musig' | 'script-tree' | 'miniscript' | 'key-only' | null {
  if (script.kind === 'unused') return 'key-only';
  if ([...keyIndexesOf(script).keys()].some(isAggregate)) return 'musig';
  if (script.kind === 'tr') return script.tree && 'script-tree';
  const inner = script.kind === 'sh' ? script.inner : script;
  return inner.kind === 'wsh' && inner.inner.kind === 'miniscript' ? 'miniscript' : null;
}

/** Source: `GetOutputType` of `descriptor.cpp`. */
export function addressTypeOf(script: ScriptExpression): AddressType | null {
  switch (script.kind) {
    case 'pkh':
      return 'legacy';
    case 'sh':
      return script.inner.kind === 'wpkh' || script.inner.kind === 'wsh' ? 'p2sh-segwit' : 'legacy';
    case 'wpkh':
    case 'wsh':
      return 'bech32';
    case 'tr':
    case 'rawtr':
      return 'bech32m';
    default:
      return null;
  }
}

/** The kinds of descriptors that a node makes for new addresses (BIP 44, 49, 84 and 86). */
const DEFAULT_KINDS: readonly {
  addressType: AddressType;
  purpose: number;
  around(key: KeyExpression): ScriptExpression;
}[] = [
  { addressType: 'legacy', purpose: 44, around: (key) => ({ kind: 'pkh', key }) },
  {
    addressType: 'p2sh-segwit',
    purpose: 49,
    around: (key) => ({ kind: 'sh', inner: { kind: 'wpkh', key } }),
  },
  { addressType: 'bech32', purpose: 84, around: (key) => ({ kind: 'wpkh', key }) },
  { addressType: 'bech32m', purpose: 86, around: (key) => ({ kind: 'tr', key, tree: null }) },
];

/**
 * The descriptors that a node derives from a root key: four accounts (`path`), each for addresses and for change. Source:
 * `GenerateWalletDescriptor` in `walletutil.cpp`.
 */
export function defaultAccounts(root: ExtendedPublicKey, network: Network) {
  return DEFAULT_KINDS.map(({ addressType, purpose, around }) => {
    const path = [purpose, network === 'main' ? 0 : 1, 0].map((step) => step + HARDENED);
    const descriptors = [0, 1].map((branch) => {
      const key: TreeKey = { kind: 'tree', root, path: [...path, branch], children: 'unhardened' };
      const descriptor: Descriptor = { network, script: around({ origin: null, key, mark: 'h' }) };
      return { descriptor, branch, active: { addressType, internal: branch === 1 } };
    });
    return { path, descriptors };
  });
}

/** Whether a descriptor has a set of scripts for each index, not a single set. */
export function isRanged(descriptor: Descriptor): boolean {
  return [...keyIndexesOf(descriptor.script).keys()].some((key) =>
    isAggregate(key) ? key.children !== 'none' : key.key.kind === 'tree' && key.key.children !== 'none',
  );
}

/** The error for a wrong or unusable descriptor. Never quotes the descriptor, which may hold a private key. */
export function descriptorError(finding: Finding): FileError {
  return new FileError('bad_input', finding);
}
