/** Checks on the node, before a migration: its release, its chain, its disk, and the names it needs. */
import type { Check } from '../../../shared/safety.ts';
import { fine, read, stop } from './check.ts';
import type { ChainFacts, MigrationFacts, RestoreFacts, Space } from './checkFacts.ts';

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn(release: number): boolean {
  return release >= 300_000 && release < 300_200;
}

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  const words = { looked: `The node’s release, ${release.text}.` };
  if (release.migrates === 'no') {
    return stop('release', {
      ...words,
      title: `Release ${release.text} cannot migrate`,
      text: ['The call migratewallet came with release 24 and is fit for use from 25 on.'],
      todo: [
        'Use this wallet in a node of release 25 to 29, or 30.2 or later. Or work without a node: the built-in engine migrates it here.',
      ],
    });
  }
  if (release.migrates === 'unlock-first') {
    return read('release', {
      ...words,
      title: `On release ${release.text} migration is experimental`,
      text: ['An encrypted wallet is unlocked for the length of the migration on it.'],
      todo: ['A node of release 25 or later is the safer choice.'],
    });
  }
  if (isWithdrawn(release.number) && !offline && name !== '') {
    return read('release', {
      ...words,
      title: `Release ${release.text} was withdrawn`,
      text: [
        'A failing migration of an unnamed wallet can delete wallets on it. This wallet has a name and is not known to be concerned.',
      ],
      todo: ['Release 30.2 or later is the safer choice.'],
    });
  }
  return fine('release', { ...words, title: `Release ${release.text} can migrate` });
}

export function checkUnnamed({ status: { release, offline }, name }: MigrationFacts): Check {
  const words = { looked: 'The wallet’s name, and what is known of this release.' };
  if (name !== '') return fine('unnamed-wallet', { ...words, title: 'The wallet has a name' });
  if (offline)
    return fine('unnamed-wallet', { ...words, title: 'The engine handles an unnamed wallet like any other' });
  if (isWithdrawn(release.number)) {
    return stop('unnamed-wallet', {
      ...words,
      title: `Release ${release.text} can delete all your wallets here`,
      text: [
        'If the migration of the unnamed wallet fails on release 30.0 or 30.1, the node can delete its whole wallets folder: every wallet in it, and the fresh backup too. Both releases were withdrawn for this fault. The app does not start this migration.',
      ],
      todo: [
        'The safe way: the app copies the file under a name of its own, proves the copy, and has that one migrated. The file itself is left alone.',
        'Or update the node to release 30.2 or later first.',
      ],
    });
  }
  if (release.number >= 300_200) {
    return fine('unnamed-wallet', { ...words, title: 'The wallet has no name; this release handles that' });
  }
  return read('unnamed-wallet', {
    ...words,
    title: 'The wallet has no name',
    text: [
      'It is a bare wallet.dat in the wallets folder, beside all other wallets. Releases before 30.2 have had faults with such wallets when a migration fails. Release 29.3 kept all files when this was tried.',
    ],
    todo: ['The app copies every wallet in that folder before it asks the node.'],
  });
}

/**
 * `CWallet::AttachChain`: a wallet whose blocks since it was last in step, or since its birth, are pruned cannot be
 * loaded; after a migration that is its end.
 */
export function checkPruned({
  status,
  looked,
  chain,
}: Pick<MigrationFacts | RestoreFacts, 'status' | 'looked' | 'chain'>): Check {
  const words = { looked: 'Which blocks the node still has, and which the wallet needs.' };
  if (status.offline || !status.pruned) return fine('pruned', { ...words, title: 'The node has all blocks' });
  const { pruneHeight } = status;
  const height = chain.lastBlock?.height ?? null;
  const birth =
    looked.state === 'seen' && looked.inspection.birth.known === 'exactly'
      ? looked.inspection.birth.time
      : null;
  const kept = pruneHeight === null ? 'only the newest blocks' : `blocks from ${pruneHeight} on`;
  const inStep = height !== null && pruneHeight !== null && height + 1 >= pruneHeight;
  // A node looks two hours further back than the birth.
  const younger = birth !== null && chain.pruneTime !== null && birth - TWO_HOURS >= chain.pruneTime;
  if (inStep || younger) {
    return fine('pruned', {
      ...words,
      title: 'The pruned node still has the blocks that the wallet needs',
      text: [`It keeps ${kept}.`],
    });
  }
  const knows = height !== null && pruneHeight !== null;
  const born = birth !== null && chain.pruneTime !== null;
  if (!knows && !born) {
    return read('pruned', {
      ...words,
      title: 'This node is pruned',
      text: [
        `It keeps ${kept}. The app does not know which blocks the wallet needs. If it was last in step with the chain before that, the wallet cannot be loaded: the operation fails at its end, and the file stays as it was.`,
      ],
      todo: ['If the wallet was not loaded here for a long time, use a node that is not pruned.'],
    });
  }
  return stop('pruned', {
    ...words,
    title: 'The pruned node does not have the blocks that the wallet needs any more',
    text: [
      `It keeps ${kept}; the wallet was last in step ${height === null ? 'before that' : `at block ${height}`}. The operation would fail at its end.`,
    ],
    todo: [
      'Use a node that is not pruned. Or migrate without a node: the built-in engine needs no blocks; the migrated wallet then still needs a node that has them to see newer payments.',
    ],
  });
}

