/** Lines about a running or finished job, for the terminal and the saved report. */
import {
  type BackupProof,
  canCompareAgain,
  comparisonError,
  endOf,
  isLeftUnloaded,
  type Job,
  lacksProof,
  type NewWalletResult,
  newWalletResult,
  type RestoreResult,
  wasPutBack,
} from '../model/job.ts';
import { chosenFile, isLegacyRestore, isUndone, journeyOf } from '../model/journey.ts';
import { amountNotCountedBefore } from '../model/money.ts';
import { shellQuoted, walletArgument } from '../model/names/visibleText.ts';
import { chainOfNetwork } from '../model/network.ts';
import { authorityOf } from '../model/node.ts';
import type { RecordFile, ReportSection } from '../model/record.ts';
import type { Proof, RescueFacts } from '../model/safety.ts';
import { createdWallets, newBackupsOf } from '../model/walletBackups.ts';
import { BALANCE_PARTS, partRemarks, walletBalance } from './balanceWords.ts';
import { asSentence, OTHERS_MAY_READ } from './findings/hints.ts';
import { formatExactSize, formatShare } from './format/formatNumber.ts';
import { formatElapsed, formatLeft, formatTime } from './format/formatTime.ts';
import { KIND_NAMES, networkName, quotedWallet, UNNAMED } from './format/names.ts';
import { copyLine, copyTitle, NOT_IN_USE, newCoinsWords, OLD_WALLET_BACKUP } from './interruptionWords.ts';
import {
  BACKUP_AFTER,
  FILE_NOT_SEEN,
  jobHeading,
  jobNoun,
  leftCopyText,
  OLD_PUT_BACK,
  proofHeading,
  STATE_WORDS,
  STILL_LOADED,
  whatNow,
} from './jobWords.ts';
import {
  mayGoText,
  missingPayments,
  NONE_FOUND,
  openInCoreText,
  rescanRows,
  STOP_STATES,
  startsFromBackup,
  stopName,
  stopNote,
  syncingThenText,
} from './journeyWords.ts';
import { errorLines, filled, indented, type Row, sectionLines, table } from './lines.ts';
import {
  arrivedWords,
  keysWords,
  newWalletWords,
  type ProofRow,
  proofHeads,
  proofRows,
} from './proofWords.ts';
import { rescanWords, rescueRows } from './rescueWords.ts';
import { say } from './say.ts';

/** The phase, the progress and the elapsed time of a job. `now`: Unix seconds; null omits the time. */
export function progressLine(job: Job, now: number | null): string {
  const { progress, started } = job;
  const left = progress?.secondsLeft ?? null;
  return [
    whatNow(job) ?? STATE_WORDS[job.state],
    ...(progress ? [formatShare(now === null ? tenths(progress.fraction) : progress.fraction)] : []),
    ...(now === null ? [] : [formatElapsed(now - started), ...(left === null ? [] : [formatLeft(left)])]),
  ].join(' · ');
}

/** For output that prints a line for each change: ten lines for a rescan instead of a thousand. */
function tenths(fraction: number): number {
  return Math.floor(fraction * 10 + 1e-9) / 10;
}

/** How the user calls the app in a terminal: the command that starts it, and the options that log in to the node. */
interface TerminalContext {
  readonly program: string;
  readonly login: string;
  /** Whether the terminal runs on Windows, wherever the node does. */
  readonly isWindows: boolean;
}

/** The outcome of a job, or the progress of a running one. `jobs`: all, newest first; they show which backups followed. */
export function outcomeLines(
  job: Job,
  jobs: readonly Job[] = [],
  shell: TerminalContext | null = null,
): string[] {
  const parts = outcomeSections(job, jobs, shell);
  return [`${jobHeading(job)}: ${quotedWallet(job.wallet)}`, ...parts.flatMap(sectionLines)];
}

