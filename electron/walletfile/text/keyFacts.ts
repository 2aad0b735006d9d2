/** Reads what a line says of its keys: when a key was made, its label, its addresses, and its place in an HD chain. */
import { orNull } from '../bytes/once.ts';
import type { Branch } from '../legacy/legacyWallet.ts';
import { hashesIn } from '../script/address.ts';
import { LINE_START, type TextKey } from './scanText.ts';

export interface KeyFacts {
  /** Unix seconds; 1 if unknown. */
  readonly createTime: number;
  readonly label: string | null;
  /** The addresses with this label; null for all addresses of the key. */
  readonly addresses: readonly string[] | null;
  /** The role of the key in an HD chain: the seed of the active or an old chain, or a place in one. */
  readonly chain: 'seed' | 'old-seed' | { branch: Branch; index: number } | null;
}

/** What a text calls a private key. */
export const PRIVATE_KEY_WORDS = /priv|secret|wif/i;

export const NO_FACTS: KeyFacts = { createTime: 1, label: null, addresses: null, chain: null };

/** The facts of each key on a line, by the words after it, up to the next key. `columns`: of a table with a header; else null. */
export function factsOnLine(
  line: string,
  keys: readonly TextKey[],
  columns: Columns | null,
): readonly KeyFacts[] {
  // A quotation mark before a colon: a member of JSON that could not be parsed.
  const isNamed = columns !== null && columns.label + columns.date > -2;
  const common =
    dumpFacts(line) ?? (isNamed ? columnFacts(line, columns) : /["']\s*:/.test(line) ? NO_FACTS : null);
  if (common) return keys.map(() => common);
  const isCommand = /\bimport\w+/.test(line.slice(0, keys[0]?.start));
  return keys.map(({ start, end }, at) => ({
    ...factsIn(line.slice(end, keys[at + 1]?.start), isCommand),
    chain: SEED_WORD.test(line.slice(keys[at - 1]?.end ?? 0, start)) ? 'seed' : null,
  }));
}

/** What stands before the seed of a chain: the request to a node, or what a dump calls it. */
const SEED_WORD = /(?:\bhd ?(?:seed|master)|\bsethdseed|\bseed=)(?:\W|true|false)*$/i;

/** `isCommand`: whether the line is a command for a node. */
function factsIn(found: string, isCommand: boolean): KeyFacts {
  const text = found.replace(MARKUP, ' ').replace(isCommand ? /\brescan=\w+/ : '', ' ');
  const { createTime, rest } = birthBehindKey(text);
  const words = wordsOf(rest).filter(
    (word) => !isNoLabel(word) && !(isCommand && /^(?:true|false)$/.test(word)),
  );
  const label = trim(words.join(' '));
  return { ...NO_FACTS, createTime, label: /\p{L}/u.test(label) ? label : null };
}

/**
 * Takes a date behind a word of birth, and one that ends a line as in `dumpwallet`. Any other may be of a payment, a check or a backup,
 * and a late birth hides payments.
 */
function birthBehindKey(text: string): { createTime: number; rest: string } {
  const [before = '', word] = BIRTH_WORD.exec(text) ?? [];
  const behind = text.slice(before.length);
  const dates = datesIn(behind).filter(({ at }) => at === 0);
  const rest = behind.slice(Math.max(0, ...dates.map(({ length }) => length)));
  const isOfDump = /^ *$/.test(before) && rest.trim() === '' && dates.every(({ hasZone }) => hasZone);
  return dates.length > 0 && (word || isOfDump)
    ? { createTime: earliest(dates), rest }
    : { createTime: 1, rest: text };
}

const BIRTH_WORD =
  /^[^\p{L}\p{N}]*(?:((?:key )?(?:created|generated|born|birth\w*)\b(?: (?:at|on|date|time)\b)?)[^\p{L}\p{N}]*)?/iu;

/** Tags and character references of HTML, control words of RTF, and the name of a label in a command or link. */
const MARKUP = /<[^<>]*>|&\w+;|\\[a-z]+\d*|\blabel=/g;

/** Addresses, public keys and hashes. */
function isNoLabel(word: string): boolean {
  if (/^(?:0x)?[0-9a-f]{40,}$/i.test(word)) return true;
  return word.length > 25 && hashesIn(word).length > 0;
}

function trim(text: string): string {
  return text.replace(/^[^\p{L}\p{N}(]+|(?<!['"`]\)|[^\p{L}\p{N})!?.])(?:['"`]\)|[^\p{L}\p{N})!?.])+$/gu, '');
}

/** Words and quoted texts, separated by spaces, commas, semicolons or tabs. Two quotation marks in a quoted text are one. */
export function wordsOf(text: string): string[] {
  return [...text.matchAll(/"((?:[^"]|"")*)"|[^\s,;"]+/g)].map(([word, quoted]) =>
    quoted === undefined ? word : quoted.replaceAll('""', '"'),
  );
}

/** A line of `dumpwallet` (`rpcdump.cpp`): key, time, facts, and addresses after a `#`. Null for any other line. */
function dumpFacts(line: string): KeyFacts | null {
  const words = dumpWords(line);
  if (words === null) return null;
  const label = words.get('label');
  return {
    createTime: earliest(datesIn(words.get('time') ?? '')),
    label: label === undefined ? null : (orNull(() => decodeURIComponent(label)) ?? label),
    addresses: words.get('addr')?.split(',') ?? null,
    chain: chainOf(words),
  };
}

/** The facts on a line of `dumpwallet` by their names; `time`, and `value`: the key or script. Null for any other line. */
export function dumpWords(line: string): ReadonlyMap<string, string> | null {
  const [, value = '', separator = '', time = '', rest = ''] = DUMP_LINE.exec(line) ?? [];
  if (rest === '') return null;
  return new Map([
    ['value', value],
    ['time', time],
    // A label of `dumpwallet` has no spaces, and may have other marks.
    ...rest.split(separator.trim() === '' ? /\s+/ : FACT_START).map((word): [string, string] => {
      const at = word.indexOf('=');
      return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
    }),
  ]);
}

/** Programs for tables and PDF put other marks between the words, and other dates. A script or key has ten letters at least. */
const SPACE = '[\\s,;"]+';
const DUMP_FACT = '(?:label=|reserve=1|change=1|script=1|(?:inactive)?hd(?:seed|master)=1|#[\\s,;"]*addr=)';
const DUMP_LINE = new RegExp(
  `${LINE_START}(\\w{10,})(${SPACE})([^#=]{0,30}\\d[^#=\\s,;"]{0,3}(?: ?[AP]M)?)${SPACE}(${DUMP_FACT}.*)$`,
);
const FACT_START =
  /(?<![\s,;"])[\s,;"]+(?=#[\s,;"]|(?:addr|hdkeypath|label|reserve|change|script|(?:inactive)?hd(?:seed|master))=|$)/;

/** Releases before 0.17 called seeds masters. */
function chainOf(words: ReadonlyMap<string, string>): KeyFacts['chain'] {
  if (words.has('hdseed') || words.has('hdmaster')) return 'seed';
  if (words.has('inactivehdseed') || words.has('inactivehdmaster')) return 'old-seed';
  const path = /^m\/0['h’]\/([01])['h’]\/(\d{1,9})['h’]$/.exec(words.get('hdkeypath') ?? '');
  const [, branch, index] = path ?? [];
  return index === undefined ? null : { branch: branch === '1' ? 1 : 0, index: Number(index) };
}

/** The columns of a table with keys, from 0; -1 if there is none. */
export interface Columns {
  /** Finds each cell of a line: quoted, or plain. */
  readonly cell: RegExp;
  readonly key: number;
  readonly label: number;
  readonly date: number;
}

/** Null unless the line is the header of a table with a column of keys. */
export function columnsIn(header: string): Columns | null {
  // Neither JSON nor a key, nor the first line of a cell with several.
  if (/["']\s*:|[0-9a-f]{60}|^[^"]*"(?:[^"]*"[^"]*")*[^"]*$/i.test(header)) return null;
  for (const separator of [',', ';', '\t']) {
    const space = `[^\\S${separator}]*`;
    const quoted = `${space}"((?:[^"]|"")*)"${space}`;
    const cell = new RegExp(`(?:^|${separator})(?:${quoted}|([^${separator}]*))`, 'g');
    const names = cellsOf(header, { cell });
    const find = (pattern: RegExp) => names.findIndex((name) => pattern.test(name));
    const key = names.findIndex((name) => PRIVATE_KEY_WORDS.test(name) || /^key$/i.test(name));
    if (names.length < 2 || key < 0) continue;
    return {
      cell,
      key,
      label: find(/^(?:label|name|notes?|comment|description|tag|account)s?$/i),
      date: find(BIRTH_NAME),
    };
  }
  return null;
}

/** What a table or JSON calls the birth of a key. Password managers date their entries, which say “created” too. */
export const BIRTH_NAME =
  /^(?:key[ _]?(?:creat(?:ed|ion)(?:[ _]?(?:at|on|time|date))?|generated)|(?:key[ _]?)?birth\w*)$/i;

function columnFacts(line: string, columns: Columns): KeyFacts {
  const { label, date } = columns;
  const cells = cellsOf(line, columns);
  return {
    ...NO_FACTS,
    label: cells[label] || null,
    createTime: earliest(datesIn(cells[date] ?? '')),
  };
}

export function cellsOf(line: string, { cell }: Pick<Columns, 'cell'>): string[] {
  return [...line.matchAll(cell)].map(([, quoted, plain = '']) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
}

interface FoundDate {
  readonly at: number;
  readonly length: number;
  readonly hasZone: boolean;
  /** Unix seconds. */
  readonly seconds: number;
}

/**
 * The dates in a text, without those before Bitcoin or in the future. Of a date that can be read in several ways, as European or
 * American or in any time zone, the earliest reading counts.
 */
function datesIn(text: string): FoundDate[] {
  const now = Date.now() / 1000;
  return DATES.flatMap((pattern) =>
    [...text.matchAll(pattern)].map((found) => ({
      at: found.index,
      length: found[0].length,
      hasZone: found.groups?.zone !== undefined,
      seconds: Math.min(...readings(found)),
    })),
  ).filter(({ seconds }) => seconds >= FIRST_BLOCK && seconds <= now);
}

/** The birth that a member of JSON names: Unix seconds or milliseconds, or a date in words. 1 without one. */
export function birthIn(value: unknown): number {
  const time = typeof value === 'string' && !/^\d+$/.test(value) ? earliest(datesIn(value)) : Number(value);
  const seconds = Math.floor(time > LATEST_SECONDS ? time / 1000 : time);
  // One in the future would hide payments.
  return seconds <= Date.now() / 1000 ? Math.max(1, seconds) : 1;
}

/** A birth that is too late hides payments, so the earliest date counts; 1 without a date. */
function earliest(dates: readonly FoundDate[]): number {
  return dates.length === 0 ? 1 : Math.min(...dates.map(({ seconds }) => seconds));
}

const ONE_DAY = 24 * 60 * 60;

/** In the year 5138. */
const LATEST_SECONDS = 100_000_000_000;

/** Unix seconds of Bitcoin's first block. */
const FIRST_BLOCK = 1_231_006_505;

const MONTH = '(?<name>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const DATES = [
  new RegExp(`\\b${MONTH} (?<day>\\d\\d?)(?:st|nd|rd|th)?,? (?<year>\\d{4})\\b`, 'gi'),
  new RegExp(`\\b(?<day>\\d\\d?)(?:st|nd|rd|th)?\\.? ${MONTH},? (?<year>\\d{4})\\b`, 'gi'),
  /\b(?<year>\d{4})[-/.](?<month>\d\d?)[-/.](?<day>\d\d?)(?:[T ](?<clock>\d\d:\d\d(?::\d\d)?)(?:\.\d+)?\s?(?<zone>Z|UTC|[+-]\d\d:?\d\d)?)?/g,
  /\b(?<one>\d\d?)[-/.](?<other>\d\d?)[-/.](?<year>\d{4})(?:[T ](?<clock>\d\d:\d\d(?::\d\d)?))?/g,
  /(?<![\d.])(?<epoch>1[2-9]\d{8}|[2-3]\d{9})(?:\d{3})?(?![\d.])/g,
] as const;

function readings({ groups = {} }: RegExpMatchArray): number[] {
  const { epoch, year = '', month, name, day, one = '', other = '', clock = '00:00', zone } = groups;
  if (epoch !== undefined) return [Number(epoch)];
  const margin = zone === undefined ? ONE_DAY : 0;
  if (name !== undefined) return [Date.parse(`${day} ${name} ${year} UTC`) / 1000 - margin];
  const offset = margin > 0 || zone === 'UTC' ? 'Z' : zone;
  const parse = (m: string, d: string) =>
    Date.parse(`${year}-${m.padStart(2, '0')}-${d.padStart(2, '0')}T${clock}${offset}`) / 1000 - margin;
  const all =
    month === undefined || day === undefined ? [parse(one, other), parse(other, one)] : [parse(month, day)];
  return all.filter((seconds) => !Number.isNaN(seconds));
}
