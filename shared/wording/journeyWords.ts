/** Words for the stops of a job, and for a rescan: the estimate and its result. */
import type { Job, RescanResult, RestoreResult } from '../model/job.ts';
import { type JobFile, type Stop, type StopId, startsFromText } from '../model/journey.ts';
import { formatBitcoin } from '../model/money.ts';
import type { NodeStatus } from '../model/node.ts';
import type { PlanAction } from '../model/plan.ts';
import { hasDifferences, type Proof } from '../model/safety.ts';
import { walletBalance } from './balanceWords.ts';
import { formatCount, formatShare } from './format/formatNumber.ts';
import { formatDayOrClock, formatElapsed, formatTime } from './format/formatTime.ts';
import { quotedWallet } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import { BACKUP_AFTER, FILE_NOT_SEEN } from './jobWords.ts';
import { filled, type Row } from './lines.ts';
import { isPartlyRescued, partlyRescuedWords } from './rescueWords.ts';
import { say } from './say.ts';

const STOP_NAMES: Readonly<Record<StopId, string>> = {
  file: say('Your file'),
  wallet: say('Your wallet'),
  copy: say('Safety copy'),
  repair: say('Repair'),
  restore: say('Restore'),
  migrate: say('Migrate'),
  rescan: say('Rescan'),
  proof: say('Proof'),
  backup: say('New backup'),
};

interface OfAction extends JobFile {
  action?: PlanAction | undefined;
  /** Whether pasted keys take the place of the file. */
  areKeys?: boolean;
}

/** The name of a stop of this job or plan, and of its file. */
export function stopName(id: StopId, of: OfAction): string {
  if (id !== 'file') return STOP_NAMES[id];
  return of.areKeys || startsFromText(of)
    ? say('Your keys')
    : startsFromBackup(of)
      ? say('Backup')
      : STOP_NAMES.file;
}

export function startsFromBackup({ action }: OfAction): boolean {
  return action === 'undo' || action === 'put-back';
}

/** The state of a stop for screen readers. */
export const STOP_STATES: Readonly<Record<Stop['state'], string>> = {
  done: say('done'),
  active: say('now'),
  failed: say('stopped here'),
  partly: say('in part'),
  unknown: say('not known'),
  waiting: say('upcoming'),
  skipped: say('skipped'),
};

/** The note below the name of a stop: its time, or what will happen. `job`: null before it runs. */
export function stopNote({ id, state, time, seconds }: Stop, job: Job | null): string {
  if (state === 'skipped') return say('you have a copy');
  // Before the job, only its plan says what will happen to the file.
  if (id === 'wallet' || (id === 'file' && job === null)) return '';
  if (id === 'file') {
    const after = job?.result?.kind === 'restore' ? job.result.backupAfter : undefined;
    return after === undefined ? say('unchanged') : BACKUP_AFTER[after];
  }
  if (state === 'waiting' || (job === null && state === 'active')) return COMING[id] ?? '';
  if (state === 'active' && job?.state === 'running') {
    const { progress } = job;
    return progress && progress.fraction < 1 ? formatShare(progress.fraction) : say('running');
  }
  if (state === 'active') return '';
  const moment = time === null ? null : formatDayOrClock(time);
  if (state === 'partly') {
    if (id === 'backup') return KEYS_NOT_COMPARED;
    return (
      (job && partlyRescuedWords(job)) ?? (hasDifferences(job?.proof) ? DIFFERS : say('partly compared'))
    );
  }
  if (state === 'unknown') {
    if (job?.state !== 'done') return STOP_STATES.unknown;
    return id === 'backup' ? FILE_NOT_SEEN : say('Nothing was compared');
  }
  if (state === 'failed') return id === 'proof' ? DIFFERS : joinList([say('stopped'), moment]);
  return joinList([moment, seconds !== null && seconds >= 1 && formatElapsed(seconds)]);
}

export const KEYS_NOT_COMPARED = say('Keys not compared');
const DIFFERS = say('something differs');
const COMING: Readonly<Partial<Record<StopId, string>>> = { repair: say('in a copy') };

/** `Estimate: 2 min to 14 min.` Computed from the number of blocks. `filtered`: with block filters. */
export function rescanEstimate(blocks: number, filtered: boolean): string {
  const { least, most } = filtered ? FILTERED_PER_SECOND : READ_PER_SECOND;
  return say('Estimate: {least} to {most}.', {
    least: duration(blocks / most),
    most: duration(blocks / least),
  });
}

