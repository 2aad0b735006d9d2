/** Checks on the node's chain: whether it has the blocks that the wallet needs, and how long looking through them takes. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { fine, read, stop } from './check.ts';
import type { ChainFacts, CommonFacts } from './checkFacts.ts';

/**
 * `CWallet::AttachChain`: a wallet whose blocks since it was last in step, or since its birth, are pruned cannot be
 * loaded; after a migration that is its end. The block that it was last in step with has to be there too.
 */
export function checkPruned({
  status,
  looked,
  chain,
}: Pick<CommonFacts, 'status' | 'looked' | 'chain'>): Check {
  if (status.offline)
    return fine('pruned', {
      title: say('No blocks are needed: the offline engine holds no chain'),
    });
  if (!status.pruned) return fine('pruned', { title: say('The node has all blocks') });
  const { pruneHeight } = status;
  const height = chain.lastBlock?.height ?? null;
  const birth =
    looked.state === 'seen' && looked.inspection.birth.known === 'exactly'
      ? looked.inspection.birth.time
      : null;
  const kept =
    pruneHeight === null
      ? say('It keeps only the newest blocks.')
      : say('It keeps the blocks from {height, number} on.', { height: pruneHeight });
  const inStep = height !== null && pruneHeight !== null && height >= pruneHeight;
  // A node looks two hours further back than the birth.
  const younger = birth !== null && chain.pruneTime !== null && birth - TWO_HOURS >= chain.pruneTime;
  if (inStep || younger) {
    return fine('pruned', {
      title: say('The pruned node still has the blocks that the wallet needs'),
      text: [kept],
    });
  }
  const knows = height !== null && pruneHeight !== null;
  const born = birth !== null && chain.pruneTime !== null;
  if (!knows && !born) {
    return read('pruned', {
      title: say('This node is pruned'),
      text: [
        kept,
        say(
          'The app does not know which blocks the wallet needs. If it was last in step with the chain before that, the wallet cannot be loaded: the crossing fails at its end, and the file stays as it was.',
        ),
      ],
      todo: [say('If the wallet was not loaded here for a long time, use a node that is not pruned.')],
    });
  }
  return stop('pruned', {
    title: say('The pruned node does not have the blocks that the wallet needs any more'),
    text: [
      kept,
      height === null
        ? say('The wallet was last in step before that. The crossing would fail at its end.')
        : say('The wallet was last in step at block {height, number}. The crossing would fail at its end.', {
            height,
          }),
    ],
    todo: [
      say(
        'Use a node that is not pruned. Or migrate without a node: the offline engine needs no blocks; the migrated wallet then still needs a node that has them to see newer payments.',
      ),
    ],
  });
}

const TWO_HOURS = 2 * 60 * 60;

export function checkSyncing({ status }: Pick<CommonFacts, 'status'>): Check {
  if (status.offline)
    return fine('syncing', { title: say('Nothing to sync: the offline engine holds no chain') });
  if (!status.initialBlockDownload) return fine('syncing', { title: say('The node is synced') });
  return read('syncing', {
    title: say('The node is still syncing'),
    text: [
      say(
        'It has {blocks, number} of {headers, number} blocks. Payments in later blocks are not shown until it has them, so that balances cannot be compared yet.',
        { blocks: status.blocks, headers: status.headers },
      ),
    ],
    todo: [say('Waiting until it is synced is the safer choice.')],
  });
}

/** How many blocks a rescan looks at and how long that may take. A guess, and called one. */
export function checkRescan({
  status,
  looked,
  chain,
}: Pick<CommonFacts, 'status' | 'looked' | 'chain'>): Check {
  if (status.offline) return fine('rescan', { title: say('No rescan: the offline engine holds no chain') });
  const from = startOfRescan(status.blocks, looked, chain);
  if (from === null) {
    return read('rescan', {
      title: say('A rescan may follow, and how long it takes is not known'),
      text: [
        say('The app does not know how far behind the wallet is. A rescan of the whole chain takes hours.'),
      ],
    });
  }
  const { blocks, about } = from;
  if (blocks < FEW_BLOCKS) return fine('rescan', { title: say('At most a short rescan follows') });
  if (status.blockFilters === 'on') {
    return fine('rescan', {
      title: about
        ? say('A rescan of about {blocks, number} blocks follows; block filters make it fast', { blocks })
        : say('A rescan of {blocks, number} blocks follows; block filters make it fast', { blocks }),
      text: [
        say('A guess: {least} to {most}.', {
          least: duration(blocks / FILTERED_PER_SECOND.most),
          most: duration(blocks / FILTERED_PER_SECOND.least),
        }),
      ],
    });
  }
  return read('rescan', {
    title: about
      ? say('A rescan of about {blocks, number} blocks follows, without block filters', { blocks })
      : say('A rescan of {blocks, number} blocks follows, without block filters', { blocks }),
    text: [
      say(
        'A guess, since it depends on the disk: {least} to {most}. The node goes on when the app is closed.',
        {
          least: duration(blocks / READ_PER_SECOND.most),
          most: duration(blocks / READ_PER_SECOND.least),
        },
      ),
    ],
    todo: [
      say(
        'Go on when the node can be left running for that long. Block filters (blockfilterindex=1) would make it fast.',
      ),
    ],
  });
}

const FEW_BLOCKS = 300;
/** Blocks in a second: of full blocks read from a disk, and of their filters. */
const READ_PER_SECOND = { least: 15, most: 100 };
const FILTERED_PER_SECOND = { least: 500, most: 5000 };

function startOfRescan(
  tip: number,
  looked: CommonFacts['looked'],
  chain: ChainFacts,
): { blocks: number; about: boolean } | null {
  if (chain.lastBlock !== null) return { blocks: Math.max(0, tip - chain.lastBlock.height), about: false };
  if (looked.state !== 'seen') return null;
  const { birth } = looked.inspection;
  if (birth.known === 'no') return null;
  if (birth.known === 'at-latest') return { blocks: tip, about: true };
  const blocks = Math.ceil((chain.now - birth.time) / TEN_MINUTES);
  return { blocks: Math.min(tip, Math.max(0, blocks)), about: true };
}

const TEN_MINUTES = 600;

function duration(seconds: number): string {
  if (seconds < 90) return say('{seconds} s', { seconds: Math.max(1, Math.round(seconds)) });
  if (seconds < 90 * 60) return say('{minutes} min', { minutes: Math.round(seconds / 60) });
  return say('{hours, number} h', { hours: Math.round(seconds / 3600) });
}
