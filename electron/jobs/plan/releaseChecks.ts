/** Checks of the node's release before a migration: what it can do, and its known faults. */
import { AppError } from '../../../shared/model/errors.ts';
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { needsRescue } from '../../../shared/model/way.ts';
import { conditionLines } from '../../../shared/wording/findings/conditionWords.ts';
import { allOf } from '../../../shared/wording/format/perRegion.ts';
import { say } from '../../../shared/wording/say.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import { isMigrationExperimental, isWithdrawn } from '../../bitcoind/rpc/release.ts';
import type { Session } from '../../bitcoind/rpc/session.ts';
import { crashingConditions, isInRelease } from '../../walletfile/conditions/conditionTable.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import {
  blocker,
  type CommonFacts,
  contentsOf,
  fine,
  type MigrationFacts,
  unseen,
  warning,
} from './checkFacts.ts';
import { HAZARDS, type NodeEffect, type ReleaseHazard } from './hazards.ts';

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  if (release.migrates === 'no') {
    return blocker('release', say('Release {release} cannot migrate', { release: release.text }), {
      todo: [say('Use release 25 to 29, or 30.2 or later, or work without a node.')],
    });
  }
  if (isMigrationExperimental(release) && !offline) {
    return warning(
      'release',
      say('Migration is experimental on release {release}', { release: release.text }),
      {
        text:
          release.migrates === 'unlock-first'
            ? [say('An encrypted wallet stays unlocked while it migrates.')]
            : [],
        todo: [say('Release 30.2 or later is safer.')],
      },
    );
  }
  if (isWithdrawn(release) && !offline && name !== '') {
    return warning('release', say('Release {release} was withdrawn', { release: release.text }), {
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
      return blocker('unnamed-wallet', title, { text, todo });
    }
    const todo = [say('The app migrates a named copy and leaves the file alone.')];
    return warning('unnamed-wallet', title, { text, todo });
  }
  return warning('unnamed-wallet', say('The wallet has no name'), {
    text: [
      say(
        'Its wallet.dat is beside all other wallets. Before release 30.2, a failed migration could delete them.',
      ),
    ],
    todo: copiesOfOthers(facts),
  });
}

/** The other wallets in the folder are in danger. The user must copy those that the app does not. */
function copiesOfOthers({ copy, status }: MigrationFacts): string[] {
  if (copy.way === 'cannot' || status.walletsFolder === null) {
    return [say('Copy the other wallets yourself first: the app cannot see them.')];
  }
  const copied = say('The app first copies the other wallets in that folder.');
  if (copy.notFound.length === 0) return [copied];
  const shown = copy.notFound.slice(0, 10).map((each) => `“${each}”`);
  return [
    copied,
    say('Not found, so copy yourself first: {wallets}.', {
      wallets: allOf(copy.notFound.length > shown.length ? [...shown, '…'] : shown),
    }),
  ];
}

type Work = 'migrating' | 'loading' | 'rescuing';

function effectOf({ node, loading }: ReleaseHazard, work: Work): NodeEffect | undefined {
  return work === 'loading' ? loading : node;
}

function hazardsIn(facts: CommonFacts, work: Work): ReleaseHazard[] {
  const { release, offline } = facts.status;
  const inspection = contentsOf(facts.fileInspection);
  if (inspection === null) return [];
  return HAZARDS.filter(
    (hazard) =>
      (offline ? hazard.engine === 'refuses' : isInRelease(release.number, hazard.releases)) &&
      effectOf(hazard, work) !== undefined &&
      (work !== 'rescuing' || hazard.isRepairable !== true) &&
      hazard.isIn(inspection, facts),
  );
}

/** Whether the wallet's content makes the node refuse it or crash, but not the app's own engine. */
export function isForEngine(facts: CommonFacts, work: Work = 'migrating'): boolean {
  const found = hazardsIn(facts, work).filter((hazard) => effectOf(hazard, work) !== 'unknown');
  return !facts.status.offline && found.length > 0 && found.every(({ engine }) => engine === 'migrates');
}

/** Checks whether the wallet's content makes the release fail to migrate it, or to load it. */
export function checkHazards(facts: CommonFacts, work: Work = 'migrating'): Check {
  const { fileInspection, status } = facts;
  const title = say('No obstacles found');
  if (fileInspection.state !== 'read') return unseen('obstacles', title);
  const { inspection } = fileInspection;
  const found = hazardsIn(facts, work);
  if (found.length === 0) return fine('obstacles', title);
  const words = {
    text: found.flatMap(({ text, lines }) => lines?.(inspection) ?? [text]),
    todo: [
      ...(isForEngine(facts, work) ? [say('Migrate it without a node.')] : []),
      ...(needsRescue(inspection) && work !== 'rescuing' ? [say('A rescue saves all that is whole.')] : []),
      ...found.flatMap(({ todo }) => todo ?? []),
    ],
  };
  const does = (...what: NodeEffect[]) =>
    found.some((hazard) => what.some((one) => one === effectOf(hazard, work)));
  if (status.offline) {
    return work === 'loading'
      ? blocker('obstacles', say('The wallet cannot be loaded'), words)
      : blocker('obstacles', say('The wallet cannot be migrated'), words);
  }
  if (does('crashes')) return blocker('obstacles', say('The node would crash'), words);
  if (does('refuses')) return blocker('obstacles', say('The node would refuse the wallet'), words);
  if (does('ends-later')) return blocker('obstacles', say('The loaded wallet would crash the node'), words);
  if (does('may')) return warning('obstacles', say('Something may stand in the way'), words);
  return unseen('obstacles', title, words);
}

/**
 * Inspects each wallet file before any job has a node load it, because some files crash the node. The result throws AppError
 * `stopped_by_check` for a wallet that would crash the node when it loads it or at the next question about it. The node decides
 * about wallets that it only refuses and about files that the app cannot read.
 */
export function createLoadGuard(work: WalletWork): (session: Session, name: string) => Promise<void> {
  return async ({ status }, name) => {
    const inspection = await inspectionOf(status, name, work).catch(() => null);
    if (inspection !== null) refuseToLoad(inspection, status);
  };
}

async function inspectionOf(
  { offline, local, walletsFolder, network }: NodeStatus,
  name: string,
  work: WalletWork,
): Promise<Inspection | null> {
  if (offline || !local || walletsFolder === null) return null;
  const path = await walletFilePath(walletsFolder, name);
  if (path === null) return null;
  const { inspection } = await work(
    { kind: 'inspect', task: { path, network } },
    new AbortController().signal,
  );
  return inspection;
}

/** Throws what the guard throws. Exported for its test over all conditions and releases. */
export function refuseToLoad(inspection: Inspection, status: NodeStatus): void {
  if (status.offline) return;
  const [first] = crashingConditions(inspection.conditions, status.release.number);
  if (!first) return;
  throw new AppError(
    'stopped_by_check',
    say('This wallet would crash the node.'),
    [...conditionLines(first), say('Nothing was sent. Rescue its file.')].join(' '),
  );
}