/** The seconds for this many full blocks on a slow disk. Block filters do not help a legacy wallet. */
export function slowestRescan(blocks: number): number {
  return blocks / READ_PER_SECOND.least;
}

/** The same for all blocks that the node has. */
export function wholeRescanEstimate(
  node: Pick<NodeStatus, 'blocks' | 'pruneHeight' | 'blockFilters'>,
): string {
  return rescanEstimate(node.blocks - (node.pruneHeight ?? 0), node.blockFilters === 'on');
}

/** Blocks a second: full blocks from a disk, and block filters. */
const READ_PER_SECOND = { least: 15, most: 100 };
const FILTERED_PER_SECOND = { least: 500, most: 5000 };

function duration(seconds: number): string {
  if (seconds < 90) return say('{seconds} s', { seconds: Math.max(1, Math.round(seconds)) });
  if (seconds < 90 * 60) return say('{minutes} min', { minutes: Math.round(seconds / 60) });
  return say('{hours, number} h', { hours: Math.round(seconds / 3600) });
}

/** What a rescan searched and found. */
export function rescanRows(result: RescanResult, { network, offline }: Job['node']): Row[] {
  const { walletName, from, to, before, after, syncing } = result;
  const count = before && after ? Math.max(0, after.transactions - before.transactions) : null;
  const blocks =
    to === null
      ? say('From block {block, number} on', { block: from })
      : say('Blocks {from, number} to {to, number}', { from, to });
  return filled([
    [say('Wallet'), quotedWallet(walletName)],
    [say('Scanned'), blocks],
    [say('Payments'), syncing ? syncingThenText(syncing) : null],
    [say('Balance before'), before && formatBitcoin(before.balance, network)],
    [say('Balance'), walletBalance(after?.balance ?? null, network, offline)],
    [say('New transactions'), count === null ? null : formatCount(count)],
  ]);
}

export const NONE_FOUND = say('No payments found.');

export const MISSED_WHILE_LOCKED = say('Locked wallets miss payments to later addresses.');
export const RESCAN_UNLOCKED = say('Rescan with the passphrase.');

/** Which payments the node did not search, and so may be missing; empty for none. */
export function missingPayments({ since, locked }: Pick<RestoreResult, 'since' | 'locked'>): string[] {
  return [
    ...(since === undefined ? [] : [notSearchedText(since)]),
    ...(locked ? [`${MISSED_WHILE_LOCKED} ${RESCAN_UNLOCKED}`] : []),
  ];
}

export const STILL_SYNCING = say('The node is still syncing');

/** How far a syncing node is, and what it lacks. */
export function syncingWords({ blocks, headers }: NonNullable<RestoreResult['syncing']>): string[] {
  return [
    // After a long pause a node does not know of newer blocks until its peers announce them.
    blocks === headers
      ? say('Its newest block is old.')
      : say('It has {blocks, number} of {headers, number} blocks.', { blocks, headers }),
    say('Newer payments are missing.'),
  ];
}

/** How far a node was that was still syncing when a job ended. True for ever, so in the past. */
export function syncingThenText({ blocks }: NonNullable<RestoreResult['syncing']>): string {
  return say('The node was still syncing at block {blocks, number}: newer payments were missing.', {
    blocks,
  });
}

/** `since`: Unix seconds; the node searched payments from then on. */
export function notSearchedText(since: number): string {
  return say('Not searched: payments before {date}.', { date: formatTime(since) });
}

/** How to see the coins of a new wallet in Bitcoin Core. */
export function openInCoreText({ offline }: Pick<Job['node'], 'offline'>, isLegacy: boolean): string {
  if (!offline) return say('Choose File > Open Wallet.');
  return isLegacy
    ? say('Bitcoin Core 30 and later cannot open it until it is migrated.')
    : say('Choose File > Restore Wallet, then the new backup.');
}

/** `Safe to delete: older backups, once the new ones are safe.` Only after a complete proof. */
export function mayGoText({ proof, result }: Pick<Job, 'proof' | 'result'>): string {
  const mayHoldMore = isPartlyRescued(result) || hasDifferences(proof);
  return `${say('Safe to delete:')} ${MAY_GO[mayHoldMore ? 'different' : (proof?.verdict ?? 'partly')]}`;
}

const MAY_GO: Readonly<Record<Proof['verdict'], string>> = {
  same: say('older backups, once the new ones are safe.'),
  partly: say('nothing yet: not everything was compared.'),
  different: say('nothing. The old wallet may hold more.'),
};
