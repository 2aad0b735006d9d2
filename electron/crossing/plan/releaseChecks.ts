/** Checks on the node's release, before a migration: what it can do, and what is known to be wrong with it. */
import type { Inspection } from '../../../shared/inspection.ts';
import type { Hazard } from '../../../shared/migrationPreview.ts';
import type { Check } from '../../../shared/safety.ts';
import { allOf } from '../../../shared/text/perRegion.ts';
import { say } from '../../../shared/text/say.ts';
import { isMigrationExperimental, isWithdrawn } from '../../node/rpc/release.ts';
import { type CommonFacts, contentsOf, fine, type MigrationFacts, read, stop, unseen } from './checkFacts.ts';

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  if (release.migrates === 'no') {
    return stop('release', say('Release {release} cannot migrate', { release: release.text }), {
      todo: [say('Use release 25 to 29, or 30.2 or later, or work without a node.')],
    });
  }
  if (isMigrationExperimental(release) && !offline) {
    return read('release', say('Migration is experimental on release {release}', { release: release.text }), {
      text:
        release.migrates === 'unlock-first'
          ? [say('An encrypted wallet stays unlocked while it migrates.')]
          : [],
      todo: [say('Release 30.2 or later is safer.')],
    });
  }
  if (isWithdrawn(release) && !offline && name !== '') {
    return read('release', say('Release {release} was withdrawn', { release: release.text }), {
      text: [say('It can delete wallets when an unnamed one fails to migrate.')],
      todo: [say('Release 30.2 or later is safer.')],
    });
  }
  return fine('release', say('Release {release} can migrate', { release: release.text }));
}

export function checkUnnamed(facts: MigrationFacts): Check {
  const { release, offline } = facts.status;
  if (facts.name !== '' || offline || release.number >= 300_200)
    return fine('unnamed-wallet', say('No name needed'));
  if (isWithdrawn(release)) {
    const title = say('Release {release} can delete all your wallets here', { release: release.text });
    const text = [
      say('If the migration fails, it can delete every wallet in the folder, and the fresh backup.'),
    ];
    if (facts.copy.file === null) {
      const todo = [say('Update the node to release 30.2 or later first.')];
      return stop('unnamed-wallet', title, { text, todo });
    }
    const todo = [say('So the app migrates a copy under a name, and leaves the file alone.')];
    return read('unnamed-wallet', title, { text, todo });
  }
  return read('unnamed-wallet', say('The wallet has no name'), {
    text: [say('Its wallet.dat lies beside all others, which failures before release 30.2 endangered.')],
    todo: copiesOfOthers(facts),
  });
}

/** The danger is for the wallets beside it, so what the app does not copy is to be copied by hand. */
function copiesOfOthers({ copy, status }: MigrationFacts): string[] {
  if (copy.way === 'cannot' || status.walletsFolder === null) {
    return [say('Copy the other wallets yourself first: the app cannot see them.')];
  }
  const copied = say('The app first copies the other wallets in that folder.');
  if (copy.lacking.length === 0) return [copied];
  const shown = copy.lacking.slice(0, 10).map((each) => `“${each}”`);
  return [
    copied,
    say('Not found, so copy yourself first: {wallets}.', {
      wallets: allOf(copy.lacking.length > shown.length ? [...shown, '…'] : shown),
    }),
  ];
}

/** What some releases do with a wallet that others migrate. */
interface ReleaseHazard {
  /** Numbers of releases, the first with it and the first without. */
  readonly releases: readonly (readonly [first: number, without: number])[];
  readonly isIn: (inspection: Inspection, facts: CommonFacts) => boolean;
  /** `crashes`: it ends in the middle, so the call is never sent. `may`: something can be lost or fail. */
  readonly node: 'refuses' | 'crashes' | 'may';
  /** What the app's own engine does. */
  readonly engine: 'migrates' | 'refuses';
  /** Whether the wallet cannot be loaded either. */
  readonly loads?: false;
  /** Whether a rescue mends it. */
  readonly isMended?: true;
  readonly text: string;
  /** What else works. */
  readonly todo?: string;
}

const SINCE_MIGRATION = 240_000;
const ALWAYS = Number.POSITIVE_INFINITY;

/**
 * From release to release, each measured on nodes or read in Bitcoin Core's sources; `docs/releases.md` shows it held
 * against what nodes did. 319900 is what 32 calls itself before its release.
 */
