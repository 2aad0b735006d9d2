/** Compares the balance of the new wallets with the known balance of the old one. */
import { totalBalance } from '../../../shared/model/money.ts';
import type { Proof } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { balanceOnNode, walletBalances } from '../../bitcoind/calls/walletInfo.ts';
import type { NodeClient } from '../../bitcoind/rpc/session.ts';

/** Satoshi, spendable and watched together; null: unknown. */
interface Balances {
  /** The balance of the old wallet that the node reported. */
  before: bigint | null;
  /** The last known balance in the old wallet's file; `unconfirmed` is the part that was in no block. */
  file: { amount: bigint; unconfirmed: bigint } | null;
  /** The balance of the new wallets that the node reports. */
  after: bigint | null;
  /** The offline engine has no chain. Like the file's, its balance is the sum of the stored transactions. */
  offline: boolean;
  /** Whether the node lacks newer blocks. */
  syncing: boolean;
  /** Of a restored backup: whether all its scripts and keys were compared. Null after a migration or a rescue. */
  backup: { isRead: boolean } | null;
}

interface BalanceComparison {
  /** Null if there is nothing to compare with. */
  change: NonNullable<Proof['balance']['change']> | null;
  differences: Proof['differences'];
  unknown: Proof['unknown'];
}

/** Compares with the old balance that the node reported, else with its file's. More is no loss: new wallets may know newer blocks. */
export function proveBalance({ before, file, after, offline, syncing, backup }: Balances): BalanceComparison {
  if (after === null) {
    const missing = say('Balances: the node did not report each.');
    return { change: null, differences: [], unknown: [missing] };
  }
  const unknown = before === null && !offline && backup === null ? [WITHOUT_NODE] : [];
  const base = before ?? file?.amount ?? null;
  if (base === null) return { change: null, differences: [], unknown };
  if (after >= base) return { change: after > base ? 'more' : 'same', differences: [], unknown };
  if (before !== null) return { change: 'less', differences: [LESS_THAN_REPORTED], unknown };
  // A node counts unconfirmed payments only while they are in its memory pool.
  if (!offline && file !== null && after >= file.amount - file.unconfirmed) {
    return { change: 'unclear', differences: [], unknown: [UNCONFIRMED, ...unknown] };
  }
  if (syncing && !offline) return { change: 'unclear', differences: [], unknown: [LESS_AND_WHY] };
  // Since the backup, its owner may have spent.
  if (backup?.isRead && !offline) return { change: null, differences: [], unknown: [LESS_AND_WHY] };
  return { change: 'less', differences: [offline ? LESS_OFFLINE : LESS_THAN_RECORDED], unknown };
}

const WITHOUT_NODE = say('Balance: the old wallet was not loaded.');
const UNCONFIRMED = say('Less than last known; all confirmed payments are there.');

export const KEEP_COPIES = say('Keep all backups.');
export const ASK_FOR_HELP = say('Make a report in History and ask for help.');

const SPENT_OR_BEHIND = say('Coins spent, or node not synced? If it stays low, rescan.');
const CHECK_AGAIN = `${SPENT_OR_BEHIND} ${KEEP_COPIES}`;

const LESS_THAN_REPORTED = { title: say('Less than the old wallet held'), meaning: CHECK_AGAIN };

const LESS_THAN_FILE = say('Less than last known');
/** The result says how far a syncing node was. */
const LESS_AND_WHY = `${LESS_THAN_FILE}. ${SPENT_OR_BEHIND}`;
const LESS_THAN_RECORDED = { title: LESS_THAN_FILE, meaning: CHECK_AGAIN };
const LESS_OFFLINE = {
  title: LESS_THAN_FILE,
  meaning: [say('Nothing should be missing.'), KEEP_COPIES, ASK_FOR_HELP].join(' '),
};

/** The balance that the node reports, in satoshi, watched coins included; null if it does not. Throws only for the signal. */
export async function wholeBalance(
  client: NodeClient,
  wallet: string,
  signal: AbortSignal,
): Promise<bigint | null> {
  try {
    return totalBalance(balanceOnNode(await walletBalances(client, wallet, signal), false));
  } catch {
    signal.throwIfAborted();
    return null;
  }
}
