/** A descriptor wallet's file as a node's calls would show it, for tests of what a migration makes. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model.ts';
import { decryptKey } from '../crypter.ts';
import { type DescriptorCache, isRanged, type PrivateKeys } from '../descriptor.ts';
import { expander } from '../descriptorExpand.ts';
import { descriptorId } from '../descriptorId.ts';
import { parseDescriptor } from '../descriptorParse.ts';
import { writeNormalised, writePrivate } from '../descriptorWrite.ts';
import { readExtendedPublicKeyRecord } from '../extendedKey.ts';
import { readStoredKey } from '../privateKey.ts';
import { type KnownRecord, parseRecords } from '../records.ts';
import { type Of, recordsByType } from '../recordsByType.ts';
import { readSqlite } from '../sqlite.ts';
import { walletFlags } from '../walletFlags.ts';

export interface ShownDescriptor {
  /** As `listdescriptors` and `listdescriptors true` print it. */
  desc: string;
  private: string;
  timestamp: number;
  active: boolean;
  internal?: boolean;
  range?: [first: number, last: number];
  next_index?: number;
}

export interface ShownWallet {
  network: Network | null;
  records: KnownRecord[];
  flags: string[];
  /** Sorted by their text. */
  descriptors: ShownDescriptor[];
  /** Hex of all scripts of all descriptors, their ranges whole. */
  scripts: Set<string>;
  /** Labels by address. */
  labels: Map<string, string>;
  purposes: Map<string, string>;
  txids: string[];
  locked: { txid: string; vout: number }[];
}

/** Everything is worked out from the file's caches, as a node does that has no private keys. */
export async function showWallet(
  file: Uint8Array,
  masterKey: Uint8Array | null = null,
): Promise<ShownWallet> {
  const { records: entries, network } = await readSqlite(file);
  const parsed = parseRecords(entries);
  if (parsed.damaged.length > 0) throw new Error(`damaged: ${parsed.damaged.map(({ name }) => name)}`);
  const records = recordsByType(parsed.records);
  const scripts = new Set<string>();
  const active = new Map([
    ...records.of('activeexternalspk').map((record) => [bytesToHex(record.descriptorId), false] as const),
    ...records.of('activeinternalspk').map((record) => [bytesToHex(record.descriptorId), true] as const),
  ]);
  const descriptors = records.of('walletdescriptor').map((record) => {
    const id = bytesToHex(record.descriptorId);
    const ofThis = <T extends { descriptorId: Uint8Array }>(all: readonly T[]) =>
      all.filter((each) => bytesToHex(each.descriptorId) === id);
    const { descriptor } = parseDescriptor(record.descriptor, {
      network: network ?? 'regtest',
      checksum: 'required',
    });
    if (bytesToHex(descriptorId(descriptor)) !== id) throw new Error(`another id: ${record.descriptor}`);
    const cache = cacheOf(
      ofThis(records.of('walletdescriptorcache')),
      ofThis(records.of('walletdescriptorlhcache')),
    );
    const privateKeys = privateKeysOf(
      ofThis(records.of('walletdescriptorkey')),
      ofThis(records.of('walletdescriptorckey')),
      masterKey,
    );
    const at = expander(descriptor, { cache });
    for (let index = record.rangeStart; index < record.rangeEnd; index += 1) {
      for (const script of at(index).scripts) scripts.add(bytesToHex(script));
    }
    const internal = active.get(id);
    return {
      desc: writeNormalised(descriptor, { cache }),
      private: writePrivate(descriptor, privateKeys),
      timestamp: record.createTime,
      active: internal !== undefined,
      ...(internal === undefined ? {} : { internal }),
      ...(isRanged(descriptor)
        ? {
            range: [record.rangeStart, record.rangeEnd - 1] satisfies [number, number],
            next_index: record.nextIndex,
          }
        : {}),
    };
  });
  return {
    network,
    records: parsed.records,
    flags: walletFlags(records.one('flags')?.flags ?? 0n),
    descriptors: descriptors.toSorted((a, b) => (a.desc < b.desc ? -1 : 1)),
    scripts,
    labels: new Map(records.of('name').map(({ address, label }) => [address, label])),
    purposes: new Map(records.of('purpose').map(({ address, purpose }) => [address, purpose])),
    txids: records
      .of('tx')
      .map(({ txid }) => txid)
      .sort(),
    locked: records.of('lockedutxo').map(({ txid, index }) => ({ txid, vout: index })),
  };
}

/** Satoshi of the coins that a wallet's stored transactions leave it. All are in a block in the recorded wallets. */
export function coinsOf({ records, scripts }: Pick<ShownWallet, 'records' | 'scripts'>): bigint {
  const transactions = recordsByType(records).of('tx');
  const spent = new Set(
    transactions.flatMap(({ transaction }) =>
      transaction.inputs.map(({ txid, index }) => `${txid}:${index}`),
    ),
  );
  return transactions
    .flatMap(({ txid, transaction }) =>
      transaction.outputs.map((output, vout) => ({ ...output, coin: `${txid}:${vout}` })),
    )
    .filter(({ scriptPubKey, coin }) => scripts.has(bytesToHex(scriptPubKey)) && !spent.has(coin))
    .reduce((sum, { value }) => sum + value, 0n);
}

function cacheOf(
  cached: readonly Of<'walletdescriptorcache'>[],
  lastHardened: readonly Of<'walletdescriptorlhcache'>[],
): DescriptorCache {
  const read = (bytes: Uint8Array) => {
    const key = readExtendedPublicKeyRecord(bytes);
    if (!key) throw new Error('a damaged key in the cache');
    return key;
  };
  const parents = new Map();
  const children = new Map<number, Map<number, ReturnType<typeof read>>>();
  for (const { keyIndex, derivationIndex, extendedPublicKey } of cached) {
    if (derivationIndex === null) parents.set(keyIndex, read(extendedPublicKey));
    else {
      const ofKey = children.get(keyIndex) ?? new Map();
      children.set(keyIndex, ofKey.set(derivationIndex, read(extendedPublicKey)));
    }
  }
  return {
    parents,
    children,
    lastHardened: new Map(
      lastHardened.map(({ keyIndex, extendedPublicKey }) => [keyIndex, read(extendedPublicKey)]),
    ),
  };
}

function privateKeysOf(
  plain: readonly Of<'walletdescriptorkey'>[],
  encrypted: readonly Of<'walletdescriptorckey'>[],
  masterKey: Uint8Array | null,
): PrivateKeys {
  const keys = new Map<string, Uint8Array>();
  for (const record of plain) {
    const key = readStoredKey(record);
    if (!key) throw new Error('a private key that is not whole');
    keys.set(bytesToHex(record.publicKey), key.privateKey);
  }
  for (const record of encrypted) {
    const key = masterKey && decryptKey(masterKey, record);
    if (key) keys.set(bytesToHex(record.publicKey), key);
  }
  return keys;
}
