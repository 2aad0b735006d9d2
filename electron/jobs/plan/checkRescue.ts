/** All checks before a rescue: what can be saved, and whether the log was found. */
import { join } from 'node:path';
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import { isAboutLog } from '../../../shared/model/findings/finding.ts';
import type { Question } from '../../../shared/model/plan.ts';
import { type Check, isPartlySealed, type RescueFacts } from '../../../shared/model/safety.ts';
import { findingHint, findingText } from '../../../shared/wording/findings/findingWords.ts';
import { asSentence, otherLog } from '../../../shared/wording/findings/hints.ts';
import { counted } from '../../../shared/wording/format/formatNumber.ts';
import {
  hasLossesOrExclusions,
  logWords,
  rescanWords,
  rescueRows,
  savedWords,
  sealedWords,
} from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { REPAIRED_FILE } from '../../workers/repairRequest.ts';
import {
  blocker,
  contentsOf,
  type FileInspection,
  fine,
  type RestoreFacts,
  rescuesDescriptorWallet,
  type Space,
  warning,
} from './checkFacts.ts';
import {
  BY_REPAIRED,
  BY_RESTORE_AND_MIGRATION,
  checkCanRestore,
  checkFileClosed,
  checkFolder,
  checkFolderPermissions,
  checkNodeUser,
  checkSpace,
  checkUnreadable,
  checkWritable,
  needsMigration,
} from './checkRestore.ts';
import { checkHazards, checkPayments, checkPruned, checkSyncing } from './nodeChecks.ts';
import { checkCoin, checkCompanionNames, checkNetwork } from './walletChecks.ts';

/** What a rescue can save; null without an inspection for one. */
export function rescueFactsOf(fileInspection: FileInspection): RescueFacts | null {
  return fileInspection.state === 'read' ? (fileInspection.rescue ?? null) : null;
}

/** The planned path of a repaired descriptor wallet, for the node; null if there is none or the app cannot write it. */
export function plannedRepair({ copyFolder, ...facts }: RestoreFacts): string | null {
  return rescuesDescriptorWallet(facts) && copyFolder !== null ? join(copyFolder, REPAIRED_FILE) : null;
}

/** Pure. `loads`: whether the node loads the result. */
export function checkRescue(facts: RestoreFacts, loads = true): Check[] {
  const migrates = needsMigration(facts);
  return [
    ...checkFileClosed(facts),
    // The question for the log reports a log that does not match.
    ...(logMismatch(facts) === null ? [checkUnreadable(facts) ?? checkSaved(facts)] : []),
    ...(migrates && facts.status.release.migrates !== 'yes'
      ? [
          blocker(
            'release',
            say('Release {release} cannot migrate', { release: facts.status.release.text }),
            {
              todo: [asSentence(say('Work without a node'))],
            },
          ),
        ]
      : []),
    ...(migrates
      ? checkFolder(facts)
      : [...checkCanRestore(facts), ...checkWritable(facts), ...checkNodeUser(facts)]),
    ...checkFolderPermissions(facts),
    checkCoin(facts),
    checkNetwork(facts),
    checkPruned(facts, loads),
    checkSpace(spaceOf(facts), migrates ? BY_RESTORE_AND_MIGRATION : BY_REPAIRED),
    checkSyncing(facts),
    // A file without readable records has no payments to scan for.
    ...(facts.fileInspection.state === 'unreadable' ? [] : checkPayments(facts, !migrates || loads)),
    ...(migrates ? [checkCompanionNames(facts)] : []),
    checkHazards(facts, migrates ? 'rescuing' : 'loading'),
  ];
}

export function logQuestion(facts: RestoreFacts): Question[] {
  const check = facts.rescue && checkLog(facts);
  if (check === null) return [];
  const { fileInspection, rescue } = facts;
  const named = typeof rescue?.logs === 'object' ? rescue.logs.in : '';
  return [{ ask: 'logs', value: rescueFactsOf(fileInspection)?.log?.folder ?? named, check }];
}

