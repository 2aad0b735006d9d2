/** One sentence that answers whether a wallet is safe and what is next. */

import type { ConditionCode } from '../model/conditions.ts';
import { type FileFacts, isPasted } from '../model/files.ts';
import { type Inspection, needsRescue } from '../model/inspection.ts';
import { type Job, lacksProof, type NewWalletResult, newWalletResult } from '../model/job.ts';
import { isLegacyRestore, isUndone } from '../model/journey.ts';
import { hasDifferences, type Interruption, watchesOnly } from '../model/safety.ts';
import type { Wallet } from '../model/wallet.ts';
import {
  type BackedUp,
  backedUpBy,
  hasUnsavedKeys,
  needsNewBackup,
  type WalletBackups,
} from '../model/walletBackups.ts';
import { conditionText, FORM_NEEDS } from './findings/faultWords.ts';
import { coinAdvice, coinTitle, isSearchableForKeys } from './findings/fileKindWords.ts';
import { findingText } from './findings/findingWords.ts';
import { asSentence, OLD_PASSPHRASES } from './findings/hints.ts';
import { counted } from './format/formatNumber.ts';
import { contentsWords, isEmpty, mayMissEntries } from './inspectionWords.ts';
import {
  COINS_SAFE,
  COPY_NAMES,
  fileToRescue,
  hasCopyOfThisWallet,
  interruptionVerdict,
  isWholeCopy,
} from './interruptionWords.ts';
import {
  ARRIVED,
  BACKUP_AFTER,
  COPY_ELSEWHERE,
  FILE_NOT_SEEN,
  jobHeading,
  proofHeading,
} from './jobWords.ts';
import { KEYS_NOT_COMPARED, NONE_FOUND } from './journeyWords.ts';
import { OLD_BACKUPS } from './proofWords.ts';
import {
  hasOnlyExclusions,
  isPartlyRescued,
  lostWords,
  NO_COINS,
  partlyRescuedWords,
} from './rescueWords.ts';
import { say } from './say.ts';

export interface Verdict {
  /** `good`: safe and done. `read`: something to do. `danger`: needs the user now. `plain`: a fact, with nothing to decide. */
  tone: 'good' | 'read' | 'danger' | 'plain';
  text: string;
  /** What is left to do, where the tone is calm. A migration is due only if the node cannot load the wallet. */
  due?: 'backup' | 'migration';
}

/**
 * Of a file. `interruption`: of an incomplete file, if it was searched for. `earlier`: the job that made a wallet from it, unless that
 * was undone. `facts`: null for a file that surely begins like a wallet. `isListed`: whether the node in use has the migrated wallet.
 */
export function fileVerdict(
  inspection: Inspection,
  interruption: Interruption | null,
  earlier: Job | null = null,
  facts: FileFacts | null = null,
  isListed = false,
): Verdict {
  const { kind, incomplete, coin, keys, transactions, flags } = inspection;
  if (coin.verdict === 'other')
    return { tone: 'plain', text: `${asSentence(coinTitle(coin))} ${coinAdvice(coin)}` };
  if (inspection.isOpen) return OPEN_ELSEWHERE;
  if (incomplete !== null) {
    if (interruption === null) return interruptionVerdict('legacy-records', null);
    return interruption.restoredAs === undefined
      ? interruptionVerdict(
          interruption.cause,
          hasCopyOfThisWallet(interruption.copies),
          fileToRescue(interruption),
        )
      : NOTHING_TO_DO;
  }
  if (earlier?.result?.kind === 'migrate') {
    if (hasLoss(earlier)) return jobVerdict(earlier, false);
    const migrated = say('It is already migrated.');
    // The wallet may be gone since. Then this file is the last one with its keys.
    return {
      tone: 'plain',
      text: isListed ? `${say('Safe.')} ${migrated}` : `${migrated} ${say('Check the wallet list.')}`,
    };
  }
  const forgery = forgeryWords(inspection);
  if (forgery !== null) return { tone: 'danger', text: forgery };
  if (isEmpty(inspection)) {
    const unknown = inspection.problems.find(({ finding: { code } }) => code === 'records_of_unknown_types');
    // A later release, or another program, may keep keys in them.
    return unknown
      ? { tone: 'read', text: `${findingText(unknown.finding)} ${say('Keep the file.')}` }
      : EMPTY;
  }
  const contents = contentsWords(inspection);
  if (contents === null) return { tone: 'danger', text: asSentence(say('Nothing readable')) };
  if (mayMissEntries(inspection)) return DAMAGED;
  if (facts !== null && (isPasted(facts) || isSearchableForKeys(facts.fileKind))) {
    const yet = earlier === null ? ` ${say('Not a wallet yet.')}` : '';
    return { tone: 'read', text: `${asSentence(contents)}${yet}` };
  }
  if (facts?.kind === 'other' || needsRescue(inspection, 0)) return REFUSED;
  const watches = keys.plain + keys.encrypted === 0 || flags.includes('disable_private_keys');
  const what = transactions.total === 0 ? `${NO_HISTORY} ` : '';
  if (kind === 'legacy') return { tone: 'plain', text: `${what}${legacyText(watches)}`, due: 'migration' };
  const unproved = inspection.problems.find(({ finding: { code } }) => UNSAFE.has(code));
  const [needed] = [
    ...inspection.descriptors.shown.flatMap(({ form }) =>
      form === 'musig' || form === 'key-only' ? [FORM_NEEDS[form]] : [],
    ),
    ...inspection.conditions.flatMap(({ code }) => (NAMED_IN_VERDICT.has(code) ? [conditionText(code)] : [])),
  ];
  if (watches) {
    const spends = flags.includes('external_signer')
      ? asSentence(say('Signs with an external device'))
      : WATCHES;
    return { tone: 'plain', text: `${what}${spends}${needed ? ` ${needed}` : ''}` };
  }
  const tone = what === '' && !unproved && !needed ? 'good' : 'plain';
  const safe = unproved ? findingText(unproved.finding) : say('Safe.');
  return { tone, text: `${what}${safe} ${needed ?? say('Any current Bitcoin Core can open it.')}` };
}

