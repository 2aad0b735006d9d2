/** Everything that is looked at before a migration, each with a verdict. */
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { say } from '../../../shared/wording/say.ts';
import { isWithdrawn } from '../../bitcoind/rpc/release.ts';
import { checkBirth, checkPruned, checkRescan, checkSyncing } from './chainChecks.ts';
import { fine, type MigrationFacts, type RestoreFacts, warning } from './checkFacts.ts';
import { checkRestore } from './checkRestore.ts';
import { BY_MIGRATION, checkSpace } from './checkSpace.ts';
import { checkHazards, checkRelease, checkUnnamed } from './releaseChecks.ts';
import {
  checkClosed,
  checkCoin,
  checkCutOff,
  checkExists,
  checkForeignTransactions,
  checkLostAddresses,
  checkNeededNames,
  checkNetwork,
  checkOpenElsewhere,
  checkPool,
  checkReadable,
  isMissing,
} from './walletChecks.ts';

/** Pure: all that is known is in the facts. `loads`: whether the node loads what comes of it. */
export function checkMigration(facts: MigrationFacts, loads = true): Check[] {
  const exists = checkExists(facts);
  // Nothing else can be said of a wallet that is not there.
  if (isMissing(facts)) return [exists];
  const cutOff = checkCutOff(facts.fileInspection);
  // Nothing else about a half-made file says anything about the wallet.
  if (cutOff !== null) return [cutOff];
  return [
    exists,
    checkRelease(facts),
    checkUnnamed(facts),
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
    checkRescan(facts),
    checkBirth(facts),
  ];
}

/** Whether a named copy of the unnamed wallet is migrated instead: the release endangers the wallets beside it. */
export function needsName({ name, status, copy, onDisk }: MigrationFacts): boolean {
  const { release, offline } = status;
  return name === '' && onDisk.includes('') && isWithdrawn(release) && !offline && copy.file !== null;
}

/** Before a copy of a file is migrated; `unnamed`: the wallet whose own file that is, which tells why. */
export function checkPlaced(facts: RestoreFacts, unnamed: MigrationFacts | null, loads: boolean): Check[] {
  const checks = checkRestore(facts, loads);
  if (unnamed === null) return checks;
  const others = checks.filter(({ id, verdict }) => id !== 'release' || verdict === 'blocker');
  return [checkExists(unnamed), checkUnnamed(unnamed), checkOpenElsewhere(unnamed), ...others];
}

export interface RehearsalResult {
  /** What would be lost, or why a node would refuse; null where all arrived. */
  readonly loss: AppErrorShape | null;
}

export function checkRehearsal(rehearsalResult: RehearsalResult | null): Check[] {
  if (rehearsalResult === null) return [];
  const { loss } = rehearsalResult;
  if (loss === null) return [fine('rehearsal', say('Rehearsal: everything arrived'))];
  return [warning('rehearsal', say('The rehearsal failed'), { text: [loss.message, loss.hint] })];
}
