/**
 * Checks of the node: what its release can do, and its known faults; whether it has the blocks that the wallet needs, and how
 * long a rescan takes.
 */
import { AppError } from '../../../shared/model/errors.ts';
import { type Inspection, needsRescue } from '../../../shared/model/inspection.ts';
import { isBehind, isClockBehind, type NodeStatus } from '../../../shared/model/node.ts';
import type { Check } from '../../../shared/model/safety.ts';
import {
  ADDRESSES_DO_NOT_FIT,
  conditionLines,
  DESCRIPTOR_KEYLESS,
} from '../../../shared/wording/findings/faultWords.ts';
import { asSentence, notSent } from '../../../shared/wording/findings/hints.ts';
import { formatTime } from '../../../shared/wording/format/formatTime.ts';
import { allOf } from '../../../shared/wording/format/perRegion.ts';
import {
  MISSED_WHILE_LOCKED,
  RESCAN_UNLOCKED,
  rescanEstimate,
  STILL_SYNCING,
  syncingWords,
  wholeRescanEstimate,
} from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { isLastStepHardened, type WalletInfo } from '../../bitcoind/calls/walletInfo.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import {
  canSkipLoading,
  isMigrationExperimental,
  isWithdrawn,
  type Session,
} from '../../bitcoind/rpc/session.ts';
import { groupedBy } from '../../walletfile/bytes/lists.ts';
import { crashingConditions, type Effect, isInRelease } from '../../walletfile/conditions/conditionTable.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import {
  blocker,
  type ChainFacts,
  type CommonFacts,
  contentsOf,
  type FileInspection,
  fine,
  type MigrationFacts,
  type RestoreFacts,
  unseen,
  warning,
} from './checkFacts.ts';
import { HAZARDS, type ReleaseHazard } from './hazards.ts';

