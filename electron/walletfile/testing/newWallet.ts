/** Reads a descriptor wallet's file and returns what a node would report, for tests of migrations. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { once } from '../bytes/once.ts';
import { readSqlite } from '../database/walletDatabase.ts';
import { isRanged } from '../descriptor/descriptor.ts';
import { expander } from '../descriptor/descriptorExpand.ts';
import { descriptorId, writeNormalised, writePrivate } from '../descriptor/descriptorWrite.ts';
import { storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { migrateWallet } from '../migrate/migrateWallet.ts';
import { type KnownRecord, recordsByType, walletFlags } from '../records/records.ts';
import { knownRecords } from './wallets.ts';

interface ShownDescriptor {
  /** As `listdescriptors` and `listdescriptors true` print it. */
  desc: string;
  private: string;
  timestamp: number;
  active: boolean;
  internal?: boolean;
  range?: [first: number, last: number];
  next_index?: number;
}

interface ShownWallet {
  network: Network | null;
  records: KnownRecord[];
  flags: string[];
  /** Sorted by text. */
  descriptors: ShownDescriptor[];
  /** Hex of all scripts of all descriptors with their full ranges. Computed on demand because they are thousands. */
  readonly scripts: Set<string>;
  /** Labels by address. */
  labels: Map<string, string>;
  purposes: Map<string, string>;
  txids: string[];
  locked: { txid: string; vout: number }[];
}

/** Derives everything from the file's caches, like a node without private keys. */
export async function showWallet(
  file: Uint8Array,
  masterKey: Uint8Array | null = null,
): Promise<ShownWallet> {
  const { records: entries, network } = await readSqlite(file);
  const records = recordsByType(entries);
  const { damaged } = records.unread();
  if (damaged.length > 0) throw new Error(`damaged: ${damaged.map(({ name }) => name)}`);
  const ranges: (() => readonly Uint8Array[])[] = [];
  const descriptors = storedDescriptors(records, network ?? 'regtest').map((stored) => {
    const { record, descriptor, active } = stored;
    if (!descriptor) throw new Error(`not readable: ${record.descriptor}`);
    const id = bytesToHex(record.descriptorId);
    if (bytesToHex(descriptorId(descriptor)) !== id) throw new Error(`another id: ${record.descriptor}`);
    const { privateKeys, ...caches } = stored.sources(masterKey);
    const isOpen = masterKey !== null || records.of('walletdescriptorckey').length === 0;
    if (isOpen && privateKeys.size < stored.keys.length) throw new Error('a private key that is not whole');
    const at = expander(descriptor, caches);
    const { rangeStart, rangeEnd } = record;
    const length = rangeEnd - rangeStart;
    ranges.push(() => Array.from({ length }, (_, past) => at(rangeStart + past).scripts).flat());
    return {
      desc: writeNormalised(descriptor, caches),
      private: writePrivate(descriptor, privateKeys),
      timestamp: record.createTime,
      active: active !== null,
      ...(active && { internal: active.internal }),
      ...(isRanged(descriptor)
        ? {
            range: [record.rangeStart, record.rangeEnd - 1] satisfies [number, number],
            next_index: record.nextIndex,
          }
        : {}),
    };
  });
  const scripts = once(() => new Set(ranges.flatMap((scriptsOf) => scriptsOf().map(bytesToHex))));
  return {
    network,
    records: knownRecords(entries),
    flags: walletFlags(records.one('flags')?.flags ?? 0n),
    descriptors: descriptors.toSorted((a, b) => (a.desc < b.desc ? -1 : 1)),
    get scripts() {
      return scripts();
    },
    labels: new Map(records.of('name').map(({ address, label }) => [address, label])),
    purposes: new Map(records.of('purpose').map(({ address, purpose }) => [address, purpose])),
    txids: records
      .of('tx')
      .map(({ txid }) => txid)
      .sort(),
    locked: records.of('lockedutxo').map(({ txid, index }) => ({ txid, vout: index })),
  };
}

/** Unspent satoshi by the wallet's transactions, all of which are confirmed in the recorded wallets. */
export function coinsOf({ records, scripts }: Pick<ShownWallet, 'records' | 'scripts'>): bigint {
  const transactions = records.flatMap((record) => (record.type === 'tx' ? [record] : []));
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

/** The main wallet that a migration makes of a file on regtest. A thousand keys kept ready would take seconds. */
export async function migratedFile(bytes: Uint8Array, name = 'w', passphrase?: string): Promise<Uint8Array> {
  const options = { bytes, network: 'regtest', name, now: 1_800_000_000, keypoolSize: 20 } as const;
  const { primary } = await migrateWallet(passphrase === undefined ? options : { ...options, passphrase });
  return primary?.bytes ?? new Uint8Array();
}