const NAMED_IN_VERDICT: ReadonlySet<ConditionCode> = new Set([
  'descriptor-id-earlier',
  'descriptor-id-later',
  'descriptor-cache-locked',
]);

/** Why a file is a fake wallet; null if it does not seem to be one. */
export function forgeryWords({ problems }: Pick<Inspection, 'problems'>): string | null {
  const forgery = problems.find(({ finding: { code } }) => FORGERIES.has(code));
  return forgery === undefined ? null : findingText(forgery.finding);
}

/** What no real wallet holds. */
const FORGERIES: ReadonlySet<string> = new Set(['encrypted_keys_repeat', 'more_than_all_bitcoin']);

/** What leaves it open whether a descriptor wallet can spend its coins. */
const UNSAFE: ReadonlySet<string> = new Set(['addresses_unproved', 'addresses_without_key']);

/** Of an incomplete wallet that is kept after its restore. */
const NOTHING_TO_DO: Verdict = { tone: 'plain', text: say('Nothing to do here.') };
const OPEN_ELSEWHERE: Verdict = {
  tone: 'read',
  text: `${asSentence(say('Another program has this wallet open'))} ${say('Close it there, then check again.')}`,
};
export const REFUSED: Verdict = {
  tone: 'read',
  text: say('Bitcoin Core refuses this file. A rescue can save it.'),
};
export const DAMAGED: Verdict = { tone: 'danger', text: say('Damaged. A rescue saves what is left.') };
const NO_HISTORY = say('This file has no history. It may still hold coins.');
const EMPTY: Verdict = { tone: 'plain', text: say('Empty: no keys, addresses or payments.') };

/** Of a wallet that the node rescans outside a job of the app. */
export const RESCANNING: Verdict = {
  tone: 'plain',
  text: `${COINS_SAFE} ${say('The node still searches for payments.')}`,
};