export const HAZARDS: readonly ReleaseHazard[] = [
  {
    // bitcoin/bitcoin#34198
    releases: [[270_000, 319_900]],
    isIn: has('no-best-block'),
    ...{ node: 'refuses', engine: 'migrates', isMended: true },
    text: say('The wallet does not know its last block.'),
    todo: say('Release 32 migrates it.'),
  },
  {
    releases: [[0, ALWAYS]],
    isIn: has('wkey'),
    ...{ node: 'crashes', engine: 'refuses', loads: false },
    text: say('Only releases up to 0.18 read some of its keys.'),
    todo: say('Export its keys with release 0.18 (dumpwallet).'),
  },
  {
    // `MigrateToDescriptor` asserts it.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    isIn: has('no-seed'),
    ...{ node: 'crashes', engine: 'migrates' },
    text: say('A key chain lacks its seed.'),
  },
  {
    // `MigrateToDescriptor` asserts that each script of a chain is there, and of that chain alone.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    isIn: has('chain-gap'),
    ...{ node: 'crashes', engine: 'refuses', isMended: true },
    text: say('A key chain has gaps.'),
  },
  {
    releases: [[SINCE_MIGRATION, ALWAYS]],
    isIn: has('stray-labels'),
    ...{ node: 'refuses', engine: 'refuses' },
    text: say('Its address book has receiving addresses of others.'),
    todo: say('Remove these labels in release 29 or earlier.'),
  },
  {
    releases: [[SINCE_MIGRATION, ALWAYS]],
    isIn: has('unreadable-labels'),
    ...{ node: 'refuses', engine: 'migrates' },
    text: say('Some receiving addresses are not Bitcoin’s.'),
  },
  {
    releases: [[300_000, ALWAYS]],
    isIn: has('labels-of-others'),
    ...{ node: 'refuses', engine: 'migrates' },
    text: say('Watch-only, with addresses of others in its address book.'),
  },
  {
    // `FEATURE_LATEST`; 30 does not ask any more.
    releases: [[0, 300_000]],
    isIn: ({ formatVersion }) => formatVersion !== null && formatVersion > 169_900,
    ...{ node: 'refuses', engine: 'migrates', loads: false },
    text: say('The wallet asks for a newer release.'),
    todo: say('Release 30 or later migrates it.'),
  },
  {
    releases: [[0, ALWAYS]],
    isIn: refusedFor('version'),
    ...{ node: 'refuses', engine: 'migrates', loads: false },
    text: say('Berkeley DB 6 or later wrote the file.'),
  },
  {
    // Bitcoin Core's own reader came in 28.
    releases: [[280_000, ALWAYS]],
    isIn: (inspection) => refusedFor('tree')(inspection) || refusedFor('length')(inspection),
    ...{ node: 'refuses', engine: 'migrates' },
    text: say('Bitcoin Core cannot read its database form.'),
  },
  {
    // bitcoin/bitcoin#28333
    releases: [[319_900, ALWAYS]],
    isIn: ({ kind, keys }) => kind === 'descriptor' && keys.plain > 0 && keys.encrypted > 0,
    ...{ node: 'refuses', engine: 'migrates', loads: false },
    text: say('Only some keys are encrypted.'),
    todo: say('Release 31 or earlier loads it.'),
  },
  {
    // bitcoin/bitcoin#34544
    releases: [[319_900, ALWAYS]],
    isIn: (_, { name }) => /^\.\.?\//.test(name) || /^\/+$/.test(name),
    ...{ node: 'refuses', engine: 'refuses', loads: false },
    text: say('Its name begins with “./” or “../”.'),
    todo: say('Move it into the wallets folder first.'),
  },
  {
    // bitcoin/bitcoin#31374
    releases: [[SINCE_MIGRATION, 290_000]],
    isIn: ({ migration }) => migration !== null && migration.primary === null,
    ...{ node: 'may', engine: 'migrates' },
    text: say('Before release 29, nodes can crash over watch-only wallets.'),
  },
  {
    // bitcoin/bitcoin#28125
    releases: [[240_000, 250_100]],
    isIn: ({ migration }) => (migration?.leftOut ?? 0) > 0,
    ...{ node: 'may', engine: 'migrates' },
    text: say('Releases before 25.1 migrate invalid scripts too.'),
  },
  {
    // bitcoin/bitcoin#26761, #28038
    releases: [
      [240_000, 240_100],
      [250_000, 250_100],
    ],
    isIn: ({ migration, labels }) => (migration?.watchOnly ?? null) !== null && labels.total > 0,
    ...{ node: 'may', engine: 'migrates' },
    text: say('This release can lose labels of watched addresses.'),
  },
];

function has(hazard: Hazard): ReleaseHazard['isIn'] {
  return ({ migration }) => migration?.hazards.includes(hazard) === true;
}

function refusedFor(why: 'version' | 'length' | 'tree') {
  return ({ file: { format } }: Inspection) => format.kind === 'berkeley-db' && format.refused === why;
}

type Work = 'migrating' | 'loading' | 'rescuing';

function hazardsIn(facts: CommonFacts, work: Work): ReleaseHazard[] {
  const { release, offline } = facts.status;
  const inspection = contentsOf(facts.looked);
  if (inspection === null) return [];
  const isOfRelease = ({ releases }: ReleaseHazard) =>
    releases.some(([first, without]) => release.number >= first && release.number < without);
  return HAZARDS.filter(
    (hazard) =>
      (offline ? hazard.engine === 'refuses' : isOfRelease(hazard)) &&
      (work !== 'loading' || hazard.loads === false) &&
      (work !== 'rescuing' || hazard.isMended !== true) &&
      hazard.isIn(inspection, facts),
  );
}

/** Whether the node refuses the wallet for what is in it, or ends over it, and the app's own engine does not. */
export function isForEngine(facts: CommonFacts, work: Work = 'migrating'): boolean {
  const found = hazardsIn(facts, work);
  return !facts.status.offline && found.length > 0 && found.every(({ engine }) => engine === 'migrates');
}

/** What the release does with what is in the wallet, which is to be migrated, or only loaded. */
export function checkHazards(facts: CommonFacts, work: Work = 'migrating'): Check {
  const { looked, status } = facts;
  const title = say('No obstacles found');
  if (looked.state !== 'seen') return unseen('obstacles', title);
  const found = hazardsIn(facts, work);
  if (found.length === 0) return fine('obstacles', title);
  const words = {
    text: found.map(({ text }) => text),
    todo: [
      ...(isForEngine(facts, work) ? [say('Migrate it without a node.')] : []),
      ...found.flatMap(({ todo }) => todo ?? []),
    ],
  };
  if (status.offline) return stop('obstacles', say('The wallet cannot be migrated'), words);
  const does = (what: ReleaseHazard['node']) => found.some(({ node }) => node === what);
  if (does('crashes') && work !== 'loading') return stop('obstacles', say('The node would crash'), words);
  if (does('refuses') || does('crashes')) {
    return stop('obstacles', say('The node would refuse the wallet'), words);
  }
  return read('obstacles', say('Something may stand in the way'), words);
}
