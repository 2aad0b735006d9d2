/** The parts of plain text pages: rows, tables, sections and errors. */
import type { AppErrorShape, NodeError } from '../model/errors.ts';
import type { RecordFile, ReportSection } from '../model/record.ts';
import { say } from './say.ts';

export type Row = readonly [label: string, value: string];

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
  return code === null
    ? say('Node’s exact answer')
    : say('Node’s exact answer (error {code})', { code: String(code) });
}

/** The error for a tab without a session. A function, because the page loads this file before it knows its language. */
export function noAccessText(): string {
  return say('This link was used. Press Enter in the app’s terminal, or restart the app.');
}
