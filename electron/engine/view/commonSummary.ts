/** What a wallet's summary takes from records that both kinds of wallet have. */
import { lastBlockOf } from '../../wallet/record/lastBlock.ts';
import type { RecordsByType } from '../../wallet/record/recordsByType.ts';
import { walletFlags } from '../../wallet/record/walletFlags.ts';
import { timeOf } from '../../wallet/record/walletTransaction.ts';
import type { WalletSummary } from './loadedWallet.ts';

type CommonSummary = Omit<WalletSummary, 'keypool' | 'hdSeedId' | 'birthTime' | 'keys'>;

export function commonSummary(records: RecordsByType): CommonSummary {
  const flags = walletFlags(records.one('flags')?.flags ?? 0n);
  const times = transactionTimes(records);
  return {
    version: records.one('minversion')?.version ?? FIRST_VERSION,
    transactions: times.length,
    privateKeys: !flags.includes('disable_private_keys'),
    avoidReuse: flags.includes('avoid_reuse'),
    externalSigner: flags.includes('external_signer'),
    blank: flags.includes('blank'),
    flags,
    lastBlock: lastBlockOf(records),
    lastActivity: times.reduce<number | null>((newest, time) => Math.max(newest ?? 0, time), null),
  };
}

/** The earliest of these times and of the wallet's transactions; null where there are none. Unix seconds. */
export function earliest(records: RecordsByType, times: readonly number[]): number | null {
  return [...times, ...transactionTimes(records)].reduce<number | null>(
    (first, time) => (first === null || time < first ? time : first),
    null,
  );
}

/** What a wallet without a record of its version is: `FEATURE_BASE`. */
const FIRST_VERSION = 10500;

function transactionTimes(records: RecordsByType): number[] {
  return records.of('tx').map(timeOf);
}
