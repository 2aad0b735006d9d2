/** Whether the new wallets hold what the old one did, as far as its balance was known. */
import type { Proof } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';

/** Satoshi, spendable and watched together; null: not known. */
interface Balances {
  /** What the node said of the old wallet. */
  before: bigint | null;
  /** What the old wallet's file last knew; `unconfirmed` is the part of it that was in no block. */
  file: { amount: bigint; unconfirmed: bigint } | null;
  /** What the node says of the new wallets. */
  after: bigint | null;
  /** The offline engine holds no chain: its balances come of the stored transactions, as those of the file do. */
  offline: boolean;
}

export interface ProvedBalance {
  /** Null where there is nothing to hold the new balance against. */
  standing: NonNullable<Proof['balance']['standing']> | null;
  differences: Proof['differences'];
  unknown: Proof['unknown'];
}

/**
 * The node's own word on the old wallet is compared where there is one, else what the file last knew. Both count
 * rewards that are not mature. More than before is no loss: the new wallets may know newer blocks.
 */
export function proveBalance({ before, file, after, offline }: Balances): ProvedBalance {
  if (after === null) {
    const untold = say(
      'The node did not tell the balance of every new wallet: it was compared with nothing.',
    );
    return { standing: null, differences: [], unknown: [untold] };
  }
  const unknown = before === null && !offline ? [withoutNode(file !== null)] : [];
  const base = before ?? file?.amount ?? null;
  if (base === null) return { standing: null, differences: [], unknown };
  if (after >= base) return { standing: after > base ? 'more' : 'same', differences: [], unknown };
  if (before !== null) return { standing: 'less', differences: [LESS_THAN_NODE_SAID], unknown };
  // A node counts what is in no block only while it holds it in its own memory.
  if (!offline && file !== null && after >= file.amount - file.unconfirmed) {
    return { standing: 'unclear', differences: [], unknown: [UNCONFIRMED, ...unknown] };
  }
  return { standing: 'less', differences: [offline ? LESS_OFFLINE : LESS_THAN_FILE_KNEW], unknown };
}

function withoutNode(fileKnown: boolean): string {
  return fileKnown
    ? say(
        'The node did not tell the old wallet’s balance, because the wallet was not loaded. The new balance was compared with what the old file last knew.',
      )
    : say(
        'The node did not tell the old wallet’s balance, because the wallet was not loaded: the new balance was compared with nothing.',
      );
}

const UNCONFIRMED = say(
  'The new wallets hold less than the old file last knew, but no less than it knew confirmed. Transactions that were in no block then are not counted by the node unless they wait in it now, so the rest cannot be compared.',
);

const LESS_THAN_NODE_SAID = {
  title: say('The new wallets hold less than the old one did'),
  meaning: say(
    'The node may not have finished looking through the chain, or coins were spent meanwhile. Look again when it is synced; the old wallet’s backup and the app’s safety copy are there.',
  ),
};

const LESS_THAN_FILE_KNEW = {
  title: say('The new wallets hold less than the old file last knew'),
  meaning: say(
    'Coins may have been spent since the file was last used, from another copy of the wallet. Or the node does not see all of the chain yet: look again when it is synced, and have it rescan the chain if the balance stays. Until you know, keep the old wallet’s backup and the app’s safety copy.',
  ),
};

const LESS_OFFLINE = {
  title: say('The new wallets hold less than the old file last knew'),
  meaning: say(
    'The offline engine counts the transactions that are stored in the wallets, so nothing should be less. Keep the old wallet’s backup and the app’s safety copy: both still hold all of it. Make a report of it in Activity, and ask for help with it.',
  ),
};
