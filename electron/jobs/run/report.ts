/** Two reports of a job: one for a helper, which reveals nothing about the user, and one for the user's own records. */
import { sha256 } from '@noble/hashes/sha2.js';
import {
  comparisonError,
  endOf,
  isLeftUnloaded,
  type Job,
  migratedWallets,
} from '../../../shared/model/job.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import { isLoopback } from '../../../shared/model/node.ts';
import { type RecordParts, recordParts as recordShape } from '../../../shared/model/record.ts';
import { outcomeLines, outcomeSections, recordDetails } from '../../../shared/wording/jobLines.ts';
import { recordTitle } from '../../../shared/wording/jobWords.ts';
import { sectionLines } from '../../../shared/wording/lines.ts';
import { type LogLine, readLogLine, splitLogLine } from '../../bitcoind/log/nodeLog.ts';

interface ReportFacts {
  job: Job;
  log: readonly string[];
  version: string;
  platform: string;
}

/** Contains known fields only, no text of a node, a file or a user, and so no name, path, address, key, id, host or amount. */
export function anonymousReport({ job, log: kept, version, platform }: ReportFacts): string {
  const { kind, node, state, steps, started, error, warnings, result, proof, resumed } = job;
  const ended = endOf(job);
  const notCompared = comparisonError(job);
  const log = kept.flatMap((line) => logFields(line) ?? []);
  const leftOut = kept.length - log.length;
  const lines = [
    `Wallet Ferry ${version} on ${platform}`,
    `Job: ${kind}, ${state}${resumed ? ', found again after the app was closed' : ''}`,
    `Node: ${nodeWords(node)}`,
    `Started: ${time(started)}`,
    `Ended: ${ended !== null ? `${time(ended)}, after ${Math.round(ended - started)} s` : job.ended === null ? 'not yet' : `by ${time(job.ended)}`}`,
    `Steps: ${steps.map((step) => `${step.phase} ${step.state}`).join(', ')}`,
    ...(result === null ? [] : [`Result: ${resultWords(result)}`]),
    ...(proof === null ? [] : [`Proof: ${proof.verdict}, ${proof.differences.length} differences`]),
    ...(notCompared === null
      ? []
      : [`Not compared: ${isLeftUnloaded(job) ? 'left unloaded' : notCompared.code}`]),
    ...(error === null
      ? []
      : [
          `Error: ${error.code}`,
          ...(error.node ? [`Node's error: ${error.node.code ?? 'no number'}, its words left out`] : []),
        ]),
    ...(warnings.length === 0 ? [] : [`Warnings: ${warnings.length}, left out`]),
    `Log of the node (${log.length} lines, ${leftOut} more left out):`,
    ...log.map((line) => `  ${line}`),
  ];
  return safeText(lines);
}

function nodeWords({ offline, network, release, address }: Job['node']): string {
  if (offline) return `none, ${network}`;
  return `release ${release}, ${network}, ${isLoopback(address.host) ? 'this machine' : 'another machine'}`;
}

function resultWords(result: NonNullable<Job['result']>): string {
  switch (result.kind) {
    case 'restore':
      return `a ${result.walletKind} wallet`;
    case 'migrate':
      return [
        ...migratedWallets(result).map(
          ({ part }) => `a ${part === 'watchonly' ? 'watch-only' : part} wallet`,
        ),
        `a backup path: ${result.backupPath === null ? 'no' : 'yes'}`,
      ].join(', ');
    case 'rescan':
      return 'the blocks were searched';
    case 'backup':
      return result.proof.seen ? 'a backup that was read again' : 'a backup that cannot be seen from here';
  }
}

/** The time, kind and numbers of a line of the node's log. Null for a line of another form, because it may contain anything. */
function logFields(line: string): string | null {
  const split = splitLogLine(line);
  if (split === null) return null;
  const { time, text } = split;
  const read = readLogLine(text);
  const fields = read === null ? namelessFields(text) : wordsOf(read);
  return fields === null ? null : `${time} ${fields}`;
}

/** Its kind, numbers and choices. Anything else in it, such as a name, is left out. */
function wordsOf({ kind, ...fields }: LogLine): string {
  const words = Object.entries(fields).flatMap(([field, value]: [string, unknown]) => {
    if (field === 'share' && typeof value === 'number') return `share=${value.toFixed(3)}`;
    const name = field === 'milliseconds' ? 'ms' : field;
    if (typeof value === 'number') return `${name}=${small(value)}`;
    return CHOICES.has(name) ? `${name}=${value ?? 'unknown'}` : [];
  });
  return [kind, ...words].join(' ');
}

