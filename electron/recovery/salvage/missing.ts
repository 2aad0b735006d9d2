/** Finds what a salvaged wallet lacks: gaps in its chains, and keys that its records name. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { RescueFacts } from '../../../shared/model/safety.ts';
import { bytesOf, byteText } from '../../walletfile/bytes/byteText.ts';
import { listOf } from '../../walletfile/bytes/lists.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { hdChains } from '../../walletfile/legacy/legacyWallet.ts';
import { storedHistory, sumOfCoins } from '../../walletfile/legacy/storedHistory.ts';
import { type Of, recordsByType } from '../../walletfile/records/records.ts';
import { addressOf, scriptIfAddress } from '../../walletfile/script/address.ts';
import { type LostIndexes, lostIndexes, type Rederived } from './derivedKeys.ts';

export interface Missing {
  /** Public keys that records name without a saved private key. Includes keys that never had one in this wallet. */
  keys: Uint8Array[];
  /** By chain: indexes below its counter without a key. If the seed is saved, a wallet made from it has those keys too. */
  chains: (LostIndexes & {
    /** Hash160 of the seed's public key. */
    seedId: Uint8Array;
    seedSaved: boolean;
  })[];
  /** Whether the counters of the wallet's chains are lost. */
  chainLost: boolean;
  /** Whether there are encrypted keys without a master key. */
  masterKeyLost: boolean;
}

/** `entries`: the saved and the unproved records. `there`: the public keys of the keys among them, as `byteText`. */
export function missingOf(
  entries: readonly RawRecord[],
  there: ReadonlySet<string>,
  rederived: Rederived['chains'],
): Missing {
  const records = recordsByType(entries);
  const metadata = records.of('keymeta');
  const named = new Set(
    [...metadata, ...records.of('pool'), ...records.of('defaultkey')].map(({ publicKey }) =>
      byteText(publicKey),
    ),
  );
  const hashes = new Set([...there].map((key) => quickHash160(bytesOf(key))));
  const chains = hdChains(metadata, records.one('hdchain'));
  return {
    keys: [...named].filter((key) => !there.has(key)).map(bytesOf),
    chains: chains.flatMap(({ seedHash, ...chain }) =>
      (rederived.get(seedHash) ?? lostIndexes({ seedHash, ...chain }, metadata, there))
        .filter(({ indexes }) => indexes.length > 0)
        .map((lost) => ({ seedId: bytesOf(seedHash), seedSaved: hashes.has(seedHash), ...lost })),
    ),
    chainLost: records.of('hdchain').length === 0 && chains.length > 0,
    masterKeyLost:
      records.of('mkey').length === 0 &&
      records.of('ckey').length + records.of('walletdescriptorckey').length > 0,
  };
}

/**
 * The unspent coins on keys without a private key, and on addresses that the wallet gave out without a key. Counts by the file's
 * transactions only: spending transactions may be lost, and newer ones are unknown.
 */
export function lostCoins(
  transactions: readonly Of<'tx'>[],
  { publicKeys, addresses }: { publicKeys: readonly Uint8Array[]; addresses: readonly string[] },
  network: Network,
): NonNullable<RescueFacts['lostCoins']> {
  const scripts = [
    ...publicKeys.flatMap(scriptsOfKey),
    ...addresses.flatMap((one) => scriptIfAddress(one, network) ?? []),
  ];
  return coinsOn(transactions, new Set(scripts.map(bytesToHex)), network);
}

/** The unspent coins on these scripts (hex). */
export function coinsOn(
  transactions: readonly Of<'tx'>[],
  scripts: ReadonlySet<string>,
  network: Network,
): NonNullable<RescueFacts['lostCoins']> {
  const { coins } = storedHistory(transactions, {
    of: (script) => (scripts.has(bytesToHex(script)) ? 'spendable' : null),
  });
  const on = new Set(coins.map(({ script }) => addressOf(script, network) ?? bytesToHex(script)));
  return {
    amount: sumOfCoins(coins),
    coins: coins.length,
    on: listOf([...on], (address) => address),
  };
}