/** The same below its heading, in parts. `shell`: null where the user works in the window. */
export function outcomeSections(
  job: Job,
  jobs: readonly Job[],
  shell: TerminalContext | null = null,
): ReportSection[] {
  const { state, error, warnings, leftCopy, node, result } = job;
  const newBackups = newBackupsOf(job, jobs);
  const parts: ReportSection[] = [
    { title: say('Steps'), rows: stepRows(job, newBackups) },
    { lines: state === 'running' ? [progressLine(job, null)] : [] },
    { lines: error === null ? [] : errorLines(error) },
    { ...(result?.kind === 'migrate' && { title: say('New wallets') }), rows: resultRows(job) },
    ...interruptionSections(job, shell),
    ...proofSections(job, shell),
    { title: say('Files'), files: filesOf(job, newBackups ?? []) },
    {
      ...(leftCopy?.why !== 'not-loaded-again' && { title: say('Left in the wallets folder') }),
      lines: leftCopy === undefined ? [] : [leftCopy.path || UNNAMED, leftCopyText(leftCopy)],
    },
    {
      title: node.offline ? say('Offline engine warnings') : say('Node warnings'),
      lines: warnings.flatMap((warning) => warning.split('\n')),
    },
    { title: say('Next'), lines: shell === null ? [] : nextLines(job, newBackups !== null, shell) },
  ];
  return parts.filter((part) =>
    [part.rows, part.table, part.lines, part.files].some((content) => content && content.length > 0),
  );
}

/** What the record of a job says besides its outcome. */
export function recordDetails(job: Job): ReportSection {
  const { node, started, state } = job;
  const ended = endOf(job);
  return {
    title: say('Details'),
    rows: filled([
      [say('Kind'), jobNoun(job)],
      [say('Node'), node.label],
      [say('Network'), networkName(node.network)],
      [say('Release'), node.offline ? say('Offline engine') : node.release],
      [say('Started'), formatTime(started)],
      [say('Ended'), ended !== null ? formatTime(ended) : state === 'running' ? null : say('Not known')],
    ]),
  };
}

/** The user's file, its copies and the new backups, as far as the job knows them. */
function filesOf(job: Job, newBackups: readonly Job[]): RecordFile[] {
  const { result, safetyCopy } = job;
  const chosen = chosenFile(job);
  const backups = result?.kind === 'backup' ? [result] : newBackups.flatMap(({ result }) => result ?? []);
  return [
    ...(chosen === null ? [] : [{ name: stopName('file', job), ...chosen }]),
    ...(safetyCopy?.files ?? []).map(({ path, sha256, state }, at) => ({
      name: copyTitle(state),
      path,
      sha256,
      ...(at === 0 && safetyCopy?.note ? { notes: [safetyCopy.note] } : {}),
    })),
    ...(result?.kind === 'migrate' && result.backupPath !== null
      ? [
          {
            name: OLD_WALLET_BACKUP,
            path: result.backupPath,
            sha256: null,
            notes: result.backupSeen === false ? [FILE_NOT_SEEN] : [],
          },
        ]
      : []),
    ...backups.flatMap((one) => (one.kind === 'backup' ? [backupFile(one.walletName, one.proof)] : [])),
  ];
}

function backupFile(wallet: string, proof: BackupProof): RecordFile {
  const name = `${say('New backup')}: ${quotedWallet(wallet)}`;
  if (!proof.seen) return { name, path: proof.path, sha256: null, notes: [FILE_NOT_SEEN] };
  const { path, sha256, size, othersMayRead } = proof;
  return { name, path, sha256, notes: [formatExactSize(size), ...(othersMayRead ? [OTHERS_MAY_READ] : [])] };
}

/** Each stop of the job with its state and its time. */
function stepRows(job: Job, newBackups: readonly Job[] | null): Row[] {
  return journeyOf(job, null, newBackups).map((stop): Row => {
    const note = stopNote(stop, job);
    const state = stop.state === 'active' && job.state !== 'running' ? 'waiting' : stop.state;
    const words = note === '' || note === STOP_STATES[state] ? [] : [note];
    return [stopName(stop.id, job), [STOP_STATES[state], ...words].join(' · ')];
  });
}

