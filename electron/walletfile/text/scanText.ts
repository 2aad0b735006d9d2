/** Finds keys and descriptors, on one line or several, anywhere in a text, and accounts for each of its lines. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { once } from '../bytes/once.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { MAX_EXTENDED_KEY_LENGTH } from '../keys/extendedKey.ts';
import { ADDRESS_NETWORKS } from '../script/address.ts';
import { plainDescriptors, withoutType, withRightMarks } from './keyText.ts';
import { EXTENDED, KEY_LENGTHS, keysInside, readRun } from './readRun.ts';

/**
 * `private`: WIF or a mini key. `sealed`: a key under its own passphrase (BIP 38). `extended`: an extended key of any type,
 * public or private. `descriptor`: with or without its checksum.
 */
export type KeyForm = 'private' | 'sealed' | 'extended' | 'descriptor';

export interface TextKey {
  /** Without spaces; for an extended key also without its origin and path. */
  readonly text: string;
  readonly form: KeyForm;
  /** Indexes in the line. */
  readonly start: number;
  readonly end: number;
}

export interface ScannedLine {
  readonly text: string;
  readonly keys: readonly TextKey[];
  /** Text that looks like a key or descriptor but is neither. */
  readonly damages: readonly KeyDamage[];
  /** Whether the whole line is a comment. It may still have keys. */
  readonly isComment: boolean;
  /** Whether the line ends a key that begins on an earlier one. */
  readonly continuesKey?: true;
}

/** Splits a text into lines, the empty ones too, and finds the keys in each. */
export function scanText(text: string): ScannedLine[] {
  return joinWrapped(joinDescriptors(linesOf(text)));
}

