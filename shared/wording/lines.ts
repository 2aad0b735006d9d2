/** The parts of plain text pages: rows, tables, sections and errors. */
import { sha256 } from '@noble/hashes/sha2.js';
import type { AppErrorShape, NodeError } from '../model/errors.ts';
import { say } from './say.ts';

export type Row = readonly [label: string, value: string];

/** One part of a record, which the terminal prints as lines and a sheet of paper shows as tables. */
export interface ReportSection {
  title?: string;
  rows?: readonly Row[];
  /** The heads first. */
  table?: readonly (readonly string[])[];
  lines?: readonly string[];
  files?: readonly RecordFile[];
}

/** A file of a job. `sha256`: null if the app did not record it. */
export interface RecordFile {
  name: string;
  path: string;
  sha256: string | null;
  notes?: readonly string[];
}

export function sectionLines({
  title,
  rows: labelled = [],
  table: cells = [],
  lines = [],
  files = [],
}: ReportSection): string[] {
  const all = [...rows(labelled), ...table(cells), ...lines, ...files.flatMap(fileLines)];
  return title === undefined ? indented(all) : section(title, all);
}

function fileLines({ name, path, sha256, notes = [] }: RecordFile): string[] {
  return [name, ...indented([path, ...(sha256 === null ? [] : [`SHA-256 ${sha256}`]), ...notes])];
}

/** Labels and values, without labels that lack a value. */
export function filled(
  labelled: readonly (readonly [label: string, value: string | null | undefined])[],
): Row[] {
  return labelled.flatMap(([label, value]): Row[] => (value ? [[label, value]] : []));
}

/** Labels and values side by side. Skips labels without a value. */
export function rows(
  labelled: readonly (readonly [label: string, value: string | null | undefined])[],
): string[] {
  const all = filled(labelled);
  const width = Math.max(0, ...all.map(([label]) => label.length));
  return all.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
}

/** Columns as wide as their contents, without trailing spaces. */
export function table(all: readonly (readonly string[])[]): string[] {
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((cells) => cells[at]?.length ?? 0)));
  return all.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

export function indented(lines: readonly string[]): string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}

/** A heading and the lines below it; empty without lines. */
export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...indented(lines)];
}

/** Below the first entries of a longer list. */
export function andMore(count: number): string {
  return say('And {count, number} more.', { count });
}

/** What happened, what is safe, what to do next, and the node's message. */
export function errorLines({ message, hint, node }: AppErrorShape): string[] {
  return [
    message,
    ...(hint === '' ? [] : hint.split('\n')),
    ...(node === undefined ? [] : [answerTitle(node), ...indented(node.message.split('\n'))]),
  ];
}

/** The heading of the node's own message, with its error number. */
export function answerTitle({ code }: NodeError): string {
  return code === null ? say('Exact answer') : say('Exact answer (error {code})', { code: String(code) });
}

/** Replaces descriptors, extended keys, and private keys in WIF, BIP 38, the mini form, or hex that is called a key. */
export function withoutKeys(text: string): string {
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

/** The error for a tab without a session. A function, because the page loads this file before it knows its language. */
export function noAccess(): string {
  return say('This link was used. Press Enter in the app’s terminal, or restart the app.');
}