const TWO_HOURS = 2 * 60 * 60;

/** The names that the node gives to the two wallets that may come beside the main one. */
export function checkNames({ name, onDisk, loaded, looked }: MigrationFacts): Check {
  const words = {
    looked: 'The names that end in _watchonly and _solvables, and which of them will be needed.',
  };
  const preview = looked.state === 'seen' ? looked.inspection.migration : null;
  // Releases differ in what they build on for the unnamed wallet.
  const stems = name === '' ? ['', 'default_wallet'] : [name];
  const endings = [
    ...(preview === null || preview.watchOnly !== null ? ['_watchonly'] : []),
    ...(preview === null || preview.solvables !== null ? ['_solvables'] : []),
  ];
  const others = new Set([...onDisk, ...loaded]);
  const taken = stems
    .flatMap((stem) => endings.map((ending) => `${stem}${ending}`))
    .filter((each) => others.has(each));
  if (taken.length === 0)
    return fine('names-taken', { ...words, title: 'The names that are needed are free' });
  const which = `There is a wallet “${taken.join('” and one “')}” already.`;
  if (preview === null) {
    return read('names-taken', {
      ...words,
      title: 'A name that the migration may need is taken',
      text: [
        `${which} If the migration has to make one of that name, it fails, and the wallet stays legacy.`,
      ],
      todo: ['Rename or move that wallet first.'],
    });
  }
  return stop('names-taken', {
    ...words,
    title: 'A name that the migration needs is taken',
    text: [`${which} The migration makes one of that name and would fail.`],
    todo: ['Unload that wallet, and rename or move its folder. Then look again.'],
  });
}

/** The node's backup, the new wallet and the app's own copy: each about as large as the file. */
export function checkSpace(space: Space | null): Check {
  const words = { looked: 'The free space on the disks of the wallets folder and of the app’s copies.' };
  if (space === null || space.free === null) {
    return read('space', {
      ...words,
      title: 'The free space is not known',
      text: ['The app cannot look at the node’s disk. Up to three copies of the wallet’s file are made.'],
      todo: ['Make sure that the disk is not full.'],
    });
  }
  const needed = 3 * space.size + MARGIN;
  const enough =
    space.free >= needed && (space.freeForCopies ?? Number.POSITIVE_INFINITY) >= space.size + MARGIN;
  if (enough) return fine('space', { ...words, title: 'There is enough space for three copies' });
  return stop('space', {
    ...words,
    title: 'There is not enough space',
    text: [`${megabytes(needed)} are needed for three copies, and ${megabytes(space.free)} are free.`],
    todo: ['Make room on that disk. Then look again.'],
  });
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1_000_000)} MB`;
}

export function checkSyncing({ status }: Pick<MigrationFacts, 'status'>): Check {
  const words = { looked: 'How far the node is with the chain.' };
  if (status.offline || !status.initialBlockDownload)
    return fine('syncing', { ...words, title: 'The node is in step with the chain' });
  return read('syncing', {
    ...words,
    title: 'The node is still syncing',
    text: [
      `It has ${status.blocks} of ${status.headers} blocks. Payments in later blocks are not shown until it has them, so that balances cannot be compared yet.`,
    ],
    todo: ['Waiting until it is in step is the safer choice.'],
  });
}

/** How many blocks a rescan looks at and how long that may take. A guess, and called one. */
export function checkRescan({
  status,
  looked,
  chain,
}: Pick<MigrationFacts | RestoreFacts, 'status' | 'looked' | 'chain'>): Check {
  const words = { looked: 'The newest block the wallet knew, the node’s newest, and its block filters.' };
  if (status.offline) return fine('rescan', { ...words, title: 'No rescan: the engine holds no chain' });
  const from = startOfRescan(status.blocks, looked, chain);
  if (from === null) {
    return read('rescan', {
      ...words,
      title: 'A rescan may follow, and how long it takes is not known',
      text: ['The app does not know how far behind the wallet is. A rescan of the whole chain takes hours.'],
    });
  }
  const { blocks, about } = from;
  if (blocks < FEW_BLOCKS) return fine('rescan', { ...words, title: 'At most a short rescan follows' });
  const count = `${about ? 'about ' : ''}${blocks.toLocaleString('en')} blocks`;
  if (status.blockFilters === 'on') {
    return fine('rescan', {
      ...words,
      title: `A rescan of ${count} follows; block filters make it fast`,
      text: [`A guess: ${range(blocks / FILTERED_PER_SECOND.most, blocks / FILTERED_PER_SECOND.least)}.`],
    });
  }
  return read('rescan', {
    ...words,
    title: `A rescan of ${count} follows, without block filters`,
    text: [
      `A guess, since it depends on the disk: ${range(blocks / READ_PER_SECOND.most, blocks / READ_PER_SECOND.least)}. The node goes on when the app is closed.`,
    ],
    todo: [
      'Go on when the node can be left running for that long. Block filters (blockfilterindex=1) would make it fast.',
    ],
  });
}

const FEW_BLOCKS = 300;
/** Blocks in a second: of full blocks read from a disk, and of their filters. */
const READ_PER_SECOND = { least: 15, most: 100 };
const FILTERED_PER_SECOND = { least: 500, most: 5000 };

function startOfRescan(
  tip: number,
  looked: MigrationFacts['looked'],
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

function range(least: number, most: number): string {
  return `${duration(least)} to ${duration(most)}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
