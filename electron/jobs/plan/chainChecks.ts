/** Checks of the node's chain: whether it has the blocks that the wallet needs, and how long a rescan takes. */
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { rescanEstimate } from '../../../shared/wording/rescanWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { canSkipLoading } from '../../bitcoind/rpc/release.ts';
import {
  blocker,
  type ChainFacts,
  type CommonFacts,
  contentsOf,
  fine,
  unseen,
  warning,
} from './checkFacts.ts';

/**
 * Loading needs the block at which the wallet was last in sync, or all blocks since its birth (`CWallet::AttachChain`). `loads`:
 * whether the node loads the result at once.
 */
export function checkPruned({ status, fileInspection, chain }: CommonFacts, loads: boolean): Check {
  if (status.offline) return fine('pruned', say('No blocks needed'));
  if (!status.pruned && chain.snapshot === null) {
    return fine('pruned', say('Node has all blocks'));
  }
  // The node has all blocks from the lowest one on.
  const { height: lowest, time: lowestTime } = lowestBlock(status, chain);
  const height = chain.lastBlock?.height ?? null;
  const born = contentsOf(fileInspection)?.birth;
  const birth = born?.known === 'exactly' ? born.time : null;
  const kept =
    lowest === null
      ? say('It keeps only the newest blocks.')
      : say('It keeps blocks from {height, number} on.', { height: lowest });
  const inStep = height !== null && lowest !== null && height >= lowest;
  // A node looks two hours further back than the birth.
  const younger = birth !== null && lowestTime !== null && birth - TWO_HOURS >= lowestTime;
  if (inStep || younger) {
    return fine('pruned', say('Pruned node has the needed blocks'), { text: [kept] });
  }
  const isHeightKnown = height !== null && lowest !== null;
  const isBirthKnown = birth !== null && lowestTime !== null;
  if (!isHeightKnown && !isBirthKnown) {
    return warning('pruned', say('The node is pruned'), {
      text: [kept, say('If blocks are missing, the job fails. The file stays as it was.')],
      todo: [say('If the wallet was not used here for long, use another node.')],
    });
  }
  if (!loads) {
    return warning('pruned', say('The node cannot load the wallet afterwards'), {
      text: [kept, say('The migrated wallet stays unloaded.')],
      todo: [say('Load it in a node with all blocks, or reindex this one first.')],
    });
  }
  return blocker('pruned', say('The pruned node lacks needed blocks'), {
    text: [
      kept,
      ...(height === null ? [] : [say('The wallet was last in sync at block {height, number}.', { height })]),
    ],
    todo: [
      say(
        'Use a node that is not pruned, or migrate without a node; newer payments still need those blocks.',
      ),
      ...(canSkipLoading(status.release) ? [say('Or turn off “Load after migration”.')] : []),
    ],
  });
}

export const TWO_HOURS = 2 * 60 * 60;

/** The lowest block from which the node has all. Null: unknown, or it has all of them. */
export function lowestBlock(
  { pruneHeight }: Pick<NodeStatus, 'pruneHeight'>,
  { snapshot, pruneTime }: Pick<ChainFacts, 'snapshot' | 'pruneTime'>,
): { height: number | null; time: number | null } {
  const isAbove = snapshot !== null && snapshot.height > (pruneHeight ?? 0);
  return isAbove ? snapshot : { height: pruneHeight, time: pruneTime };
}

/**
 * Checks from when on the node searches for payments. It trusts the dates of the keys (`CWallet::AttachChain`). After an import or
 * a rewrite of descriptors they are too late, and the node silently misses older payments.
 */
export function checkBirth({
  status,
  fileInspection,
}: Pick<CommonFacts, 'status' | 'fileInspection'>): Check {
  const contents = contentsOf(fileInspection);
  if (status.offline) {
    return fine('birth', say('No search for payments'), {
      text: [say('The offline engine has no blocks. A node finds payments.')],
    });
  }
  if (contents === null) return unseen('birth', say('Age of the keys unknown'));
  const { birth, transactions } = contents;
  if (birth.known !== 'exactly' || birth.time <= FIRST_BLOCK)
    return fine('birth', say('Payment search starts at the first block'));
  const date = formatTime(birth.time);
  const isOlder = transactions.shown.some(({ time }) => time < birth.time - TWO_HOURS);
  if (transactions.total > 0 && !isOlder)
    return fine('birth', say('Payment search starts on {date}', { date }));
  return warning('birth', say('Payments before {date} will not be found', { date }), {
    text: [
      isOlder
        ? say('Its keys are dated then, but it has older transactions.')
        : say('Its keys are dated then, and it has no transactions.'),
    ],
    todo: [say('If the keys are older, choose “Rescan everything” afterwards.')],
  });
}

/** Time of Bitcoin’s first block. */
const FIRST_BLOCK = 1_231_006_505;

export function checkSyncing({ status }: CommonFacts): Check {
  if (status.offline) return fine('syncing', say('No sync needed'));
  if (!status.initialBlockDownload) return fine('syncing', say('Node is synced'));
  return warning('syncing', say('The node is still syncing'), {
    text: [
      // After a long pause a node does not know of newer blocks until its peers announce them.
      status.blocks === status.headers
        ? say('Its newest block is old: newer payments are missing.')
        : say('It has {blocks, number} of {headers, number} blocks: newer payments are missing.', {
            blocks: status.blocks,
            headers: status.headers,
          }),
    ],
    todo: [say('Better wait until it is synced.')],
  });
}

/** Estimates the number of blocks of a rescan and its duration, and says that it is an estimate. */
export function checkRescan({ status, fileInspection, chain }: CommonFacts): Check {
  if (status.offline) return fine('rescan', say('No rescan needed'));
  const blocks = blocksToScan(status.blocks, fileInspection, chain);
  if (blocks === null) {
    return warning('rescan', say('A rescan may follow'), { text: [say('The whole chain takes hours.')] });
  }
  if (blocks < FEW_BLOCKS) return fine('rescan', say('Short rescan at most'));
  const filtered = status.blockFilters === 'on';
  const estimate = rescanEstimate(blocks, filtered);
  if (filtered) {
    return fine('rescan', say('A fast rescan of about {blocks, number} blocks follows', { blocks }), {
      text: [estimate],
    });
  }
  return warning('rescan', say('A rescan of about {blocks, number} blocks follows', { blocks }), {
    text: [estimate],
    todo: [say('You can close the app meanwhile. Block filters (blockfilterindex=1) would make it fast.')],
  });
}

const FEW_BLOCKS = 300;
function blocksToScan(
  tip: number,
  fileInspection: CommonFacts['fileInspection'],
  chain: ChainFacts,
): number | null {
  if (chain.lastBlock !== null) return Math.max(0, tip - chain.lastBlock.height);
  const birth = contentsOf(fileInspection)?.birth;
  if (!birth || birth.known === 'no') return null;
  if (birth.known === 'at-latest') return tip;
  const blocks = Math.ceil((chain.now - birth.time) / TEN_MINUTES);
  return Math.min(tip, Math.max(0, blocks));
}

const TEN_MINUTES = 600;
