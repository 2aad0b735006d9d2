/** Finds keys and descriptors anywhere in a text, and accounts for each of its lines. */
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { descriptorsIn, wholeDescriptor } from './descriptorsIn.ts';
import { EXTENDED, KEY_LENGTHS, keysInside, MOST_CHARACTERS, readRun } from './readRun.ts';

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
      ...{ text, start: offset + index, end: offset + index + text.length },
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
    if (text.length > MOST_CHARACTERS) return null;
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
    for (let more = 1; more <= MOST_WRAPS; more += 1) {
      const next = joined[at + more];
      const [whole, run = ''] = (next && next.keys.length === 0 && FIRST_RUN.exec(next.text)) || [];
      if (!next || whole === undefined) break;
      text += run;
      if (text.length > MOST_CHARACTERS) break;
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
const MOST_WRAPS = 4;
