/** What a salvaged wallet is known to lack: by the gaps in its chains, and by keys that it names and does not have. */

import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { RescueFacts } from '../../../shared/model/safety.ts';
import { bytesOf, byteText } from '../../walletfile/bytes/byteText.ts';
import { listOf } from '../../walletfile/bytes/listOf.ts';
import { quickHash160 } from '../../walletfile/bytes/quickHash.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { hdChains } from '../../walletfile/legacy/hdChains.ts';
import { storedHistory } from '../../walletfile/legacy/storedHistory.ts';
import type { Of } from '../../walletfile/records/recordsByType.ts';
import { recordsByType } from '../../walletfile/records/recordsByType.ts';
import { addressOf, scriptIfAddress } from '../../walletfile/script/address.ts';
import { type LostIndexes, lostIndexes, type Rederived } from './derivedKeys.ts';

export interface Missing {
  /** Public keys that other records name and no saved key has. Without a private key ever: those are named too. */
  keys: Uint8Array[];
  /** By chain: indexes below its counter without a key. With the seed saved, a wallet made of it has those keys too. */
  chains: (LostIndexes & {
    /** Hash160 of the seed's public key. */
    seedId: Uint8Array;
    seedSaved: boolean;
  })[];
  /** No record tells where the wallet's chains of keys stand. */
  chainLost: boolean;
  /** There are encrypted keys, and no record of the key that they are encrypted under. */
  masterKeyLost: boolean;
}

/**
 * `entries` are the records that are saved or still to be proved, and `there` the public keys of the keys among them, as
 * `byteText`.
 */
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
 * By the file's own transactions: those that spent the coins may be lost too, and newer ones are not known. `publicKeys` have no
 * private key, and `addresses` were given out without a key for them.
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

/** The same on these scripts (hex). */
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
    amount: coins.reduce((sum, { value }) => sum + value, 0n),
    coins: coins.length,
    on: listOf([...on], (address) => address),
  };
}