/** Of a wallet in a node's list, or of the offline engine. */
export function walletVerdict(wallet: Wallet, backups: WalletBackups): Verdict {
  const { lastFinished, gonePath, unchecked, hasOtherPassphrase, fuller, fullerGone, createdBy, part } =
    backups;
  const isBackedUp = backedUpBy(lastFinished && [lastFinished], unchecked);
  if (wallet.kind === 'interrupted') {
    const { copies = 0, restoredAs, toRescue } = wallet.interruption ?? {};
    if (restoredAs !== undefined) return NOTHING_TO_DO;
    return interruptionVerdict('legacy-records', copies > 0, toRescue);
  }
  if (wallet.damagedFile !== undefined) {
    const job = fuller ?? lastFinished;
    const saved = job?.result;
    // A backup of the damaged file has a warning.
    const isWhole = saved?.kind === 'backup' && saved.saved !== undefined && job?.warnings.length === 0;
    if (!isWhole || !saved.proof.seen || saved.fileNow) return DAMAGED;
    return { tone: 'read', text: `${DAMAGED.text} ${COPY_NAMES.backup}: ${saved.proof.path}` };
  }
  if (wallet.problem !== null) return { tone: 'danger', text: wallet.problem.message };
  if (wallet.kind === 'legacy')
    return { tone: 'plain', text: legacyText(wallet.watchOnly === true), due: 'migration' };
  if (wallet.kind === 'unknown') return { tone: 'plain', text: say('Load it to see what it holds.') };
  if (wallet.scanning !== null) return RESCANNING;
  // A new backup settles a mere doubt: files on another machine, for example, are never compared.
  if (createdBy && hasLoss(createdBy)) return jobVerdict(createdBy, isBackedUp);
  if (hasUnsavedKeys(wallet, backups))
    return {
      tone: 'read',
      text: `${OLD_BACKUPS} ${say('Save a new one now.')}`,
    };
  // A wallet of solvable scripts has no private keys either, but watches nothing.
  const watches = part === 'watchonly' || (wallet.watchOnly === true && part !== 'solvables');
  if (!isBackedUp) {
    if (gonePath !== null)
      return {
        tone: 'read',
        text: `${goneWords(gonePath)} ${say('Save a new one now.')}`,
        due: 'backup',
      };
    const text = say('Save a backup, in case this disk fails.');
    return { tone: 'plain', text: watches ? `${WATCHES} ${text}` : text, due: 'backup' };
  }
  const most = (fuller ?? fullerGone)?.result;
  if (most?.kind === 'backup') {
    const { path } = most.proof;
    const fewer = fuller
      ? say('The backup at {path} has more keys.', { path })
      : `${goneWords(path)} ${say('It had more keys.')}`;
    return needsNewBackup(backups)
      ? { tone: 'read', text: `${fewer} ${say('Save a new one now.')}`, due: 'backup' }
      : { tone: 'plain', text: `${backedUpWords(isBackedUp)} ${fewer}` };
  }
  if (hasOtherPassphrase)
    return {
      tone: 'read',
      text: `${asSentence(OLD_PASSPHRASES.earlier)} ${say('Save a new one now.')}`,
      due: 'backup',
    };
  return backedUpVerdict(isBackedUp, watches ? ` ${WATCHES}` : '');
}

export const goneWords = (path: string) => say('Backup gone or changed: {path}.', { path });

/** Of a wallet with a new backup. `more`: the sentences that follow. */
export function backedUpVerdict(isBackedUp: Exclude<BackedUp, false>, more = ''): Verdict {
  if (isBackedUp !== true) return { tone: 'plain', text: `${BACKED_UP_WORDS[isBackedUp]}${more}` };
  return { tone: 'good', text: `${say('Safe and backed up.')}${more}` };
}

function backedUpWords(isBackedUp: Exclude<BackedUp, false>): string {
  return isBackedUp === true ? BACKED_UP : BACKED_UP_WORDS[isBackedUp];
}

const BACKED_UP = asSentence(say('Backed up'));
const BACKED_UP_WORDS = {
  unseen: `${BACKED_UP} ${asSentence(FILE_NOT_SEEN)} ${COPY_ELSEWHERE}`,
  unchecked: `${BACKED_UP} ${asSentence(KEYS_NOT_COMPARED)}`,
  'unseen, unchecked': `${BACKED_UP} ${asSentence(FILE_NOT_SEEN)} ${COPY_ELSEWHERE} ${asSentence(KEYS_NOT_COMPARED)}`,
  unread: BACKED_UP,
};
const WATCHES = say('It watches coins and cannot spend them.');

/** Whether the new wallets differ from the old one. */
function hasLoss({ proof, result }: Job): boolean {
  return hasDifferences(proof) || isPartlyRescued(result);
}