/** The fields with one of a few known words. */
const CHOICES: ReadonlySet<string> = new Set(['into', 'variant']);

/** Blocks, keys or milliseconds. A larger number is none of these. */
function small(number: number): string {
  return Number.isSafeInteger(number) && number <= 999_999_999 ? String(number) : 'too large';
}

/** More lines of a loading wallet, as recorded from releases 23 to 31, and their names in the report. */
const NAMELESS: readonly (readonly [name: string, form: RegExp])[] = [
  ['wallet-loaded ms', /^\[.*\] Wallet completed loading in\s+(\d{1,9})ms$/],
  ['file-version', /^\[.*\] Wallet file version = (\d{1,9}), last client version = \d{1,9}$/],
  ['key-pool', /^\[.*\] setKeyPool\.size\(\) = (\d{1,9})$/],
  ['transactions', /^\[.*\] mapWallet\.size\(\) = (\d{1,9})$/],
  ['address-book', /^\[.*\] m_address_book\.size\(\) = (\d{1,9})$/],
];

function namelessFields(text: string): string | null {
  for (const [name, form] of NAMELESS) {
    const number = form.exec(text)?.[1];
    if (number !== undefined) return `${name}=${number}`;
  }
  return null;
}

function time(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}

/**
 * The report for the user's own records: plain text with names, paths, hashes and amounts. Replaces the
 * keys and descriptors that the node quotes in their usual forms. `jobs`: all, newest first. `now`: Unix seconds.
 */
export function fullReport(
  job: Job,
  { jobs, version, now }: { jobs: readonly Job[]; version: string; now: number },
): string {
  const lines = [
    recordTitle(version, now),
    '',
    ...outcomeLines(job, jobs),
    ...sectionLines(recordDetails(job)),
  ];
  return safeText(lines.map(withoutKeys));
}

/** Users paste the report into terminals and forms, so no character may move a cursor or turn the text around. */
function safeText(lines: readonly string[]): string {
  return `${lines.map((line) => visibleText(line)).join('\n')}\n`;
}

/** The same record in parts, to print it: the name of the wallet, and what stands below the heading. Without keys too. */
export function recordParts(job: Job, jobs: readonly Job[]): RecordParts {
  const parts = { wallet: job.wallet, sections: [...outcomeSections(job, jobs), recordDetails(job)] };
  const safe: unknown = JSON.parse(JSON.stringify(parts), (_, value: unknown) =>
    typeof value === 'string' ? withoutKeys(value) : value,
  );
  return recordShape.parse(safe);
}

/** Replaces descriptors, extended keys, and private keys in WIF, BIP 38, the mini form, or hex that is called a key. */
function withoutKeys(text: string): string {
  const withoutMini = text.replace(MINI_KEY, (word) => (isMiniKey(word) ? '[key]' : word));
  return KEYS.reduce((rest, [pattern, word]) => rest.replace(pattern, word), withoutMini);
}

const BASE58 = '[1-9A-HJ-NP-Za-km-z]';

const KEYS: readonly (readonly [RegExp, string])[] = [
  // Descriptors, before the keys in them.
  [
    /\b(?:pkh?|wpkh|wsh|sh|tr|combo|(?:sorted)?multi(?:_a)?|addr|raw|rawtr|unused|musig)\([^\s]*\)(?:#[a-z0-9]{8})?/g,
    '[descriptor]',
  ],
  [new RegExp(`\\b[xtuvyzUVYZ](?:pub|prv)${BASE58}{50,}`, 'g'), '[extended key]'],
  [new RegExp(`\\b(?:${BASE58}{51,52}|6P${BASE58}{56})\\b`, 'g'), '[key]'],
  // Transaction ids and other hashes look the same.
  [
    /(?=[\w+/-]{32})(?<=(?:key|priv|secret|seed).{0,20})(?<!key[ _-]?id\W{0,3})(?:(?<![\da-f])(?:0x)?(?:[\da-f]{32}){1,2}(?![\da-f])|(?<![\w+/-])[\w+/-]{43}=)/gi,
    '[key]',
  ],
];

/** 22, 26 or 30 characters. */
const MINI_KEY = new RegExp(`\\bS(?:${BASE58}{4}){5,7}${BASE58}\\b`, 'g');

/** Its hash with a question mark starts with a zero byte, unless it has a wrong letter. A name has longer runs of small letters. */
function isMiniKey(word: string): boolean {
  return !/[a-z]{6}/.test(word) || sha256(new TextEncoder().encode(`${word}?`))[0] === 0;
}
