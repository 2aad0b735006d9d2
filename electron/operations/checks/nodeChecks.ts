/** Checks on the node, before a migration: its release, its chain, its disk, and the names it needs. */
import type { Check } from '../../../shared/safety.ts';
import { say } from '../../../shared/say.ts';
import { allOf } from '../../../shared/sayList.ts';
import { fine, read, stop } from './check.ts';
import type { ChainFacts, MigrationFacts, RestoreFacts, Space } from './checkFacts.ts';

/** 30.0 and 30.1, withdrawn for deleting wallets: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
export function isWithdrawn(release: number): boolean {
  return release >= 300_000 && release < 300_200;
}

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  const words = { looked: say('The node’s release, {release}.', { release: release.text }) };
  if (release.migrates === 'no') {
    return stop('release', {
      ...words,
      title: say('Release {release} cannot migrate', { release: release.text }),
      text: [say('The call migratewallet came with release 24 and is fit for use from 25 on.')],
      todo: [
        say(
          'Use this wallet in a node of release 25 to 29, or 30.2 or later. Or work without a node: the built-in engine migrates it here.',
        ),
      ],
    });
  }
  if (release.migrates === 'unlock-first') {
    return read('release', {
      ...words,
      title: say('On release {release} migration is experimental', { release: release.text }),
      text: [say('An encrypted wallet is unlocked for the length of the migration on it.')],
      todo: [say('A node of release 25 or later is the safer choice.')],
    });
  }
  if (isWithdrawn(release.number) && !offline && name !== '') {
    return read('release', {
      ...words,
      title: say('Release {release} was withdrawn', { release: release.text }),
      text: [
        say(
          'A failing migration of an unnamed wallet can delete wallets on it. This wallet has a name and is not known to be concerned.',
        ),
      ],
      todo: [say('Release 30.2 or later is the safer choice.')],
    });
  }
  return fine('release', {
    ...words,
    title: say('Release {release} can migrate', { release: release.text }),
  });
}

export function checkUnnamed({ status: { release, offline }, name }: MigrationFacts): Check {
  const words = { looked: say('The wallet’s name, and what is known of this release.') };
  if (name !== '') return fine('unnamed-wallet', { ...words, title: say('The wallet has a name') });
  if (offline)
    return fine('unnamed-wallet', {
      ...words,
      title: say('The engine handles an unnamed wallet like any other'),
    });
  if (isWithdrawn(release.number)) {
    return stop('unnamed-wallet', {
      ...words,
      title: say('Release {release} can delete all your wallets here', { release: release.text }),
      text: [
        say(
          'If the migration of the unnamed wallet fails on release 30.0 or 30.1, the node can delete its whole wallets folder: every wallet in it, and the fresh backup too. Both releases were withdrawn for this fault. The app does not start this migration.',
        ),
      ],
      todo: [
        say(
          'The safe way: the app copies the file under a name of its own, proves the copy, and has that one migrated. The file itself is left alone.',
        ),
        say('Or update the node to release 30.2 or later first.'),
      ],
    });
  }
  if (release.number >= 300_200) {
    return fine('unnamed-wallet', {
      ...words,
      title: say('The wallet has no name; this release handles that'),
    });
  }
  return read('unnamed-wallet', {
    ...words,
    title: say('The wallet has no name'),
    text: [
      say(
        'It is a bare wallet.dat in the wallets folder, beside all other wallets. Releases before 30.2 have had faults with such wallets when a migration fails. Release 29.3 kept all files when this was tried.',
      ),
    ],
    todo: [say('The app copies every wallet in that folder before it asks the node.')],
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
  const words = { looked: say('Which blocks the node still has, and which the wallet needs.') };
  if (status.offline || !status.pruned)
    return fine('pruned', { ...words, title: say('The node has all blocks') });
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
  const inStep = height !== null && pruneHeight !== null && height + 1 >= pruneHeight;
  // A node looks two hours further back than the birth.
  const younger = birth !== null && chain.pruneTime !== null && birth - TWO_HOURS >= chain.pruneTime;
  if (inStep || younger) {
    return fine('pruned', {
      ...words,
      title: say('The pruned node still has the blocks that the wallet needs'),
      text: [kept],
    });
  }
  const knows = height !== null && pruneHeight !== null;
  const born = birth !== null && chain.pruneTime !== null;
  if (!knows && !born) {
    return read('pruned', {
      ...words,
      title: say('This node is pruned'),
      text: [
        kept,
        say(
          'The app does not know which blocks the wallet needs. If it was last in step with the chain before that, the wallet cannot be loaded: the operation fails at its end, and the file stays as it was.',
        ),
      ],
      todo: [say('If the wallet was not loaded here for a long time, use a node that is not pruned.')],
    });
  }
  return stop('pruned', {
    ...words,
    title: say('The pruned node does not have the blocks that the wallet needs any more'),
    text: [
      kept,
      height === null
        ? say('The wallet was last in step before that. The operation would fail at its end.')
        : say('The wallet was last in step at block {height, number}. The operation would fail at its end.', {
            height,
          }),
    ],
    todo: [
      say(
        'Use a node that is not pruned. Or migrate without a node: the built-in engine needs no blocks; the migrated wallet then still needs a node that has them to see newer payments.',
      ),
    ],
  });
}

const TWO_HOURS = 2 * 60 * 60;

/** The names that the node gives to the two wallets that may come beside the main one. */
export function checkNames({ name, onDisk, loaded, looked }: MigrationFacts): Check {
  const words = {
    looked: say('The names that end in _watchonly and _solvables, and which of them will be needed.'),
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
    return fine('names-taken', { ...words, title: say('The names that are needed are free') });
  const there = say(
    '{count, plural, one {There is a wallet {wallets} already.} other {There are wallets {wallets} already.}}',
    { count: taken.length, wallets: allOf(taken.map((each) => `“${each}”`)) },
  );
  if (preview === null) {
    return read('names-taken', {
      ...words,
      title: say('A name that the migration may need is taken'),
      text: [
        there,
        say('If the migration has to make one of that name, it fails, and the wallet stays legacy.'),
      ],
      todo: [say('Rename or move that wallet first.')],
    });
  }
  return stop('names-taken', {
    ...words,
    title: say('A name that the migration needs is taken'),
    text: [there, say('The migration makes one of that name and would fail.')],
    todo: [say('Unload that wallet, and rename or move its folder. Then look again.')],
  });
}

/** The node's backup, the new wallet and the app's own copy: each about as large as the file. */
export function checkSpace(space: Space | null): Check {
  const words = { looked: say('The free space on the disks of the wallets folder and of the app’s copies.') };
  if (space === null || space.free === null) {
    return read('space', {
      ...words,
      title: say('The free space is not known'),
      text: [
        say('The app cannot look at the node’s disk. Up to three copies of the wallet’s file are made.'),
      ],
      todo: [say('Make sure that the disk is not full.')],
    });
  }
  const needed = 3 * space.size + MARGIN;
  const enough =
    space.free >= needed && (space.freeForCopies ?? Number.POSITIVE_INFINITY) >= space.size + MARGIN;
  if (enough) return fine('space', { ...words, title: say('There is enough space for three copies') });
  return stop('space', {
    ...words,
    title: say('There is not enough space'),
    text: [
      say('{needed} are needed for three copies, and {free} are free.', {
        needed: megabytes(needed),
        free: megabytes(space.free),
      }),
    ],
    todo: [say('Make room on that disk. Then look again.')],
  });
}

const MARGIN = 16 * 1024 * 1024;

function megabytes(bytes: number): string {
  return say('{megabytes, number} MB', { megabytes: Math.ceil(bytes / 1_000_000) });
}

export function checkSyncing({ status }: Pick<MigrationFacts, 'status'>): Check {
  const words = { looked: say('How far the node is with the chain.') };
  if (status.offline || !status.initialBlockDownload)
    return fine('syncing', { ...words, title: say('The node is in step with the chain') });
  return read('syncing', {
    ...words,
    title: say('The node is still syncing'),
    text: [
      say(
        'It has {blocks, number} of {headers, number} blocks. Payments in later blocks are not shown until it has them, so that balances cannot be compared yet.',
        { blocks: status.blocks, headers: status.headers },
      ),
    ],
    todo: [say('Waiting until it is in step is the safer choice.')],
  });
}

/** How many blocks a rescan looks at and how long that may take. A guess, and called one. */
export function checkRescan({
  status,
  looked,
  chain,
}: Pick<MigrationFacts | RestoreFacts, 'status' | 'looked' | 'chain'>): Check {
  const words = {
    looked: say('The newest block the wallet knew, the node’s newest, and its block filters.'),
  };
  if (status.offline) return fine('rescan', { ...words, title: say('No rescan: the engine holds no chain') });
  const from = startOfRescan(status.blocks, looked, chain);
  if (from === null) {
    return read('rescan', {
      ...words,
      title: say('A rescan may follow, and how long it takes is not known'),
      text: [
        say('The app does not know how far behind the wallet is. A rescan of the whole chain takes hours.'),
      ],
    });
  }
  const { blocks, about } = from;
  if (blocks < FEW_BLOCKS) return fine('rescan', { ...words, title: say('At most a short rescan follows') });
  if (status.blockFilters === 'on') {
    return fine('rescan', {
      ...words,
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
    ...words,
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

function duration(seconds: number): string {
  if (seconds < 90) return say('{seconds} s', { seconds: Math.max(1, Math.round(seconds)) });
  if (seconds < 90 * 60) return say('{minutes} min', { minutes: Math.round(seconds / 60) });
  return say('{hours, number} h', { hours: Math.round(seconds / 3600) });
}
