/** The descriptors that a migration plans, those of a legacy wallet's chains among them, and their records. */

import { createView } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { Network } from '../../../shared/model/network.ts';
import { quickSha256 } from '../bytes/quickHash.ts';
import { fromLatin1, toLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import {
  type Descriptor,
  type DescriptorCache,
  defaultAccounts,
  type KeyOrigin,
  type TreeKey,
} from '../descriptor/descriptor.ts';
import { descriptorId, writePublic } from '../descriptor/descriptorWrite.ts';
import {
  deriveChild,
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  extendedKeyOfSeed,
  extendedPublicKeyRecord,
  HARDENED,
  type HardenedMark,
  privateChildDeriver,
  withoutPrivateKey,
  writePath,
} from '../keys/extendedKey.ts';
import { storedKeyOf } from '../keys/privateKey.ts';
import { publicKeyOf } from '../keys/publicKey.ts';
import {
  type LegacyKey,
  type LegacyKeys,
  type LegacyPrivateKeys,
  type StoredSecret,
  storedSecret,
} from '../legacy/legacyKeys.ts';
import {
  type Branch,
  counterOf,
  type DerivedKey,
  type DerivedKeys,
  type HdChain,
  type LegacyWallet,
  originOf,
} from '../legacy/legacyWallet.ts';
import type { AssignedScript } from '../legacy/migrationPlan.ts';
import { type AddressType, knownBirth } from '../records/recordShapes.ts';
import { KeyInPlace, type RecordWriter } from '../records/records.ts';
import { hash160 } from '../script/script.ts';

interface ChainRoot {
  node: ExtendedPrivateKey;
  secret: StoredSecret;
}

/** A branch of a key chain, up to the last key that the legacy wallet derived. */
export interface ChainBranch {
  descriptor: Descriptor;
  root: ChainRoot;
  children: ExtendedPublicKey[];
  /** The index of the next unused address. */
  nextIndex: number;
  /** The legacy wallet's own keys among them, with their index. */
  keys: ReadonlyMap<LegacyKey, number>;
  /** Derives the child at an index, even after the last. */
  childAt(index: number): ExtendedPublicKey;
}

export interface PlannedDescriptor {
  /** 32 bytes. */
  id: Uint8Array;
  /** Public keys only, with its checksum. */
  text: string;
  /** Unix seconds; 0 or 1 if unknown. */
  createTime: number;
  nextIndex: number;
  /** The index after the last. 1 for a descriptor without range. */
  rangeEnd: number;
  /** The private keys that belong to it. */
  keys: readonly { publicKey: Uint8Array; secret: StoredSecret }[];
  /** The public keys that a node needs to derive the scripts of a range without private keys. */
  cache?: DescriptorCache;
  /** The addresses that it makes from now on; null if it is not active. */
  active: { addressType: AddressType; internal: boolean } | null;
}

/**
 * The descriptor of a key outside all chains: `combo([origin]KEY)`. `isPaid`: whether a transaction paid it. `text` and `id` equal
 * the results of `writePublic` and `descriptorId`, which take longer.
 */
export function keyDescriptor(
  key: LegacyKey,
  privateKeys: LegacyPrivateKeys,
  isPaid: boolean,
): PlannedDescriptor {
  const { publicKey, metadata } = key;
  const origin = metadata && originOf(key.hash, metadata);
  const text = comboText(publicKey, origin, 'h');
  // The id hashes the text with the other mark.
  const hasMarks = origin?.path.some((step) => step >= HARDENED);
  // One object for each key: `...` would take a kilobyte more.
  return {
    id: fromLatin1(quickSha256(hasMarks ? comboText(publicKey, origin, "'") : text)),
    text,
    createTime: knownBirth(metadata?.createTime ?? 0),
    nextIndex: isPaid ? 1 : 0,
    rangeEnd: 1,
    active: null,
    keys: [{ publicKey, secret: privateKeys.of(key) }],
  };
}

/** The descriptor of a script that single keys do not cover. Companion wallets get no private keys. */
export function scriptDescriptors(
  { records }: LegacyWallet,
  privateKeys: LegacyPrivateKeys,
): (placed: AssignedScript, isPaid: boolean) => PlannedDescriptor {
  const times = new Map(
    records.of('watchmeta').map(({ script, createTime }) => [toLatin1(script), createTime]),
  );
  return ({ part, script, descriptor, text, keys }, isPaid) => ({
    id: descriptorId(descriptor),
    text,
    createTime: knownBirth(times.get(toLatin1(script)) ?? 0),
    nextIndex: isPaid ? 1 : 0,
    rangeEnd: 1,
    active: null,
    keys:
      part === 'primary'
        ? keys.map((key) => ({ publicKey: key.publicKey, secret: privateKeys.of(key) }))
        : [],
  });
}

/** The descriptor of a chain's branch. */
export function branchDescriptor(branch: ChainBranch): PlannedDescriptor {
  const { descriptor, root, nextIndex, children } = branch;
  return {
    id: descriptorId(descriptor),
    text: writePublic(descriptor),
    createTime: 0,
    nextIndex,
    rangeEnd: children.length,
    active: null,
    keys: [{ publicKey: root.node.publicKey, secret: root.secret }],
    cache: {
      parents: new Map(),
      children: new Map([[0, new Map(children.entries())]]),
      lastHardened: new Map(),
    },
  };
}

/** The records of a descriptor, as a node writes them. */
export function descriptorRecords(
  { id, text, createTime, nextIndex, rangeEnd, keys, cache, active }: PlannedDescriptor,
  writer: RecordWriter,
): RawRecord[] {
  const descriptorId = id;
  const range = { createTime, nextIndex, rangeStart: 0, rangeEnd };
  const records = [writer.write({ type: 'walletdescriptor', descriptorId, descriptor: text, ...range })];
  for (const { publicKey, secret } of keys) {
    if ('encrypted' in secret) {
      const { encrypted } = secret;
      records.push(writer.write({ type: 'walletdescriptorckey', descriptorId, publicKey, encrypted }));
    } else {
      const { der, checksum } = secret;
      const record = { type: 'walletdescriptorkey', descriptorId, publicKey, der, checksum } as const;
      // Both records have the same value, unless other bytes follow.
      const stored = secret instanceof KeyInPlace && secret.trailing === undefined ? secret.entry : null;
      records.push(writer.write(record, stored));
    }
  }
  const child = (keyIndex: number, derivationIndex: number | null, key: ExtendedPublicKey) =>
    writer.write({
      type: 'walletdescriptorcache',
      descriptorId,
      keyIndex,
      derivationIndex,
      extendedPublicKey: extendedPublicKeyRecord(key),
    });
  for (const [keyIndex, key] of cache?.parents ?? []) records.push(child(keyIndex, null, key));
  for (const [keyIndex, ofKey] of cache?.children ?? []) {
    for (const [index, key] of ofKey) records.push(child(keyIndex, index, key));
  }
  for (const [keyIndex, key] of cache?.lastHardened ?? []) {
    const extendedPublicKey = extendedPublicKeyRecord(key);
    records.push(
      writer.write({ type: 'walletdescriptorlhcache', descriptorId, keyIndex, extendedPublicKey }),
    );
  }
  if (active) {
    const type = active.internal ? 'activeinternalspk' : 'activeexternalspk';
    records.push(writer.write({ type, addressType: active.addressType, descriptorId }));
  }
  return records;
}

function comboText(publicKey: Uint8Array, origin: KeyOrigin | null, mark: HardenedMark): string {
  const from = origin ? `[${origin.fingerprint}${writePath(origin.path, mark)}]` : '';
  const { buffer, byteOffset, length } = publicKey;
  return withChecksum(`combo(${from}${Buffer.from(buffer, byteOffset, length).toString('hex')})`);
}

/**
 * Descriptors of the chains whose seed the wallet has: `combo(xpub/0h/0h/*h)` for addresses, `/0h/1h/*h` for change. `derived`: from
 * `deriveChainKeys`. Throws AppError `wallet_error` if a chain's key is missing. Source: `MigrateToDescriptor` in
 * `scriptpubkeyman.cpp`.
 */
export function chainDescriptors(
  wallet: LegacyWallet,
  privateKeys: LegacyPrivateKeys,
  masterKey: Uint8Array | null,
  network: Network,
  derived: DerivedKeys,
) {
  const found = wallet.chains.flatMap((chain) => {
    const seed = wallet.seedOf(chain);
    return seed ? [{ chain, master: chainRootOfSeed(privateKeys.secretOf(seed), masterKey) }] : [];
  });
  const branchOf = (root: ChainRoot, chain: HdChain, branch: Branch): ChainBranch => {
    const at = childrenOf(root, branch, derived.get(chain)?.[branch] ?? [], wallet.keys);
    const children: ExtendedPublicKey[] = [];
    const keys = new Map<LegacyKey, number>();
    for (let index = 0; index < counterOf(chain, branch); index += 1) {
      const { child, key } = at(index);
      if (!key) throw missingKeyError(index);
      children.push(child);
      keys.set(key, index);
    }
    const descriptor = comboDescriptor(root, branch, network);
    return { descriptor, root, children, nextIndex: 0, keys, childAt: (index) => at(index).child };
  };
  return {
    branches: found.flatMap(({ chain, master }) => {
      const external = branchOf(master, chain, 0);
      return wallet.hasInternalChains ? [external, branchOf(master, chain, 1)] : [external];
    }),
    /** The root of the active chain; null without one. */
    activeRoot: found.find(({ chain }) => chain.active)?.master ?? null,
  };
}

/**
 * Returns a function that gives the extended public key of a branch's hardened child, and the wallet's key for it. `derived`: the keys
 * that need not be derived again.
 */
function childrenOf(
  master: ChainRoot,
  branch: Branch,
  derived: readonly DerivedKey[],
  keys: LegacyKeys,
): (index: number) => { child: ExtendedPublicKey; key: LegacyKey | null } {
  const parent = deriveChild(master.node, [HARDENED, branch + HARDENED]);
  const parentFingerprint = createView(hash160(parent.publicKey)).getUint32(0, false);
  const childAt = (index: number, chainCode: Uint8Array, publicKey: Uint8Array): ExtendedPublicKey => ({
    depth: parent.depth + 1,
    parentFingerprint,
    childNumber: index + HARDENED,
    chainCode,
    publicKey,
  });
  const derive = privateChildDeriver(parent);
  return (index) => {
    const known = derived[index];
    if (known) return { child: childAt(index, known.chainCode, known.key.publicKey), key: known.key };
    const { privateKey, chainCode } = derive(index + HARDENED);
    const publicKey = publicKeyOf(privateKey);
    privateKey.fill(0);
    return { child: childAt(index, chainCode, publicKey), key: keys.ofPublicKey(publicKey) ?? null };
  };
}

function comboDescriptor({ node }: ChainRoot, branch: Branch, network: Network): Descriptor {
  const path = [HARDENED, HARDENED + branch];
  const key: TreeKey = { kind: 'tree', root: withoutPrivateKey(node), path, children: 'hardened' };
  return { network, script: { kind: 'combo', key: { origin: null, key, mark: 'h' } } };
}

function missingKeyError(index: number): FileError {
  return new FileError('wallet_error', { code: 'chain_key_missing', index });
}

/** Eight descriptors of one master key, created at `now` (Unix seconds) with the range 0 to `keypoolSize`. */
export function activeDescriptors(
  master: ChainRoot,
  network: Network,
  now: number,
  keypoolSize: number,
): PlannedDescriptor[] {
  const keys = [{ publicKey: master.node.publicKey, secret: master.secret }];
  return defaultAccounts(withoutPrivateKey(master.node), network).flatMap(({ path, descriptors }) => {
    const accountKey = deriveChild(master.node, path);
    return descriptors.map(({ descriptor, branch, active }) => ({
      id: descriptorId(descriptor),
      text: writePublic(descriptor),
      createTime: now,
      nextIndex: 0,
      rangeEnd: keypoolSize,
      keys,
      cache: {
        parents: new Map([[0, withoutPrivateKey(deriveChild(accountKey, [branch]))]]),
        children: new Map(),
        lastHardened: new Map([[0, withoutPrivateKey(accountKey)]]),
      },
      active,
    }));
  });
}

/** The root of a seed's key tree, with its private key as the wallet stores it. `masterKey`: null without encryption. */
export function chainRootOfSeed(seed: Uint8Array, masterKey: Uint8Array | null): ChainRoot {
  const node = extendedKeyOfSeed(seed);
  const { privateKey, publicKey } = node;
  return { node, secret: storedSecret(privateKey, storedKeyOf(privateKey, publicKey), masterKey) };
}
