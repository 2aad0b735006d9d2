/** Lines about a running or finished job, for the terminal and the saved report. */
import type { BackupProof, Job, JobResult } from '../model/job.ts';
import { journeyOf } from '../model/journey.ts';
import { formatBitcoin, ownPart } from '../model/money.ts';
import { shellQuoted } from '../model/names/visibleText.ts';
import { chainOfNetwork } from '../model/network.ts';
import { authorityOf } from '../model/node.ts';
import type { Proof, RescueFacts } from '../model/safety.ts';
import { newBackupsOf } from '../model/walletBackups.ts';
import { partRemarks, walletBalance } from './balanceWords.ts';
import { OTHERS_MAY_READ } from './findings/hints.ts';
import { formatCount, formatExactSize, formatShare } from './format/formatNumber.ts';
import { formatElapsed, formatLeft, formatTime } from './format/formatTime.ts';
import { quotedWallet } from './format/names.ts';
import { copyLine, copyTitle, NOT_IN_USE, OLD_WALLET_BACKUP } from './interruptionWords.ts';
import { BACKUP_AFTER, JOB_NOUNS, jobHeading, proofHeading, STATE_WORDS, whatNow } from './jobWords.ts';
import {
  blocksLookedAt,
  missingPayments,
  NONE_FOUND,
  newTransactions,
  STOP_NAMES,
  STOP_STATES,
  stopNote,
} from './journeyWords.ts';
import { errorLines, indented, type Row, rows, section, table } from './lines.ts';
import { arrivedWords, keysWords, migratedWallets, type ProofRow, proofRows } from './proofWords.ts';
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

/** The outcome of a job, or the progress of a running one. `jobs`: all, newest first; they show which backups followed. */
export function outcomeLines(job: Job, jobs: readonly Job[] = []): string[] {
  const { state, error, warnings, safetyCopy, leftCopy, node } = job;
  const newBackups = newBackupsOf(job, jobs);
  return [
    `${jobHeading(job)}: ${quotedWallet(job.wallet)}`,
    ...section(say('Steps'), stepLines(job, newBackups)),
    ...(state === 'running' ? indented([progressLine(job, null)]) : []),
    ...(error === null ? [] : indented(errorLines(error))),
    ...indented(resultLines(job)),
    ...interruptionLines(job),
    ...proofLines(job),
    ...(newBackups ?? []).flatMap(backupLines),
    ...section(
      copyTitle(safetyCopy?.files[0]?.state),
      (safetyCopy?.files ?? []).map(({ path }) => path),
    ),
    ...(leftCopy === undefined
      ? []
      : section(say('Copy left in the wallets folder'), [leftCopy.path, leftCopy.text])),
    ...section(
      node.offline ? say('Offline engine warnings') : say('Node warnings'),
      warnings.flatMap((warning) => warning.split('\n')),
    ),
  ];
}

/** Each stop of the job with its state and its time. */
function stepLines(job: Job, newBackups: readonly Job[] | null): string[] {
  const stops = journeyOf(job, null, newBackups);
  return rows(
    stops.map((stop): Row => {
      const note = stopNote(stop, job);
      const state = stop.state === 'active' && job.state !== 'running' ? 'waiting' : stop.state;
      const words = note === '' || note === STOP_STATES[state] ? [] : [note];
      return [STOP_NAMES[stop.id], [STOP_STATES[state], ...words].join(' · ')];
    }),
  );
}

/** The whole copies, the likeliest first, and the command that puts the wallet back. */
function interruptionLines({ interruption, node }: Job): string[] {
  if (interruption === undefined) return [];
  const { copies, wallet } = interruption;
  return [
    ...section(
      say('Whole copies'),
      copies.map((copy) => copyLine(copy)),
    ),
    ...(copies.length === 0 || wallet === null
      ? []
      : section(say('To put it back'), [putBackCommand(wallet, node)])),
  ];
}

/** With the options that lead to the node, or to its wallets folder. */
function putBackCommand(wallet: string, { offline, walletsFolder, network, address }: Job['node']): string {
  const isWindows = /^(?:[a-z]:|\\)/i.test(walletsFolder ?? '');
  const place = offline
    ? `--offline ${shellQuoted(walletsFolder ?? 'DIR', isWindows)} --chain ${chainOfNetwork(network)}`
    : `--node ${address.tls ? 'https' : 'http'}://${authorityOf(address)}`;
  // After two hyphens, a name that starts with one is no option.
  return `run put-back ${place} ${wallet.startsWith('-') ? '-- ' : ''}${shellQuoted(wallet, isWindows)}`;
}

