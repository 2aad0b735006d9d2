/** All checks before a migration, and the questions that restores share with it. */
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import { identityOf, isSameNode } from '../../../shared/model/node.ts';
import type { Answers, Question } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { isWithdrawn } from '../../bitcoind/rpc/session.ts';
import {
  contentsOf,
  type FileInspection,
  fine,
  type MigrationFacts,
  type PlanFacts,
  type RestoreFacts,
  rescueRequestOf,
  warning,
} from './checkFacts.ts';
import { BY_MIGRATION, checkRestore, checkSpace, checkWritable } from './checkRestore.ts';
import {
  checkHazards,
  checkPayments,
  checkPruned,
  checkRelease,
  checkSyncing,
  checkUnnamed,
} from './nodeChecks.ts';
import {
  checkClosed,
  checkCoin,
  checkComplete,
  checkExists,
  checkForeignTransactions,
  checkLostAddresses,
  checkNeededNames,
  checkNetwork,
  checkOpenElsewhere,
  checkPool,
  checkReadable,
  isWalletMissing,
} from './walletChecks.ts';

/** Pure. `loads`: whether the node loads the result. */
export function checkMigration(facts: MigrationFacts, loads = true): Check[] {
  const exists = checkExists(facts);
  // No other check makes sense for a missing wallet.
  if (isWalletMissing(facts)) return [exists];
  const incompleteCheck = checkComplete(facts.fileInspection);
  // Other facts about an incomplete file say nothing about the wallet.
  if (incompleteCheck !== null) return [incompleteCheck];
  return [
    exists,
    checkRelease(facts),
    checkUnnamed(facts),
    ...checkWritable(facts),
    checkReadable(facts),
    checkClosed(facts),
    checkCoin(facts),
    checkNetwork(facts),
    checkOpenElsewhere(facts),
    checkPruned(facts, loads),
    checkNeededNames(facts),
    checkForeignTransactions(facts),
    checkLostAddresses(facts),
    checkPool(facts),
    checkHazards(facts),
    checkSpace(facts.space, BY_MIGRATION),
    checkSyncing(facts),
    ...checkPayments(facts, loads),
  ];
}

/** Whether a named copy of the unnamed wallet is migrated instead: the release endangers the other wallets. */
export function needsName({ name, status, copy, onDisk }: MigrationFacts): boolean {
  const { release, offline } = status;
  return name === '' && onDisk.includes('') && isWithdrawn(release) && !offline && copy.file !== null;
}

/** The checks before a placed copy is migrated. `unnamed`: the unnamed wallet, if the copy is of its file. */
export function checkPlaced(facts: RestoreFacts, unnamed: MigrationFacts | null, loads: boolean): Check[] {
  const checks = checkRestore(facts, loads);
  if (unnamed === null) return checks;
  const others = checks.filter(({ id, verdict }) => id !== 'release' || verdict === 'blocker');
  return [checkExists(unnamed), checkUnnamed(unnamed), checkOpenElsewhere(unnamed), ...others];
}

/** What a rehearsal found, and the facts of the plan for which it ran. */
export interface RehearsalOutcome {
  /** What would be lost, or why a node would refuse; null if everything arrived. */
  readonly loss: AppErrorShape | null;
  readonly facts: PlanFacts;
}

/**
 * Whether a rehearsal’s result still applies: same content, read the same way. A loss also applies to a node’s wallet that has
 * changed since, or that cannot be compared, until the next rehearsal.
 */
export function stillApplies({ facts: before, loss }: RehearsalOutcome, now: PlanFacts): boolean {
  const [one, other] = [inspectionIn(before), inspectionIn(now)];
  if (one === other) return true;
  const rescueIn = (facts: PlanFacts) => JSON.stringify(rescueRequestOf(facts));
  if (before.status.network !== now.status.network || rescueIn(before) !== rescueIn(now)) return false;
  const hashIn = (read: FileInspection | null) => (read?.state === 'read' ? read.sha256 : null);
  const [hash, hashNow] = [hashIn(one), hashIn(other)];
  const areKnown = hash !== null && hashNow !== null;
  if (areKnown && hash === hashNow) return true;
  const isOtherFile = areKnown && now.kind !== 'migrate';
  return !isOtherFile && loss !== null && isSameNode(identityOf(before.status), identityOf(now.status));
}

function inspectionIn(facts: PlanFacts): FileInspection | null {
  return 'fileInspection' in facts ? facts.fileInspection : null;
}

export function checkRehearsal(rehearsal: Pick<RehearsalOutcome, 'loss'> | null): Check[] {
  if (rehearsal === null) return [];
  const { loss } = rehearsal;
  if (loss === null) return [fine('rehearsal', say('Rehearsal: everything arrived'))];
  return [warning('rehearsal', say('The rehearsal failed'), { text: [loss.message, loss.hint] })];
}

export function coinQuestion(fileInspection: FileInspection, answers: Answers): Question[] {
  const verdict = contentsOf(fileInspection)?.coin.verdict;
  const isOpen = verdict === 'ambiguous' || verdict === 'unknown';
  return isOpen ? [{ ask: 'bitcoin-keys', value: answers.bitcoinKeys === true }] : [];
}

/** Asked before the engine changes a wallet that was there before, and that may be open where the app cannot see it. */
export function closedQuestion(facts: MigrationFacts | RestoreFacts, answers: Answers): Question[] {
  const isRestore = 'renames' in facts;
  const changes = !isRestore || facts.renames.length > 0;
  const perhaps = (isRestore ? facts.migrated : facts)?.openElsewhere === 'perhaps';
  const asks = changes && (facts.mayHideUse || (facts.status.offline && perhaps));
  return asks ? [{ ask: 'closed-elsewhere', value: answers.isClosed === true }] : [];
}