/** Null for a file that was closed cleanly, and if unknown. */
export function checkLog(facts: RestoreFacts): Check | null {
  const found = rescueFactsOf(facts.fileInspection);
  if (found?.log) {
    const { problem } = found.log;
    const text = [logWords(found.log)];
    if (problem === undefined) return fine('logs', say('Log found'), { text });
    return warning('logs', findingText(problem), { text, todo: [findingHint(problem)] });
  }
  const misfit = logMismatch(facts);
  if (misfit !== null) return blocker('logs', misfit.message, { todo: [misfit.hint] });
  if (!found?.unclean) return null;
  if (facts.rescue?.logs === 'none') return warning('logs', say('The last changes may be missing.'));
  return blocker('logs', say('Its log is missing'), {
    text: [say('Its last changes may be in its “database” folder.')],
    todo: [otherLog()],
  });
}

/** Why the log cannot be used; null if the log is not the problem. */
export function logMismatch({
  fileInspection,
  rescue,
}: Pick<RestoreFacts, 'fileInspection' | 'rescue'>): AppErrorShape | null {
  if (fileInspection.state !== 'unreadable' || rescue?.logs === 'none') return null;
  return isAboutLog(fileInspection.error.finding?.code ?? '') ? fileInspection.error : null;
}

/** The app places and migrates the repaired file, and copies the damaged one next to it. */
function spaceOf({ fileInspection, space }: RestoreFacts): Space | null {
  const repaired = contentsOf(fileInspection)?.file;
  return space && repaired ? { ...space, size: repaired.size, otherWalletsSize: space.size } : space;
}

function checkSaved(facts: RestoreFacts): Check {
  const { fileInspection } = facts;
  const rescueFacts = rescueFactsOf(fileInspection);
  if (fileInspection.state === 'unreadable')
    return blocker('rescue', fileInspection.error.message, { todo: [fileInspection.error.hint] });
  if (rescueFacts === null) return blocker('rescue', say('The app cannot read the file'));
  // The log has a check of its own.
  const [, ...rows] = rescueRows({ ...rescueFacts, log: null });
  const rescan = rescanWords(rescueFacts);
  const { saved, sealed, open } = rescueFacts;
  const openOnly = facts.rescue?.openOnly === true;
  if (saved.keys === 0 && openOnly && isPartlySealed(rescueFacts))
    return blocker('rescue', say('All its keys are encrypted'), { todo: [say('Keep the file.')] });
  // A descriptor wallet, or one with watched scripts, can still show the payments.
  const shows = rescuesDescriptorWallet(facts) || contentsOf(fileInspection)?.records.byType.watchs;
  if (saved.keys === 0 && rescueFacts.missing.masterKey && !shows)
    return blocker('rescue', say('Missing: {keys}.', { keys: say('the master key') }), {
      text: rows.map((row) => row.join(': ')),
      todo: [say('Keep the file, and try another copy.')],
    });
  // If all keys need a passphrase, the plan asks for it, so count them.
  const what = savedWords({
    ...rescueFacts,
    saved: { ...saved, keys: saved.keys || (openOnly ? 0 : sealed) },
  });
  const text = [
    ...rows.map((row) => row.join(': ')),
    ...(isPartlySealed(rescueFacts) && saved.keys > 0
      ? [say('Without the passphrase, the new wallet lacks: {keys}.', { keys: sealedWords(rescueFacts) })]
      : []),
    ...(open === undefined || openOnly
      ? []
      : [say('Without the passphrase, {keys} can still be saved.', { keys: counted.privateKeys(open) })]),
    ...(sealed > 0 && !openOnly && !rescuesDescriptorWallet(facts)
      ? [say('They are unencrypted in the new wallet.')]
      : []),
    ...(rescan === null ? [] : [rescan]),
  ];
  return (hasLossesOrExclusions(rescueFacts) ? warning : fine)(
    'rescue',
    say('Can be saved: {what}', { what }),
    {
      text,
    },
  );
}
