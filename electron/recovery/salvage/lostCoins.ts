/** What is known to lie on scripts whose private keys could not be saved. */
import { bytesToHex } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import type { RescueFacts } from '../../../shared/model/safety.ts';
import { listed } from '../../walletfile/bytes/shown.ts';
import { scriptsOfKey } from '../../walletfile/descriptor/makeScripts.ts';
import { storedHistory } from '../../walletfile/legacy/storedHistory.ts';
import type { Of } from '../../walletfile/records/recordsByType.ts';
import { addressOf, scriptIfAddress } from '../../walletfile/script/address.ts';

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
    on: listed([...on], (address) => address),
  };
}
