/** Everything that is looked at before a migration, each with a verdict. */
import { identityOf } from '../../../shared/node.ts';
import type { Check, MigrationChecks } from '../../../shared/safety.ts';
import { isWithdrawn } from '../../node/rpc/release.ts';
import { checkPruned, checkRescan, checkSyncing } from './chainChecks.ts';
import type { MigrationFacts } from './checkFacts.ts';
import { BY_MIGRATION, checkSpace } from './checkSpace.ts';
import { checkNeededNames } from './furtherNameChecks.ts';
import { checkRelease, checkUnnamed } from './releaseChecks.ts';
import {
  checkClosed,
  checkExists,
  checkHeld,
  checkNetwork,
  checkObstacles,
  checkPassphrase,
  checkReadable,
  checkStrays,
} from './walletChecks.ts';

/** Checks that stop come first, then those to read. Pure: all that is known is in the facts. */
export function checkMigration(facts: MigrationFacts): MigrationChecks {
  const checks = [
    checkExists(facts),
    checkRelease(facts),
    checkUnnamed(facts),
    checkReadable(facts),
    checkClosed(facts),
    checkNetwork(facts),
    checkHeld(facts),
    checkPruned(facts),
    checkNeededNames(facts),
    checkStrays(facts),
    checkObstacles(facts),
    checkPassphrase(facts),
    checkSpace(facts.space, BY_MIGRATION),
    checkSyncing(facts),
    checkRescan(facts),
  ];
  return {
    node: identityOf(facts.status),
    checks: byVerdict(checks),
    copy: { way: facts.copy.way, text: facts.copy.text },
    way: wayOf(checks, facts),
    file: facts.copy.file,
  };
}

export function byVerdict(checks: readonly Check[]): Check[] {
  const order = { stop: 0, read: 1, unseen: 2, fine: 3 };
  return [...checks].sort((a, b) => order[a.verdict] - order[b.verdict]);
}

/** The unnamed wallet on a dangerous release can go another way, if that is all that stops it. */
function wayOf(checks: readonly Check[], { name, status, copy }: MigrationFacts): MigrationChecks['way'] {
  const stops = checks.filter(({ verdict }) => verdict === 'stop');
  if (stops.length === 0) return 'migrate';
  const onlyUnnamed = stops.every(({ id }) => id === 'unnamed-wallet');
  const possible = name === '' && isWithdrawn(status.release) && copy.file !== null;
  return onlyUnnamed && possible ? 'copy-first' : 'none';
}
