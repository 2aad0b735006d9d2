/** What an output descriptor is, once read: the declared shape that all the rest works on (BIP 380 to 386). */
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import type { ExtendedPublicKey, HardenedMark } from '../key/extendedKey.ts';

/** A descriptor never holds private keys: they are beside it, as `PrivateKeys`. */
export interface Descriptor {
  network: Network;
  script: ScriptExpression;
}

export type ScriptExpression =
  /** `unused` has no script: it keeps a key for descriptors to come (release 32). */
  | { kind: 'pk' | 'pkh' | 'wpkh' | 'combo' | 'tr' | 'rawtr' | 'unused'; key: KeyExpression }
  | { kind: 'multi' | 'sortedmulti'; threshold: number; keys: KeyExpression[] }
  | { kind: 'sh' | 'wsh'; inner: ScriptExpression }
  /** A script by its bytes, or by its address. */
  | { kind: 'raw' | 'addr'; scriptPubKey: Uint8Array };

/** One key of a script. Wallet files number a descriptor's keys from 0, in the order of `keysOf`. */
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

/** The key expressions of a descriptor in the order in which they are written. */
export function keysOf(script: ScriptExpression): readonly KeyExpression[] {
  switch (script.kind) {
    case 'multi':
    case 'sortedmulti':
      return script.keys;
    case 'sh':
    case 'wsh':
      return keysOf(script.inner);
    case 'raw':
    case 'addr':
      return [];
    default:
      return [script.key];
  }
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

/** Whether a descriptor stands for one set of scripts per index, and not for a single one. */
export function isRanged(descriptor: Descriptor): boolean {
  return keysOf(descriptor.script).some(({ key }) => key.kind === 'tree' && key.children !== 'none');
}

const HINT = say('Nothing was changed. Check that the descriptor is complete.');

/**
 * A descriptor that is wrong, or that cannot be used the way it was asked to be. Never quotes the descriptor: it may
 * hold a private key.
 */
export function descriptorError(message: string, hint: string = HINT): AppError {
  return new AppError('bad_input', message, hint);
}

/**
 * A descriptor of a kind that Bitcoin Core knows and this app does not read: Miniscript, taproot script trees,
 * MuSig2 and several paths in one. It may well be right; the wallet that holds it is not damaged.
 */
export class UnsupportedDescriptor extends AppError {
  constructor(message: string) {
    super('bad_input', message, say('The wallet is not damaged: a node can still use the descriptor.'));
  }
}