export function checkRelease({ status: { release, offline }, name }: MigrationFacts): Check {
  if (release.migrates === 'no') {
    return blocker('release', say('Release {release} cannot migrate', { release: release.text }), {
      todo: [say('Use release 25 to 29, 30.2 or later, or work without a node.')],
    });
  }
  if (isMigrationExperimental(release) && !offline) {
    return warning('release', say('Experimental migration on release {release}', { release: release.text }), {
      text: release.migrates === 'unlock-first' ? [say('Encrypted wallets stay unlocked meanwhile.')] : [],
      todo: [say('Update the node to 30.2 or later.')],
    });
  }
  if (isWithdrawn(release) && !offline && name !== '') {
    return warning('release', say('Release {release} was withdrawn', { release: release.text }), {
      text: [say('It can delete wallets when an unnamed one fails to migrate.')],
      todo: [say('Update the node to 30.2 or later.')],
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
    const text = [say('It can delete wallets when an unnamed one fails to migrate.')];
    if (facts.copy.file === null) {
      const todo = [say('Update the node to 30.2 or later.')];
      return blocker('unnamed-wallet', title, { text, todo });
    }
    const todo = [say('The app migrates a named copy instead.')];
    return warning('unnamed-wallet', title, { text, todo });
  }
  return warning('unnamed-wallet', say('The wallet has no name'), {
    text: [say('Before 30.2, a failed migration can delete the wallets beside it.')],
    todo: copiesOfOthers(facts),
  });
}

/** The other wallets in the folder are in danger. The user must copy those that the app does not. */
function copiesOfOthers({ copy, status }: MigrationFacts): string[] {
  if (copy.how === 'cannot' || status.walletsFolder === null) {
    return [say('Copy them yourself first: the app cannot see them.')];
  }
  const copied = say('The app copies them first.');
  if (copy.notFound.length === 0) return [copied];
  const names = copy.notFound.slice(0, 10).map((each) => `“${each}”`);
  return [
    copied,
    say('Not found: copy {wallets} yourself.', {
      wallets: allOf(copy.notFound.length > names.length ? [...names, '…'] : names),
    }),
  ];
}

type NodeOperation = 'migrating' | 'loading' | 'rescuing';

function effectOf({ migrating, loading }: ReleaseHazard, work: NodeOperation): Effect | undefined {
  return work === 'loading' ? loading : migrating;
}

type WalletFacts = Pick<CommonFacts, 'status' | 'name' | 'fileInspection'> &
  Partial<Pick<RestoreFacts, 'rescue'>>;

function hazardsIn(facts: WalletFacts, work: NodeOperation): ReleaseHazard[] {
  const { release, offline } = facts.status;
  const inspection = contentsOf(facts.fileInspection);
  if (inspection === null) return [];
  return HAZARDS.filter(
    (hazard) =>
      (offline ? hazard.engine === 'refuses' : isInRelease(release.number, hazard.releases)) &&
      effectOf(hazard, work) !== undefined &&
      (work !== 'rescuing' || hazard.isRepairable !== true) &&
      hazard.appliesTo(inspection, facts),
  );
}

/** Whether the wallet's content makes the node refuse it or crash, but not the app's own engine. */
export function isForEngine(facts: WalletFacts, work: NodeOperation): boolean {
  const found = hazardsIn(facts, work).filter((hazard) => effectOf(hazard, work) !== 'unknown');
  return !facts.status.offline && found.length > 0 && found.every(({ engine }) => engine !== 'refuses');
}

/** Checks whether the wallet's content makes the release fail to migrate it, or to load it. */
export function checkHazards(facts: WalletFacts, work: NodeOperation = 'migrating'): Check {
  const { fileInspection, status, rescue } = facts;
  const title = say('No obstacles found');
  if (fileInspection.state !== 'read') return unseen('obstacles', title);
  const { inspection } = fileInspection;
  const found = hazardsIn(facts, work);
  if (found.length === 0) return fine('obstacles', title);
  const texts = found.map(({ text, lines }) => lines?.(inspection) ?? [text]);
  const words = {
    // Several rules of one condition can apply to the engine.
    text: [...groupedBy(texts, String).values()].flatMap(([lines = []]) => lines),
    todo: [
      ...(inspection.kind === 'legacy' && isForEngine(facts, work)
        ? [say('Migrate it without a node.')]
        : []),
      ...(needsRescue(inspection) && !rescue ? [say('Rescue what is intact.')] : []),
      ...found.flatMap(({ todo, todoAlone = todo }) => (found.length > 1 ? todo : todoAlone) ?? []),
    ],
  };
  const does = (what: Effect) => found.some((hazard) => effectOf(hazard, work) === what);
  // A migration first loads the wallet.
  const isRefusedFirst =
    found.some(({ loading, migrating }) => loading === 'refuses' && migrating === 'refuses') &&
    found.every(({ loading }) => loading !== 'crashes');
  const stop = (why: string) => blocker('obstacles', why, words);
  if (status.offline) return stop(work === 'loading' ? say('Cannot be loaded') : say('Cannot be migrated'));
  if (does('crashes') && !isRefusedFirst) return stop(say('This wallet would crash the node'));
  if (does('refuses')) return stop(say('The node would refuse it'));
  if (does('ends-later')) return stop(say('The loaded wallet can crash the node'));
  const isMisfit = inspection.conditions.some(({ code }) => code === 'descriptor-misfit');
  if (does('misleads')) return stop(isMisfit ? ADDRESSES_DO_NOT_FIT : DESCRIPTOR_KEYLESS);
  if (does('may')) return warning('obstacles', say('Possible obstacles'), words);
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
  { offline, walletsFolder, network }: NodeStatus,
  name: string,
  work: WalletWork,
): Promise<Inspection | null> {
  if (offline || walletsFolder === null) return null;
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
    asSentence(say('This wallet would crash the node')),
    [...conditionLines(first), notSent(asSentence(say('Rescue this wallet')))].join(' '),
  );
}

/**
 * Loading needs the block at which the wallet was last in sync, or all blocks since its birth (`CWallet::AttachChain`). `loads`:
 * whether the node loads the result at once.
 */
export function checkPruned({ status, fileInspection, chain }: CommonFacts, loads: boolean): Check {
  if (status.offline) return fine('pruned', say('No blocks needed'));
  if (!status.pruned && chain.snapshot === null) {
    return fine('pruned', say('Node has the needed blocks'));
  }
  // The node has all blocks from the lowest one on.
  const { height: lowest, time: lowestTime } = lowestBlock(status, chain);
  // Without a block of its own, the node begins at the first one, or at the birth.
  const hasNoBlock = fileInspection.state === 'read' && fileInspection.inspection.balance.lastBlock === null;
  const height = hasNoBlock ? 0 : (chain.lastBlock?.height ?? null);
  const born = contentsOf(fileInspection)?.birth;
  // A node treats a key without a date as if it were as old as the chain.
  const birth = born?.known === 'exactly' ? born.time : born && hasNoBlock ? GENESIS_TIME : null;
  const kept =
    lowest === null
      ? say('It keeps only recent blocks.')
      : say('It keeps blocks from {height, number} on.', { height: lowest });
  // Null: unknown. A node looks two hours further back than the birth.
  const hasLastBlock = height === null || lowest === null ? null : height >= lowest;
  const hasAllSinceBirth = birth === null || lowestTime === null ? null : birth - TWO_HOURS >= lowestTime;
  if (hasLastBlock || hasAllSinceBirth) {
    return fine('pruned', say('Node has the needed blocks'), { text: [kept] });
  }
  if (hasLastBlock === null && hasAllSinceBirth === null) {
    return warning('pruned', say('The node is pruned'), {
      text: [kept, say('If blocks are missing, the job fails.')],
      todo: [say('For long unused wallets, choose another node.')],
    });
  }
  if (!loads) {
    return warning('pruned', say('The node cannot load it afterwards'), {
      text: [kept],
      todo: [UNPRUNED],
    });
  }
  return blocker('pruned', say('The node lacks needed blocks'), {
    text: [kept, ...(height ? [say('The wallet’s last block: {height, number}.', { height })] : [])],
    todo: [UNPRUNED, ...(canSkipLoading(status.release) ? [say('Or turn off “Load after migration”.')] : [])],
  });
}

const UNPRUNED = say('Use an unpruned node, or reindex this one.');

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
 * Checks from which date the node will search for payments. It trusts the dates of the keys (`CWallet::AttachChain`). After an import or
 * a rewrite of descriptors they are too late, and the node silently misses older payments.
 */
function checkBirth({ status, fileInspection }: Pick<CommonFacts, 'status' | 'fileInspection'>): Check {
  const contents = contentsOf(fileInspection);
  if (status.offline) {
    return fine('birth', say('No search for payments'), { text: [say('Only a node finds new payments.')] });
  }
  if (contents === null) return unseen('birth', say('Age of the keys'));
  const { birth, transactions } = contents;
  if (birth.known !== 'exactly' || birth.time <= GENESIS_TIME)
    return fine('birth', say('Payments: from the first block'));
  const date = formatTime(birth.time);
  const isOlder = transactions.shown.some(({ time }) => time < birth.time - TWO_HOURS);
  if (transactions.total > 0 && !isOlder) return fine('birth', say('Payments: from {date}', { date }));
  return warning('birth', say('Payments before {date} will not be found', { date }), {
    text: [
      say('The file gives this date.'),
      isOlder ? say('Some transactions are older.') : say('No transactions.'),
    ],
    todo: [say('If the keys are older, rescan everything afterwards.')],
  });
}

/** Time of Bitcoin’s first block. */
const GENESIS_TIME = 1_231_006_505;

export function checkSyncing({ status }: Pick<CommonFacts, 'status'>): Check {
  if (status.offline) return fine('syncing', say('No sync needed'));
  if (isClockBehind(status))
    return warning('syncing', say('This computer’s clock is wrong'), { todo: [say('Correct the clock.')] });
  if (!isBehind(status)) return fine('syncing', say('Node is synced'));
  const todo = [say('Wait until it is synced.')];
  return warning('syncing', STILL_SYNCING, { text: syncingWords(status), todo });
}

/**
 * Checks the wallet's payments: those that the node sends again, and those that it searches for. `loads`: whether it loads the wallet.
 * `info`: of a loaded wallet.
 */
export function checkPayments(
  facts: CommonFacts & { readonly info?: WalletInfo | null },
  loads: boolean,
): Check[] {
  const scanning = checkScanning(facts.info ?? null);
  // Without the blocks it needs, the node searches none.
  if (checkPruned(facts, loads).verdict === 'blocker') return scanning === null ? [] : [scanning];
  const rescanCheck = scanning ?? checkRescan(facts);
  return [...(loads ? checkUnconfirmed(facts) : []), rescanCheck, checkBirth(facts)];
}

/**
 * Refuses a wallet that the node is rescanning, else null. A migration would first wait for the end of the rescan, and nobody could
 * stop it, because the wallet counts as unloaded by then (`WaitForDeleteWallet`).
 */
export function checkScanning(info: WalletInfo | null): Check | null {
  if (info === null || info.scanning === null) return null;
  return blocker('rescan', say('Already being rescanned'), { todo: [say('Wait until it ends.')] });
}

/**
 * A node that loads a wallet puts its unconfirmed transactions into its memory pool, and sends them to other nodes within 36 hours
 * (`CWallet::postInitProcess` and `MaybeResendWalletTxs`). Other nodes have forgotten those older than two weeks
 * (`DEFAULT_MEMPOOL_EXPIRY_HOURS`): a payment that its owner gave up comes back.
 */
function checkUnconfirmed({ status, name, loaded, fileInspection, chain }: CommonFacts): Check[] {
  if (status.offline || loaded.includes(name)) return [];
  const forgotten = contentsOf(fileInspection)?.transactions.shown.filter(
    ({ state, time, spendable, watched }) =>
      state === 'unconfirmed' && time < chain.now - TWO_WEEKS && (spendable.spent > 0n || watched.spent > 0n),
  );
  if (!forgotten?.length) return [];
  return [
    warning(
      'unconfirmed',
      say('Unconfirmed for over two weeks: {count, number}', { count: forgotten.length }),
      {
        text: [say('The node sends them again unless a block has them.')],
        todo: [say('Unwanted? Start the node with -walletbroadcast=0, then use abandontransaction.')],
      },
    ),
  ];
}

const TWO_WEEKS = 14 * 24 * 60 * 60;

/** Estimates the number of blocks of a rescan and its duration, and says that it is an estimate. */
function checkRescan({ status, fileInspection, chain }: CommonFacts): Check {
  if (status.offline) return fine('rescan', say('No rescan needed'));
  const blocks = blocksToScan(status.blocks, fileInspection, chain);
  if ((blocks ?? status.blocks) < FEW_BLOCKS) return fine('rescan', say('At most a short rescan'));
  const isLocked = needsPassphraseForAddresses(fileInspection);
  const locked = { text: isLocked ? [MISSED_WHILE_LOCKED] : [], todo: isLocked ? [RESCAN_UNLOCKED] : [] };
  const filtered = status.blockFilters === 'on';
  const estimate = blocks === null ? wholeRescanEstimate(status) : rescanEstimate(blocks, filtered);
  const text = [estimate, ...locked.text];
  if (blocks === null) return warning('rescan', say('A rescan may follow'), { text, todo: locked.todo });
  const title = say('Rescan of about {blocks, number} blocks', { blocks });
  const patience = say('You can close the app meanwhile. Faster with blockfilterindex=1.');
  const todo = [...(filtered ? [] : [patience]), ...locked.todo];
  return todo.length === 0 ? fine('rescan', title, { text }) : warning('rescan', title, { text, todo });
}

/**
 * Whether the node needs the passphrase to make more addresses: keys of a hardened step, as all chains of a legacy wallet have them. A
 * rescan right after the load finds no payments to addresses after those in the file (measured on 31.0: “Topping up keypool failed”).
 */
function needsPassphraseForAddresses(fileInspection: FileInspection): boolean {
  const contents = contentsOf(fileInspection);
  if (contents === null || contents.encryption === null) return false;
  const { hdChains, descriptors } = contents;
  return (
    hdChains.total > 0 || descriptors.shown.some(({ text }) => text !== null && isLastStepHardened(text))
  );
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
