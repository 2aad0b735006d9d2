/** The descriptors that a migration plans, and their records. */
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { quickSha256 } from '../bytes/quickHash.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { withChecksum } from '../descriptor/checksum.ts';
import type { Descriptor, DescriptorCache, KeyOrigin } from '../descriptor/descriptor.ts';
import { descriptorId, writePublic } from '../descriptor/descriptorWrite.ts';
import {
  type ExtendedPrivateKey,
  type ExtendedPublicKey,
  extendedPublicKeyRecord,
  HARDENED,
  type HardenedMark,
  writePath,
} from '../keys/extendedKey.ts';
import type { LegacyKey } from '../legacy/legacyKeys.ts';
import type { LegacyPrivateKeys, StoredSecret } from '../legacy/legacyPrivateKeys.ts';
import { type LegacyWallet, originOf } from '../legacy/legacyWallet.ts';
import type { PlacedScript } from '../legacy/migrationPlan.ts';
import type { AddressType } from '../records/recordShapes.ts';
import type { RecordWriter } from '../records/records.ts';

export interface MasterKey {
  node: ExtendedPrivateKey;
  held: StoredSecret;
}

/** A branch of a key chain, up to the last key that the legacy wallet derived. */
export interface ChainBranch {
  descriptor: Descriptor;
  master: MasterKey;
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
  keys: readonly { publicKey: Uint8Array; held: StoredSecret }[];
  /** The public keys that a node needs to derive its scripts without private keys. */
  cache: DescriptorCache | null;
  /** The addresses that it makes from now on; null if it is not active. */
  active: { addressType: AddressType; internal: boolean } | null;
}

const NOT_RANGED = { rangeEnd: 1, cache: null, active: null };

/**
 * The descriptor of a key outside all chains: `combo([origin]KEY)`. `isPaid`: whether a transaction paid it. `text` and `id` equal
 * the results of `writePublic` and `descriptorId`, which take longer.
 */
export function keyDescriptor(key: LegacyKey, held: LegacyPrivateKeys, isPaid: boolean): PlannedDescriptor {
  const { publicKey, metadata } = key;
  const origin = metadata && originOf(key.hash, metadata);
  const text = comboText(publicKey, origin, 'h');
  // The id hashes the text with the other mark.
  const hasMarks = origin?.path.some((step) => step >= HARDENED);
  return {
    ...NOT_RANGED,
    id: bytesOf(quickSha256(hasMarks ? comboText(publicKey, origin, "'") : text)),
    text,
    createTime: metadata?.createTime ?? 0,
    nextIndex: isPaid ? 1 : 0,
    keys: [{ publicKey, held: held.of(key) }],
  };
}

/** The descriptor of a script that single keys do not cover. Companion wallets get no private keys. */
export function scriptDescriptors(
  { records }: LegacyWallet,
  held: LegacyPrivateKeys,
): (placed: PlacedScript, isPaid: boolean) => PlannedDescriptor {
  const times = new Map(
    records.of('watchmeta').map(({ script, createTime }) => [byteText(script), createTime]),
  );
  return ({ place, script, descriptor, text, keys }, isPaid) => ({
    ...NOT_RANGED,
    id: descriptorId(descriptor),
    text,
    createTime: times.get(byteText(script)) ?? 0,
    nextIndex: isPaid ? 1 : 0,
    keys: place === 'primary' ? keys.map((key) => ({ publicKey: key.publicKey, held: held.of(key) })) : [],
  });
}

/** The descriptor of a chain's branch. */
export function branchDescriptor(branch: ChainBranch): PlannedDescriptor {
  const { descriptor, master, nextIndex, children } = branch;
  return {
    id: descriptorId(descriptor),
    text: writePublic(descriptor),
    createTime: 0,
    nextIndex,
    rangeEnd: children.length,
    keys: [{ publicKey: master.node.publicKey, held: master.held }],
    cache: {
      parents: new Map(),
      children: new Map([[0, new Map(children.entries())]]),
      lastHardened: new Map(),
    },
    active: null,
  };
}

/** The records of a descriptor, as a node writes them. */
export function* descriptorRecords(
  { id, text, createTime, nextIndex, rangeEnd, keys, cache, active }: PlannedDescriptor,
  writer: RecordWriter,
): Generator<RawRecord> {
  const descriptorId = id;
  const range = { createTime, nextIndex, rangeStart: 0, rangeEnd };
  yield writer.write({ type: 'walletdescriptor', descriptorId, descriptor: text, ...range });
  for (const { publicKey, held } of keys) {
    const of = { descriptorId, publicKey };
    if ('encrypted' in held) {
      yield writer.write({ type: 'walletdescriptorckey', ...of, encrypted: held.encrypted });
    } else {
      yield writer.write({ type: 'walletdescriptorkey', ...of, der: held.der, checksum: held.checksum });
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
  for (const [keyIndex, key] of cache?.parents ?? []) yield child(keyIndex, null, key);
  for (const [keyIndex, ofKey] of cache?.children ?? []) {
    for (const [index, key] of ofKey) yield child(keyIndex, index, key);
  }
  for (const [keyIndex, key] of cache?.lastHardened ?? []) {
    const extendedPublicKey = extendedPublicKeyRecord(key);
    yield writer.write({ type: 'walletdescriptorlhcache', descriptorId, keyIndex, extendedPublicKey });
  }
  if (!active) return;
  const type = active.internal ? 'activeinternalspk' : 'activeexternalspk';
  yield writer.write({ type, addressType: active.addressType, descriptorId });
}

function comboText(publicKey: Uint8Array, origin: KeyOrigin | null, mark: HardenedMark): string {
  const from = origin ? `[${origin.fingerprint}${writePath(origin.path, mark)}]` : '';
  return withChecksum(`combo(${from}${Buffer.from(publicKey).toString('hex')})`);
}