/** The whole copies, the likeliest first, and the command that puts the wallet back. */
function interruptionSections(job: Job, shell: TerminalContext | null): ReportSection[] {
  const { interruption, node } = job;
  if (interruption === undefined) return [];
  const { copies, wallet } = interruption;
  return [
    { title: say('Whole copies'), lines: copies.map((copy) => copyLine(copy)) },
    {
      title: say('To put it back'),
      lines:
        copies.length === 0 || wallet === null
          ? []
          : [
              ...(node.offline ? [] : [say('Start the node if it is off.')]),
              walletCommand('put-back', wallet, { node, shell }),
              // A node that opens the wallet at start may not start any more.
              ...(node.offline || !node.walletsFolder
                ? []
                : [
                    `${say('Without a node')}:`,
                    walletCommand('put-back', wallet, { node: { ...node, offline: true }, shell }),
                  ]),
            ],
    },
  ];
}

/** The same steps as the window has after a job that made wallets. */
function nextLines(job: Job, isBackedUp: boolean, shell: TerminalContext): string[] {
  const { state, node } = job;
  const result = newWalletResult(job.result);
  if (state !== 'done' || result === null || isUndone(result)) return [];
  const backups = createdWallets(result).map(
    (name) => `${walletCommand('backup', name, { node, shell })} NEW-FILE`,
  );
  const keep = startsFromBackup(job) ? say('Keep the backup.') : say('Keep your file.');
  return [
    ...(isBackedUp ? [] : [say('Save a backup'), ...indented(backups)]),
    say('See and spend'),
    ...indented([openInCoreText(node, isLegacyRestore(result))]),
    say('Keep the old file'),
    ...indented([result.kind === 'migrate' ? mayGoText(job) : keep]),
  ];
}

/**
 * With the options that lead to the node, or to its wallets folder. Begins with the wallet's name, if a placeholder stands for it in the
 * command.
 */
function walletCommand(
  action: 'put-back' | 'backup',
  wallet: string,
  { node, shell }: { node: Job['node']; shell: TerminalContext | null },
): string {
  const { offline, walletsFolder, network, address } = node;
  const isWindows = shell?.isWindows ?? /^(?:[a-z]:|\\)/i.test(walletsFolder ?? '');
  const place = offline
    ? `--offline ${shellQuoted(walletsFolder ?? 'DIR', isWindows, 'DIR')} --chain ${chainOfNetwork(network)}`
    : `--node ${address.tls ? 'https' : 'http'}://${authorityOf(address)}${shell?.login ?? ''}`;
  const program = shell === null ? '' : `${shell.program} `;
  const argument = walletArgument(wallet, isWindows);
  const isLacking = argument.endsWith('WALLET') && !argument.endsWith(wallet);
  const named = isLacking ? `${quotedWallet(wallet)}: ` : '';
  return `${named}${program}run ${action} ${place} ${argument}`;
}

/** What a finished job made, found or changed, with a label each. */
export function resultRows({ result, node, wallet, proof }: Job): Row[] {
  switch (result?.kind) {
    case undefined:
      return [];
    case 'restore': {
      const reported = result.syncing ? result.balance || null : result.balance;
      // The proof knows whether the engine, or a node that is behind, can know of coins.
      const amount = proof && (node.offline || result.syncing) ? proof.balance.after : reported;
      const balance = walletBalance(amount, node.network, node.offline);
      return filled([
        [say('Wallet'), quotedWallet(result.walletName)],
        [say('Kind'), KIND_NAMES[result.walletKind] ?? say('Not known')],
        [say('Balance'), result.watches ? `${balance}, ${BALANCE_PARTS.watched}` : balance],
        ...paymentRows(result),
        ...renameRows([...(result.renamedWallets ?? []), ...(result.movedWallets ?? [])]),
        [say('Warning'), result.newCoins ? newCoinsWords(result.newCoins, node.network).join('. ') : null],
        [say('Warning'), result.backupAfter && BACKUP_AFTER[result.backupAfter]],
        ...rescueResultRows(result),
      ]);
    }
    case 'migrate':
      return filled([
        ...newWalletWords(result, wallet).map(({ title, name }): Row => {
          const proved = proof?.wallets.find((one) => one.name === name);
          return [
            title,
            [
              quotedWallet(name),
              ...(proved ? newBalanceWords(proved, node, result.syncing !== undefined) : []),
            ].join(' · '),
          ];
        }),
        ...renameRows(result.movedWallets ?? []),
        ...paymentRows(result),
        ...rescueResultRows(result),
      ]);
    case 'rescan':
      return rescanRows(result, node);
    case 'backup':
      return filled([[say('Note'), result.leftLoaded ? STILL_LOADED : null]]);
  }
}