/** Of a wallet whose job is shown. `isBackedUp`: whether each new wallet has a new backup; null if later jobs replaced the others. */
export function jobVerdict(job: Job, isBackedUp: BackedUp | null): Verdict {
  const { state, proof, interruption, node } = job;
  switch (state) {
    case 'running':
      return job.connection === 'ok'
        ? { tone: 'plain', text: whySafe(job) }
        : { tone: 'read', text: `${say('Waiting for the node.')} ${whySafe(job)}` };
    case 'failed':
      // An undo first renames the migrated wallets, which may keep their new names.
      return {
        tone: 'read',
        text: job.action === 'undo' ? say('Nothing is lost.') : say('Your wallet is unchanged.'),
      };
    case 'interrupted':
      return interruptionVerdict(
        interruption?.cause ?? null,
        hasCopyOfThisWallet(interruption?.copies ?? []),
        interruption && fileToRescue(interruption),
      );
    case 'unknown':
      return { tone: 'read', text: jobHeading(job) };
    case 'done':
  }
  const heading = asSentence(jobHeading(job));
  const result = newWalletResult(job.result);
  if (result === null) {
    // A node that is behind has not come to the newest payments yet.
    const isOpen = backedUpBy([job]) === 'unseen' || (job.result?.kind === 'rescan' && job.result.syncing);
    return { tone: isOpen ? 'read' : 'good', text: heading };
  }
  if (isUndone(result)) return { tone: 'plain', text: say('Undone: the old wallet is back.') };
  if (proof?.verdict === 'different') return { tone: 'danger', text: asSentence(say('Something differs')) };
  const oneLeft = isBackedUp === null ? '' : ` ${say('One step left: save a backup.')}`;
  const rescued = partlyRescuedWords(job);
  if (result.rescue && rescued !== null && !hasOnlyExclusions(result.rescue)) {
    const [first = asSentence(rescued), second = ''] = lostWords(result.rescue, node.network);
    return { tone: 'read', text: `${first} ${second}`.trim() };
  }
  if (job.action === 'undo') return { tone: 'plain', text: asSentence(say('Old wallet put back')) };
  if (isLegacyRestore(result)) return { tone: 'plain', text: say('Restored. Now migrate it.') };
  const doubt = doubtText(job, result);
  if (doubt !== null) {
    const last = isBackedUp ? ` ${backedUpWords(isBackedUp)}` : oneLeft;
    return { tone: 'read', text: `${proof === null ? `${heading} ` : ''}${doubt}${last}` };
  }
  const watches = proof === null ? result.kind === 'restore' && result.watches : watchesOnly(proof);
  const watched = watches ? ` ${say('The new wallet cannot spend: it only watches.')}` : '';
  const leftOut = rescued === null ? '' : ` ${asSentence(rescued)} ${NO_COINS}`;
  if (isBackedUp) return backedUpVerdict(isBackedUp, `${watched}${leftOut}`);
  if (leftOut !== '') return { tone: 'read', text: `${leftOut.trim()}${watched}${oneLeft}` };
  const text = `${proof === null ? heading : asSentence(ARRIVED)}${watched}${oneLeft}`;
  return { tone: 'good', text };
}

/** What is uncertain about a job's new wallets, in a sentence, or null. */
function doubtText(job: Job, result: NewWalletResult): string | null {
  // Where nothing is in doubt but what a rescue left out, its words follow the verdict.
  if (job.proof?.verdict === 'partly' && partlyRescuedWords(job) === null)
    return asSentence(proofHeading(job) ?? '');
  if (lacksProof(job)) return asSentence(say('Nothing was compared'));
  if (result.kind === 'restore' && result.backupAfter) return asSentence(BACKUP_AFTER[result.backupAfter]);
  return result.since !== undefined && result.transactions === 0 ? NONE_FOUND : null;
}

/** Of an interrupted job whose wallet was put back. */
export const WHOLE_AGAIN: Verdict = {
  tone: 'plain',
  text: say('Interrupted. The wallet is whole again.'),
};

/** Why a job cannot lose the coins, or for a migration without a whole copy by the app, what copy there is. */
export function whySafe({ kind, state, safetyCopy, steps }: Job): string {
  if (kind !== 'migrate') return WHY_SAFE[kind];
  if (safetyCopy !== null && isWholeCopy(safetyCopy)) return safeBecause(say('a copy was made first'));
  if (steps.some((step) => step.phase === 'safety-copy' && step.state === 'skipped'))
    return say('You confirmed your own copy.');
  const isSent = steps.some((step) => step.phase === 'sent' && step.state !== 'waiting');
  // A node may have refused before it made that backup, and the engine removes it again.
  if (isSent && state === 'failed') return say('Your wallet is unchanged.');
  return isSent
    ? say('The migration makes a .legacy.bak backup.')
    : `${COINS_SAFE} ${say('Nothing changes until the copy is made.')}`;
}

function safeBecause(reason: string): string {
  return say('Your coins are safe: {reason}.', { reason });
}

const FILE_UNCHANGED = safeBecause(say('the file is never changed'));

const WHY_SAFE: Readonly<Record<Exclude<Job['kind'], 'migrate'>, string>> = {
  restore: FILE_UNCHANGED,
  'restore-migrate': FILE_UNCHANGED,
  rescue: FILE_UNCHANGED,
  backup: safeBecause(say('the wallet is only read')),
  rescan: safeBecause(say('a rescan only adds payments')),
};

/** `134 keys · 13 transactions`, for below the balance. Descriptors make keys as needed, so their number says nothing. */
export function contentsLine({ kind, keys, transactions }: Inspection): string {
  const count = kind === 'legacy' ? keys.plain + keys.encrypted : 0;
  return [
    count > 0 && counted.keys(count),
    transactions.total > 0 && counted.transactions(transactions.total),
  ]
    .filter((text) => text !== false)
    .join(' · ');
}

function legacyText(watches: boolean): string {
  const first = watches ? WATCHES : say('Safe.');
  return `${first} ${say('Bitcoin Core 30 and later cannot open it until it is migrated.')}`;
}