/** The lines of a text, without the escapes that shells and programs that write JSON put into descriptors and before keys. */
function linesOf(text: string): string[] {
  return text
    .replace(/'(?:\\'|"'")'|\\u0027/gi, "'")
    .replaceAll('\\/', '/')
    .replace(/\\[nrt](?=[0-9A-Za-z]{22}|[a-z]+\()/g, '  ')
    .split(/\r\n|[\r\n\f]/);
}

function scanLine(text: string): ScannedLine {
  const { keys, damages, rest } = descriptorsIn(text);
  for (const { 0: run, index: start } of rest.matchAll(/[0-9A-Za-z]{22,}/g)) {
    const end = start + run.length;
    const found = readRun(run, {
      isAlone: isAlone(rest, start, end),
      isCalledKey: KEY_WORD.test(rest.slice(Math.max(0, start - NEAR), end + NEAR)),
      isLine: withoutType(rest.trim()) === run,
    });
    const inside = typeof found === 'string' ? [] : keysInside(run, start);
    if (typeof found === 'string') keys.push({ text: run, form: found, start, end });
    else if (inside.length > 0) keys.push(...inside);
    else if (found) damages.push({ ...found, column: start + found.column });
  }
  for (const found of groupedKeys(rest, keys, damages)) {
    if ('why' in found) damages.push(found);
    else keys.push(found);
  }
  const columns = [...keys.map(({ start }) => start + 1), ...damages.map(({ column }) => column)];
  damages.push(
    ...foreignLetters(rest, (start, end) => columns.some((column) => column > start && column <= end)),
  );
  keys.sort((one, other) => one.start - other.start);
  return { text, keys, damages, isComment: COMMENT.test(text) };
}

/** Scans lines, of which some end in the middle of a descriptor. The line where it begins is scanned with all of it. */
function joinDescriptors(lines: readonly string[]): ScannedLine[] {
  const scanned: ScannedLine[] = [];
  while (scanned.length < lines.length) {
    const text = lines[scanned.length] ?? '';
    const joined = wholeDescriptor(lines, scanned.length);
    if (joined === null) scanned.push(scanLine(text));
    else {
      scanned.push({ ...scanLine(joined.text), isComment: COMMENT.test(text) });
      for (const rest of lines.slice(scanned.length, joined.end)) scanned.push(continuing(rest));
    }
  }
  return scanned;
}

function continuing(text: string): ScannedLine {
  return { text, keys: [], damages: [], isComment: false, continuesKey: true };
}

/** What may stand before a line that is quoted, numbered or in a table. */
export const LINE_START = '^(?:[>|"\\s]|\\d{1,6}(?:[:.)]|\\s))*';
const COMMENT = new RegExp(`${LINE_START}(?:#|//|;|--|rem\\s)`, 'i');

/** What people write before or after a key. */
const KEY_WORD = /key|priv|wif|secret/i;
/** In characters. */
const NEAR = 80;

/** Long words of base64, links and tokens hold such letters too. */
function isAlone(line: string, start: number, end: number): boolean {
  const before = line.slice(Math.max(0, start - NEAR), start);
  return !/(?:[+/_%-]|[?&](?!\w*(?:key|priv|wif))\w+=)$/i.test(before) && !/[+/=_%-]/.test(line[end] ?? '');
}

/**
 * Keys that are written in groups of letters, as in `L44B 5gGE pqED …`, anywhere on a line. Groups of one size that look like a
 * key and are none are damaged.
 */
function groupedKeys(
  line: string,
  keys: readonly TextKey[],
  damages: readonly KeyDamage[],
): (TextKey | KeyDamage)[] {
  const found: (TextKey | KeyDamage)[] = [];
  for (const { 0: sequence, index: offset } of line.matchAll(GROUPS)) {
    const groups = [...sequence.matchAll(GROUP)].flatMap(({ 1: text, index }) =>
      text === undefined ? [] : [{ text, start: offset + index, end: offset + index + text.length }],
    );
    for (let at = 0; at < groups.length; at += 1) {
      const key = keyFrom(groups, at);
      if (key === null) continue;
      found.push(key);
      while (at + 1 < groups.length && (groups[at + 1]?.start ?? key.end) < key.end) at += 1;
    }
    const damage = found.length + keys.length + damages.length === 0 ? groupedDamage(groups) : null;
    if (damage) found.push(damage);
  }
  return found;
}

/** Characters that may stand between two parts of a key. */
const MARKS = String.raw`\p{Zs}\p{Pd}\t.·•_{}`;
/** HTML and RTF inside a word. No two of these, nor `MARKS`, match the same text: the search would backtrack exponentially. */
const MARKUP = String.raw`<[^<>]{1,200}>|&#?\w{2,12};|\\[a-z]+(?:-?\d+)?`;
const BETWEEN = `(?:[${MARKS}]|${MARKUP})`;
const GROUP = new RegExp(`${BETWEEN}|([0-9A-Za-z]+)`, 'gu');
const GROUPS = new RegExp(`[0-9A-Za-z]{1,58}(?:${BETWEEN}{1,8}[0-9A-Za-z]{1,58})+`, 'gu');

/** The first wrong letter of each key with some of another alphabet, or marks in place of letters. */
function foreignLetters(line: string, isFound: (start: number, end: number) => boolean): KeyDamage[] {
  const isCalledKey = KEY_WORD.test(line);
  return [...line.matchAll(FOREIGN_WORD)].flatMap(({ 0: word, index }) => {
    const at = word.search(FOREIGN_LETTER);
    if (at < 0 || MASKED.test(word) || isFound(index, index + word.length)) return [];
    const ascii = word.replace(FOREIGN_LETTER, 'k');
    const found = readRun(ascii, { isCalledKey, isAlone: true, isLine: line.trim() === word });
    return found ? [{ why: 'letter', letter: word[at], column: index + at + 1 }] : [];
  });
}

/** A key of which most is hidden on purpose. */
const MASKED = /[*#?]{20}/;
const FOREIGN_LETTER = /(?![0-9A-Za-z])[\p{L}\p{N}?*#\ufffd]/gu;
const FOREIGN_WORD = /(?<![\p{L}\p{N}+/=%-])[\p{L}\p{N}?*#\ufffd]{22,115}(?![\p{L}\p{N}+/=%-])/gu;

interface Group {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function keyFrom(groups: readonly Group[], first: number): TextKey | null {
  const { start = 0, text: head = '' } = groups[first] ?? {};
  const isShort = /^(?:[5KLc9S]|6P?)/.test(head);
  if (!isShort && !/^[xyztuvYZUV]/.test(head)) return null;
  const most = isShort ? Math.max(...KEY_LENGTHS) : MAX_EXTENDED_KEY_LENGTH;
  let text = '';
  for (let at = first, group = groups[at]; group; at += 1, group = groups[at]) {
    text += group.text;
    if (text.length > most || !(isShort || text.length < 4 || EXTENDED.test(text))) return null;
    if (text === head || !(isShort ? KEY_LENGTHS.has(text.length) : text.length > 110)) continue;
    // The checksum of a mini key is short, so words must be groups of one size.
    const isMini =
      /^S\w.*\d/.test(text) && groups.slice(first, at).every((one) => one.text.length === head.length);
    const form = readRun(text, { isAlone: isMini && group.text.length <= head.length });
    if (typeof form === 'string') return { text, form, start, end: group.end };
  }
  return null;
}

/** The damage of the first groups that look like a key: of one size, the last may be shorter, or each long. */
function groupedDamage(groups: readonly Group[]): KeyDamage | null {
  for (const [first, { text: head, start }] of groups.entries()) {
    if (head.length < 2 || !/^[5KLc]|^6P/.test(head)) continue;
    const next = groups.slice(first, first + MAX_EXTENDED_KEY_LENGTH).map(({ text }) => text);
    const isLong = (text: string) => text.length >= LONG_GROUP;
    const other = next.findIndex((text) => text.length !== head.length && !(isLong(head) && isLong(text)));
    const isShorter = (next[other]?.length ?? 0) < head.length;
    const sized = other < 0 ? next : next.slice(0, other + (isShorter ? 1 : 0));
    const damage = sized.length > (isLong(head) ? 1 : 4) ? readRun(sized.join(''), { isAlone: true }) : null;
    if (damage !== null && typeof damage === 'object') return { ...damage, column: start + 1 };
  }
  return null;
}

/** OCR splits a key into groups at least this long. */
const LONG_GROUP = 10;

/** Finds the keys that go on over the end of a line, as mail programs and narrow columns wrap them. */
function joinWrapped(lines: readonly ScannedLine[]): ScannedLine[] {
  const joined = [...lines];
  for (let at = 0; at + 1 < joined.length; at += 1) {
    const line = joined[at];
    const from = Math.max(0, (line?.text.length ?? 0) - MAX_TAIL);
    const head = line && line.keys.length === 0 ? LAST_RUN.exec(line.text.slice(from)) : null;
    if (!line || !head) continue;
    const start = from + head.index;
    let text = head[1] ?? '';
    for (let more = 1; more <= MAX_WRAPS; more += 1) {
      const next = joined[at + more];
      const [whole, run = ''] = (next && next.keys.length === 0 && FIRST_RUN.exec(next.text)) || [];
      if (!next || whole === undefined) break;
      text += run;
      if (text.length > MAX_EXTENDED_KEY_LENGTH) break;
      const form = readRun(text);
      if (typeof form === 'string') {
        joined[at] = { ...line, keys: [{ text, form, start, end: line.text.length }], damages: [] };
        for (let part = 1; part <= more; part += 1) {
          const rest = joined[at + part];
          if (rest) joined[at + part] = { ...rest, damages: [], continuesKey: true };
        }
        break;
      }
      // Only a line that is nothing else goes on.
      if (whole.trim() !== next.text.trim()) break;
    }
  }
  return joined;
}

/** The word at the end of a line, before a soft break of quoted-printable mail, or marks of HTML or RTF. */
const LAST_RUN = new RegExp(`([1-9A-HJ-NP-Za-km-z]{5,110})=?(?:[${MARKS}\\s\\\\]|${MARKUP})*$`, 'u');
/** The word at the start of a line, behind marks of quotation. */
const FIRST_RUN = new RegExp(
  `^(?:[${MARKS}\\s>|"'*]|${MARKUP})*([1-9A-HJ-NP-Za-km-z]{4,110})(?![0-9A-Za-z])`,
  'u',
);
const MAX_WRAPS = 4;
/** The letters of a key at the end of a line, and marks behind them. */
const MAX_TAIL = 1000;

/** The descriptors of a line, and the line with spaces in their place, but with the private keys of damaged ones. */
function descriptorsIn(text: string): { keys: TextKey[]; damages: KeyDamage[]; rest: string } {
  const keys: TextKey[] = [];
  const damages: KeyDamage[] = [];
  let rest = '';
  let end = 0;
  let keyless = 0; // the end of what is known to have no key
  const endOf = once(() => descriptorEnds(text));
  for (const { index: start } of text.matchAll(DESCRIPTOR)) {
    if (start < end) continue; // inside of another descriptor
    const after = endOf()(start);
    RAW.lastIndex = start;
    if (after <= keyless && !RAW.test(text)) continue;
    // People put spaces behind the commas.
    const found = withRightMarks(text.slice(start, after).replace(/\s+/g, ''));
    if (!HAS_KEY.test(found)) {
      keyless = Math.max(keyless, after);
      continue;
    }
    const why = descriptorDamage(found);
    const read = why ? privateKeysIn(text.slice(start, after)) : ' '.repeat(after - start);
    if (why) damages.push({ column: start + 1, ...why, ...(read.trim() !== '' && { isKeyRead: true }) });
    else keys.push({ text: found, form: 'descriptor', start, end: after });
    rest += text.slice(end, start) + read;
    end = after;
  }
  return { keys, damages, rest: rest + text.slice(end) };
}

/** A damaged descriptor with spaces in place of all but its whole private keys. One of several keys of a script has no use alone. */
function privateKeysIn(descriptor: string): string {
  const isAlone = descriptor.match(/\w{30,}/g)?.length === 1;
  return descriptor.replace(/\w+|\W/g, (word) =>
    isAlone && (readRun(word) === 'private' || (/prv/.test(word) && readRun(word) === 'extended'))
      ? word
      : ' '.repeat(word.length),
  );
}

/** The line at an index and what follows of its unclosed descriptor; `end`: the index of the next line. Null without one. */
function wholeDescriptor(lines: readonly string[], at: number): { text: string; end: number } | null {
  const line = lines[at] ?? '';
  const start = unclosedStart(line);
  if (start === null) return null;
  let depth = depthOf(line.slice(start));
  let end = at + 1;
  while (depth > 0 && end < Math.min(lines.length, at + MAX_LINES)) {
    depth += depthOf(lines[end] ?? '');
    end += 1;
  }
  if (depth > 0) return null;
  const rest = lines.slice(at + 1, end).map((more) => more.replace(/^[\s>|"'*]+/, ''));
  const text = [line, ...rest].map((part) => part.trimEnd().replace(SOFT_BREAK, '')).join('');
  return HAS_KEY.test(text.slice(start).replace(/\s+/g, '')) ? { text, end } : null;
}

/** What ends a line that goes on: a soft break of mail, or the mark of a Unix or Windows shell. */
const SOFT_BREAK = /[=\\`^]$/;
/** Twenty keys of a multisig script, each on its own line, and what is around them. */
const MAX_LINES = 50;

/** The index of the first descriptor that the line does not close; null if there is none. */
function unclosedStart(line: string): number | null {
  const starts = [...line.matchAll(DESCRIPTOR_NAME)];
  if (starts.length === 0) return null;
  const brackets = closingBrackets(line);
  const open = starts.find((found) => !brackets.has(found.index + found[0].length - 1));
  return open?.index ?? null;
}

function depthOf(text: string): number {
  return text.split('(').length - text.split(')').length;
}

const NAMES =
  '(?<![A-Za-z0-9_])(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi(?:_a)?|addr|raw|unused)\\(';
const DESCRIPTOR_NAME = new RegExp(NAMES, 'g');
/** The start of a descriptor with something inside, `raw(51)#` and its checksum at least. */
const DESCRIPTOR = new RegExp(`${NAMES}(?=.{12})`, 'g');

/**
 * A public or private key, a hash or script in hex, an address, or the checksum behind a short script. Calls in a program look like
 * descriptors too.
 */
const HAS_KEY =
  /[xyztuv](?:pub|prv)|[0-9a-f]{40}|[5KLc9][1-9A-HJ-NP-Za-km-z]{40}|(?:bc|tb|bcrt)1[a-z0-9]{20}|[13mn2][1-9A-HJ-NP-Za-km-z]{25}|^raw\([0-9a-f]+\)#[0-9a-z]{8}$/i;

/** A script with its checksum, which needs no key. */
const RAW = /raw\([0-9a-f]+\)#[0-9a-z]{8}/iy;

/**
 * Returns a function that gives the index after the descriptor at an index, for ascending ones: after its closing bracket and checksum;
 * after the text without spaces if a bracket is missing.
 */
function descriptorEnds(text: string): (start: number) => number {
  const brackets = closingBrackets(text);
  let space = -1;
  return (start) => {
    const close = brackets.get(text.indexOf('(', start));
    if (close !== undefined)
      return close + 1 + (/^#[0-9A-Za-z]*/.exec(text.slice(close + 1, close + 20))?.[0].length ?? 0);
    if (space < start) {
      const found = text.slice(start).search(/\s/);
      space = found < 0 ? text.length : start + found;
    }
    return space;
  };
}

/** The index of the closing bracket of each opening one that has one. */
function closingBrackets(text: string): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  const open: number[] = [];
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    const start = bracket === '(' ? undefined : open.pop();
    if (bracket === '(') open.push(index);
    else if (start !== undefined) found.set(start, index);
  }
  return found;
}

function descriptorDamage(text: string): Omit<KeyDamage, 'column'> | null {
  try {
    withoutChecksum(text, 'optional');
  } catch (error) {
    const isChecksum = error instanceof FileError && error.finding.code === 'descriptor_checksum_wrong';
    return { why: isChecksum ? 'checksum' : 'descriptor' };
  }
  const [first = ''] = plainDescriptors(text);
  return ADDRESS_NETWORKS.some((network) => isDescriptor(first, { network })) ? null : { why: 'descriptor' };
}