/** The balance of a new wallet, without coins that another one counts. */
function newBalanceWords(
  { balance, twice = 0n, transactions, ...proved }: Proof['wallets'][number],
  { network, offline }: Job['node'],
  syncing: boolean,
): string[] {
  const isUnknown = (offline || syncing) && Number(transactions ?? balance) === 0;
  const own = isUnknown ? null : balance && amountNotCountedBefore({ balance, twice });
  return [walletBalance(own, network, offline), ...partRemarks({ ...proved, twice }, network)];
}

function renameRows(wallets: NonNullable<RestoreResult['movedWallets']>): Row[] {
  return wallets.flatMap(({ name, newName, path }): Row[] => [
    [NOT_IN_USE, [...new Set([name, newName])].map(quotedWallet).join(' → ')],
    ...(path === undefined ? [] : [[say('Path'), path] satisfies Row]),
  ]);
}

function paymentRows(result: NewWalletResult): Row[] {
  const { syncing, transactions } = result;
  const missing = missingPayments(result);
  const words = [
    ...(missing.length > 0 && transactions === 0 ? [NONE_FOUND] : []),
    ...missing,
    ...(syncing ? [syncingThenText(syncing)] : []),
  ];
  return words.length === 0 ? [] : [[say('Payments'), words.join(' ')]];
}

function rescueResultRows({ rescue }: { rescue?: RescueFacts | undefined }): Row[] {
  if (rescue === undefined) return [];
  const rescan = rescanWords(rescue);
  return filled([...rescueRows(rescue), [say('Warning'), rescan]]);
}

/** Why files were not compared, and how to try again. The user repeats a comparison only in the window. */
function notComparedLines(job: Job, shell: TerminalContext | null): string[] {
  const error = comparisonError(job);
  if (error === null) return [];
  if (isLeftUnloaded(job)) return [asSentence(say('Not loaded'))];
  const again = shell !== null && canCompareAgain(job) ? [say('Try again in the window.')] : [];
  return [...errorLines(error), ...again];
}

function proofSections(job: Job, shell: TerminalContext | null): ReportSection[] {
  const { proof, node, result } = job;
  const isRescue = newWalletResult(result)?.rescue !== undefined;
  const heading = proofHeading(job);
  if (proof === null || heading === null)
    return [{ title: say('Not compared'), lines: notComparedLines(job, shell) }];
  const all = proofRows(proof, node.network).map(({ label, before, after }) => [
    label,
    cellText(before),
    cellText(after),
  ]);
  return [
    {
      title: heading,
      table: [proofHeads(isRescue), ...all],
      lines: [arrivedWords(proof), keysWords(proof)].filter((words) => words !== null),
    },
    { title: say('Could not be saved'), lines: proof.lost ?? [] },
    ...proof.differences.map(({ title, meaning, minor }) => ({
      title: minor ? `${say('Warning')}: ${title}` : title,
      lines: [meaning],
    })),
    {
      title: say('Not compared'),
      lines: proof.verdict === 'same' ? [] : [...proof.unknown, ...notComparedLines(job, shell)],
    },
  ];
}

function cellText(cell: ProofRow['before']): string {
  return cell === null ? '' : [cell.text, ...(cell.note === undefined ? [] : [cell.note])].join(', ');
}

/** What a proof found, unless everything arrived. */
function doubtsOf(job: Job): string[] {
  if (lacksProof(job)) return [say('Nothing was compared')];
  const heading = job.proof?.verdict === 'same' ? null : proofHeading(job);
  return heading === null ? [] : [heading];
}

/** One line each, newest first. */
export function activityLines(all: readonly Job[]): string[] {
  if (all.length === 0) return [say('Nothing yet.')];
  return table(
    all.map((job) => [
      formatTime(job.started),
      jobNoun(job),
      quotedWallet(job.wallet),
      job.node.label,
      [wasPutBack(job, all) ? OLD_PUT_BACK : STATE_WORDS[job.state], ...doubtsOf(job)].join(' · '),
      job.id,
    ]),
  );
}
