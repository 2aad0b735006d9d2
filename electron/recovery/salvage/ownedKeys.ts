/**
 * What ties a key to the wallet. A private key that stands in a wallet's file need not be of it: Berkeley DB does not clean
 * the free room of a page, and a node that had several wallets open wrote parts of one into the file of another.
 */
import type { Network } from '../../../shared/model/network.ts';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import { nestedHash, WITNESS_START } from '../../walletfile/legacy/legacyKeys.ts';
import { parseRecord } from '../../walletfile/records/records.ts';
import { hashInAddress } from '../../walletfile/script/address.ts';
import { type FoundRecord, isWholeSource } from './berkeleyRecords.ts';

export class OwnedKeys {
  /** As `byteText`, as all here: public keys that records of whole pages name. */
  private readonly keys = new Set<string>();
  /** Hashes in the wallet's addresses, and of the keys in its scripts. */
  private readonly hashes = new Set<string>();
  private readonly seeds = new Set<string>();
  private readonly seedOfKey = new Map<string, string>();
  /** Without one record from a whole page, all that there is is taken for one wallet. */
  private readonly anyWhole: boolean;

  constructor(found: readonly FoundRecord[]) {
    this.anyWhole = found.some(isWholeSource);
    for (const one of found) this.learn(one);
  }

  /** Whether a record of a whole page names it, its address or its script, or its chain is one that such records name. */
  owns(publicKey: Uint8Array): boolean {
    const name = byteText(publicKey);
    if (!this.anyWhole || this.keys.has(name)) return true;
    const seed = this.seedOfKey.get(name);
    if (seed !== undefined && this.seeds.has(seed)) return true;
    const hash = quickHash160(publicKey);
    return this.hashes.has(hash) || this.seeds.has(hash) || this.hashes.has(nestedHash(hash));
  }

  private learn(one: FoundRecord): void {
    const record = parseRecord(one.record.key, one.record.value);
    const isWhole = isWholeSource(one);
    if (record.type === 'keymeta' || record.type === 'pool' || record.type === 'defaultkey') {
      const name = byteText(record.publicKey);
      if (isWhole) this.keys.add(name);
      if (record.type !== 'keymeta' || !record.hd || record.hd.keyPath === '') return;
      const seed = byteText(record.hd.seedId);
      if (isWhole) this.seeds.add(seed);
      else this.seedOfKey.set(name, seed);
    }
    if (!isWhole) return;
    if (record.type === 'hdchain') this.seeds.add(byteText(record.seedId));
    if (record.type === 'name' || record.type === 'purpose')
      for (const hash of hashesIn(record.address)) this.hashes.add(hash);
    const { length } = WITNESS_START;
    if (record.type === 'cscript' && byteText(record.script.subarray(0, length)) === WITNESS_START)
      this.hashes.add(byteText(record.script.subarray(length)));
  }
}

/** The networks by which addresses differ: those of the other two test networks are written as testnet3's are. */
export const ADDRESS_NETWORKS: readonly Network[] = ['main', 'testnet3', 'regtest'];

/** What an address may stand for, whatever its network, as `byteText`. */
export function hashesIn(address: string): string[] {
  return ADDRESS_NETWORKS.flatMap((network) => hashInAddress(address, network)?.hash ?? []);
}