function resultLines({ result, node, wallet, proof }: Job): string[] {
  switch (result?.kind) {
    case undefined:
      return [];
    case 'restore': {
      const balance = walletBalance(result.balance, node.network, node.offline);
      return rows([
        [say('Wallet'), quotedWallet(result.walletName)],
        [say('Kind'), KINDS[result.walletKind]],
        [say('Balance'), balance],
        ...foundRows(result),
        [say('Backup'), result.backupFile],
        ...renameRows([...(result.renamedWallets ?? []), ...(result.movedWallets ?? [])]),
        [say('Warning'), result.backupAfter && BACKUP_AFTER[result.backupAfter]],
        ...savedRows(result),
      ]);
    }
    case 'migrate':
      return rows([
        ...migratedWallets(result, wallet).map(({ title, name }): Row => {
          const proved = proof?.wallets.find((one) => one.name === name);
          return [title, [quotedWallet(name), ...(proved ? provedWords(proved, node) : [])].join(' · ')];
        }),
        ...renameRows(result.movedWallets ?? []),
        [OLD_WALLET_BACKUP, result.backupPath],
        [say('Warning'), result.backupSeen === false ? say('The app cannot see the file') : null],
        ...foundRows(result),
        ...savedRows(result),
      ]);
    case 'rescan': {
      const { before, after } = result;
      return rows([
        [say('Wallet'), quotedWallet(result.walletName)],
        [say('Scanned'), blocksLookedAt(result)],
        [say('Balance before'), before && formatBitcoin(before.balance, node.network)],
        [say('Balance'), walletBalance(after?.balance ?? null, node.network, node.offline)],
        [say('New transactions'), countOrNull(newTransactions(result))],
      ]);
    }
    case 'backup':
      return rows([
        [say('New backup'), result.proof.path],
        ...backupRows(result.proof),
        [say('Note'), result.leftLoaded ? STILL_LOADED : null],
      ]);
  }
}

function backupRows(proof: BackupProof): Parameters<typeof rows>[0] {
  return [
    [say('Size'), proof.seen ? formatExactSize(proof.size) : null],
    [say('SHA-256'), proof.seen ? proof.sha256 : null],
    [say('Warning'), proof.seen ? null : say('File not seen')],
    [say('Warning'), proof.seen && proof.othersMayRead ? OTHERS_MAY_READ : null],
  ];
}

/** A backup that followed the job. */
function backupLines({ wallet, result }: Job): string[] {
  if (result?.kind !== 'backup') return [];
  const title = `${say('New backup')}: ${quotedWallet(wallet)}`;
  return section(title, [result.proof.path, ...rows(backupRows(result.proof))]);
}

/** The balance of a new wallet, without coins that another one counts. */
function provedWords(
  { balance, twice = 0n, ...proved }: Proof['wallets'][number],
  { network, offline }: Job['node'],
): string[] {
  const own = balance && ownPart({ balance, twice });
  return [walletBalance(own, network, offline), ...partRemarks({ ...proved, twice }, network)];
}

function renameRows(wallets: NonNullable<Extract<JobResult, { kind: 'restore' }>['movedWallets']>): Row[] {
  return wallets.flatMap(({ name, newName, path }): Row[] => [
    [NOT_IN_USE, `${quotedWallet(name)} → ${quotedWallet(newName)}`],
    ...(path === undefined ? [] : [[say('Path'), path] satisfies Row]),
  ]);
}

function foundRows(result: Extract<JobResult, { kind: 'restore' | 'migrate' }>): Row[] {
  const missing = missingPayments(result);
  if (missing.length === 0) return [];
  const words = [...(result.transactions === 0 ? [NONE_FOUND] : []), ...missing];
  return [[say('Payments'), words.join(' ')]];
}

/** For a wallet that the app loaded for its backup. */
export const STILL_LOADED = say('It is still loaded.');

function countOrNull(count: number | null): string | null {
  return count === null ? null : formatCount(count);
}

function savedRows({ rescue }: { rescue?: RescueFacts | undefined }): Row[] {
  if (rescue === undefined) return [];
  const rescan = rescanWords(rescue);
  const saved = rescueRows(rescue).map(({ label, value }): Row => [label, value]);
  return rescan === null ? saved : [...saved, [say('Warning'), rescan]];
}

const KINDS = {
  descriptor: say('Descriptor wallet'),
  legacy: say('Legacy wallet'),
  unknown: say('Not known'),
} as const;

function proofLines(job: Job): string[] {
  const { proof, node } = job;
  const heading = proofHeading(job);
  if (proof === null || heading === null) return [];
  const heads = [say('What'), say('Before'), say('After')];
  const all = proofRows(proof, node.network).map(({ label, before, after }) => [
    label,
    cellText(before),
    cellText(after),
  ]);
  return [
    ...section(heading, table([heads, ...all])),
    ...indented([arrivedWords(proof), keysWords(proof)].filter((words) => words !== null)),
    ...section(say('Could not be saved'), proof.lost ?? []),
    ...proof.differences.flatMap(({ title, meaning, minor }) =>
      section(minor ? `${say('Warning')}: ${title}` : title, [meaning]),
    ),
    ...section(say('Not compared'), proof.verdict === 'same' ? [] : proof.unknown),
  ];
}

function cellText(cell: ProofRow['before']): string {
  return cell === null ? '' : [cell.text, ...(cell.note === undefined ? [] : [cell.note])].join(', ');
}

/** One line each, newest first. */
export function activityLines(all: readonly Job[]): string[] {
  if (all.length === 0) return [say('Nothing yet.')];
  return table(
    all.map(({ started, kind, wallet, state, node, id }) => [
      formatTime(started),
      JOB_NOUNS[kind],
      quotedWallet(wallet),
      node.label,
      STATE_WORDS[state],
      id,
    ]),
  );
}
