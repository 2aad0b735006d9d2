/** The descriptors of a wallet's file, with the keys and the cache that are kept for them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model.ts';
import { decryptKey } from '../../wallet/crypter.ts';
import type { Descriptor, DescriptorCache, KeySources } from '../../wallet/descriptor.ts';
import { UnsupportedDescriptor } from '../../wallet/descriptorError.ts';
import { parseDescriptor } from '../../wallet/descriptorParse.ts';
import { type ExtendedPublicKey, readExtendedPublicKeyRecord } from '../../wallet/extendedKey.ts';
import { readStoredKey } from '../../wallet/privateKey.ts';
import type { Of, RecordsByType } from './recordsByType.ts';

export interface StoredDescriptor {
  readonly record: Of<'walletdescriptor'>;
  readonly use: 'external' | 'internal' | 'inactive';
  /** Null for a kind that is not read here: it is listed as it is kept. Throws AppError for a damaged one. */
  parsed(): Descriptor | null;
  /** What is kept of its keys; private ones as far as they are plain or the master key is given. */
  sources(masterKey: Uint8Array | null): KeySources;
}

/** In the order of the file. What each needs is read when it is asked for: a wallet can have thousands. */
export function descriptorsOf(records: RecordsByType, network: Network): StoredDescriptor[] {
  const uses = new Map<string, 'external' | 'internal'>([
    ...records
      .of('activeexternalspk')
      .map(({ descriptorId }) => [bytesToHex(descriptorId), 'external'] as const),
    ...records
      .of('activeinternalspk')
      .map(({ descriptorId }) => [bytesToHex(descriptorId), 'internal'] as const),
  ]);
  const keys = grouped(records.of('walletdescriptorkey'));
  const encrypted = grouped(records.of('walletdescriptorckey'));
  const cached = grouped(records.of('walletdescriptorcache'));
  const hardened = grouped(records.of('walletdescriptorlhcache'));
  return records.of('walletdescriptor').map((record) => {
    const id = bytesToHex(record.descriptorId);
    let parsed: { descriptor: Descriptor | null } | undefined;
    let cache: DescriptorCache | undefined;
    return {
      record,
      use: uses.get(id) ?? 'inactive',
      parsed: () => {
        parsed ??= { descriptor: parse(record.descriptor, network) };
        return parsed.descriptor;
      },
      sources: (masterKey) => {
        cache ??= cacheOf(cached.get(id) ?? [], hardened.get(id) ?? []);
        return { cache, privateKeys: privateKeysOf(keys.get(id) ?? [], encrypted.get(id) ?? [], masterKey) };
      },
    };
  });
}

function grouped<T extends { descriptorId: Uint8Array }>(records: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const record of records) {
    const id = bytesToHex(record.descriptorId);
    const group = groups.get(id);
    if (group) group.push(record);
    else groups.set(id, [record]);
  }
  return groups;
}

function parse(text: string, network: Network): Descriptor | null {
  try {
    return parseDescriptor(text, { network, checksum: 'required' }).descriptor;
  } catch (error) {
    if (error instanceof UnsupportedDescriptor) return null;
    throw error;
  }
}

function cacheOf(
  cached: readonly Of<'walletdescriptorcache'>[],
  hardened: readonly Of<'walletdescriptorlhcache'>[],
): DescriptorCache {
  const parents = new Map<number, ExtendedPublicKey>();
  const children = new Map<number, Map<number, ExtendedPublicKey>>();
  for (const { keyIndex, derivationIndex, extendedPublicKey } of cached) {
    const key = readExtendedPublicKeyRecord(extendedPublicKey);
    if (!key) continue;
    if (derivationIndex === null) {
      parents.set(keyIndex, key);
      continue;
    }
    const ofKey = children.get(keyIndex) ?? new Map<number, ExtendedPublicKey>();
    children.set(keyIndex, ofKey.set(derivationIndex, key));
  }
  const lastHardened = new Map<number, ExtendedPublicKey>();
  for (const { keyIndex, extendedPublicKey } of hardened) {
    const key = readExtendedPublicKeyRecord(extendedPublicKey);
    if (key) lastHardened.set(keyIndex, key);
  }
  return { parents, children, lastHardened };
}

function privateKeysOf(
  plain: readonly Of<'walletdescriptorkey'>[],
  encrypted: readonly Of<'walletdescriptorckey'>[],
  masterKey: Uint8Array | null,
): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>();
  for (const record of plain) {
    const key = readStoredKey(record);
    if (key) keys.set(bytesToHex(record.publicKey), key.privateKey);
  }
  if (masterKey === null) return keys;
  for (const record of encrypted) {
    const privateKey = decryptKey(masterKey, record);
    if (privateKey) keys.set(bytesToHex(record.publicKey), privateKey);
  }
  return keys;
}
