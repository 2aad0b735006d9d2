/** Finds keys and descriptors, on one line or several, anywhere in a text, and accounts for each of its lines. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { once } from '../bytes/once.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { MAX_EXTENDED_KEY_LENGTH } from '../keys/extendedKey.ts';
import { ADDRESS_NETWORKS } from '../script/address.ts';
import { plainDescriptors } from './keyText.ts';
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
  /** What looks like a key or descriptor and is none. */
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

/** The lines of a text, without the escapes that shells and programs that write JSON put into descriptors. */
function linesOf(text: string): string[] {
  return text
    .replace(/'(?:\\'|"'")'|\\u0027/gi, "'")
    .replaceAll('\\/', '/')
    .split(/\r\n|[\r\n\f]/);
}

function scanLine(text: string): ScannedLine {
  const { keys, damages, rest } = descriptorsIn(text);
  for (const { 0: run, index: start } of rest.matchAll(/[0-9A-Za-z]{22,}/g)) {
    const end = start + run.length;
    const found = readRun(run, {
      isAlone: isAlone(rest, start, end),
      isCalledKey: KEY_WORD.test(rest.slice(Math.max(0, start - NEAR), end + NEAR)),
      isLine: rest.trim() === run,
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

const COMMENT = /^\s*(?:#|\/\/|;|--|rem\s)/i;

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
    const groups = [...sequence.matchAll(/[0-9A-Za-z]+/g)].map(({ 0: text, index }) => ({
      text,
      start: offset + index,
      end: offset + index + text.length,
    }));
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

const GROUPS = /[0-9A-Za-z]{1,58}(?:[ \t\u00a0.-]{1,3}[0-9A-Za-z]{1,58})+/g;

interface Group {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function keyFrom(groups: readonly Group[], first: number): TextKey | null {
  const { start = 0, text: head = '' } = groups[first] ?? {};
  if (!/^(?:[5KLc9S]|6P?|[xyztuvYZUV])/.test(head)) return null;
  let text = '';
  for (const group of groups.slice(first)) {
    text += group.text;
    if (text.length > MAX_EXTENDED_KEY_LENGTH) return null;
    if (text === head || !(KEY_LENGTHS.has(text.length) || (EXTENDED.test(text) && text.length > 110)))
      continue;
    const form = readRun(text);
    if (typeof form === 'string') return { text, form, start, end: group.end };
  }
  return null;
}

function groupedDamage(groups: readonly Group[]): KeyDamage | null {
  const size = groups[0]?.text.length ?? 0;
  const isOfOneSize = groups.length > 4 && groups.slice(0, -1).every(({ text }) => text.length === size);
  const text = groups.map((group) => group.text).join('');
  if (!isOfOneSize || size < 2 || !/^[5KLc]|^6P/.test(text)) return null;
  const damage = readRun(text, { isAlone: true });
  return damage === null || typeof damage === 'string'
    ? null
    : { ...damage, column: (groups[0]?.start ?? 0) + 1 };
}

/** Finds the keys that go on over the end of a line, as mail programs and narrow columns wrap them. */
function joinWrapped(lines: readonly ScannedLine[]): ScannedLine[] {
  const joined = [...lines];
  for (let at = 0; at + 1 < joined.length; at += 1) {
    const line = joined[at];
    const head = line && line.keys.length === 0 ? LAST_RUN.exec(line.text) : null;
    if (!line || !head) continue;
    const start = head.index;
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

/** The word at the end of a line, before a soft break of quoted-printable mail. */
const LAST_RUN = /([1-9A-HJ-NP-Za-km-z]{5,110})=?\s*$/;
/** The word at the start of a line, behind marks of quotation. */
const FIRST_RUN = /^[\s>|"'*]*([1-9A-HJ-NP-Za-km-z]{4,110})(?![0-9A-Za-z])/;
const MAX_WRAPS = 4;

/** The descriptors of a line, and the line with spaces in their place. */
function descriptorsIn(text: string): { keys: TextKey[]; damages: KeyDamage[]; rest: string } {
  const keys: TextKey[] = [];
  const damages: KeyDamage[] = [];
  let rest = '';
  let end = 0;
  const brackets = once(() => closingBrackets(text));
  for (const { index: start } of text.matchAll(DESCRIPTOR)) {
    if (start < end) continue; // inside of another descriptor
    const after = descriptorEnd(text, start, brackets());
    // People put spaces behind the commas.
    const found = text.slice(start, after).replace(/\s+/g, '');
    if (!HAS_KEY.test(found)) continue;
    const why = descriptorDamage(found);
    if (why === null) keys.push({ text: found, form: 'descriptor', start, end: after });
    else damages.push({ column: start + 1, ...why });
    rest += text.slice(end, start) + ' '.repeat(after - start);
    end = after;
  }
  return { keys, damages, rest: rest + text.slice(end) };
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

/** The index after the closing bracket and the checksum; the end of the text without spaces if a bracket is missing. */
function descriptorEnd(text: string, start: number, brackets: ReadonlyMap<number, number>): number {
  const close = brackets.get(text.indexOf('(', start));
  const [rest = ''] =
    close === undefined ? [] : (/^#[0-9A-Za-z]*/.exec(text.slice(close + 1, close + 20)) ?? []);
  if (close !== undefined) return close + 1 + rest.length;
  const space = text.slice(start).search(/\s/);
  return space < 0 ? text.length : start + space;
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
