/** Finds keys and descriptors anywhere in a text, and accounts for each of its lines. */
import { base58 } from '@scure/base';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { orNull } from '../bytes/once.ts';
import { hasChecksum } from '../coin/coins.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import { readKeyText } from './keyText.ts';
import { plainDescriptors } from './typedKey.ts';

/**
 * `private`: WIF or a mini key. `sealed`: a key under its own passphrase (BIP 38). `extended`: an extended key of any type,
 * public or private. `descriptor`: with or without its checksum.
 */
type KeyForm = 'private' | 'sealed' | 'extended' | 'descriptor';

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

/** Splits a text into lines, the empty ones too, and finds the keys in each. Quotes inside of quoted shell arguments are undone. */
export function scanText(text: string): ScannedLine[] {
  return joinWrapped(linesOf(text).map(scanLine));
}

/** The lines of a text, with shell quoting of single quotes undone (`'\''` and `'"'"'`). */
export function linesOf(text: string): string[] {
  return text.replace(/'(?:\\'|"'")'/g, "'").split(/\r\n|[\r\n\f]/);
}

function scanLine(text: string): ScannedLine {
  const keys: TextKey[] = [];
  const damages: KeyDamage[] = [];
  let rest = text;
  const remove = (start: number, end: number) => {
    rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  };
  for (const { index: start } of text.matchAll(DESCRIPTOR)) {
    if (rest[start] === ' ') continue; // inside of another descriptor
    const end = descriptorEnd(text, start);
    // People put spaces behind the commas.
    const found = text.slice(start, end).replace(/\s+/g, '');
    if (!HAS_KEY.test(found)) continue;
    const why = descriptorDamage(found);
    if (why === null) keys.push({ text: found, form: 'descriptor', start, end });
    else damages.push({ column: start + 1, ...why });
    remove(start, end);
  }
  for (const { 0: run, index: start } of rest.matchAll(/[0-9A-Za-z]{22,}/g)) {
    const found = readRun(run, {
      isAlone: isAlone(rest, start, start + run.length),
      isExpected: KEY_WORD.test(rest) || rest.trim() === run,
    });
    if (found === null) continue;
    if (typeof found === 'string') keys.push({ text: run, form: found, start, end: start + run.length });
    else damages.push({ ...found, column: start + found.column });
  }
  for (const found of groupedKeys(rest, keys, damages)) {
    if ('why' in found) damages.push(found);
    else keys.push(found);
  }
  keys.sort((one, other) => one.start - other.start);
  return { text, keys, damages, isComment: COMMENT.test(text) };
}

const COMMENT = /^\s*(?:#|\/\/|;|--|rem\s)/i;

/** The start of a descriptor with something inside. */
const DESCRIPTOR =
  /(?<![A-Za-z0-9_])(?:pkh?|wpkh|sh|wsh|tr|rawtr|combo|(?:sorted)?multi(?:_a)?|addr|raw|unused)\((?=.{20})/g;

/** A public or private key, a hash or script in hex, or an address. Calls in a program look like descriptors too. */
const HAS_KEY =
  /[xyztuv](?:pub|prv)|[0-9a-f]{40}|[5KLc9][1-9A-HJ-NP-Za-km-z]{40}|(?:bc|tb|bcrt)1[a-z0-9]{20}|[13mn2][1-9A-HJ-NP-Za-km-z]{25}/i;

/** The index after the closing bracket and the checksum; the end of the text without spaces if a bracket is missing. */
function descriptorEnd(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (text[at] === ')' && depth === 0) {
      const [checksum = ''] = /^#[0-9A-Za-z]*/.exec(text.slice(at + 1)) ?? [];
      return at + 1 + checksum.length;
    }
  }
  const [whole = ''] = /^\S*/.exec(text.slice(start)) ?? [];
  return start + whole.length;
}

function descriptorDamage(text: string): Omit<KeyDamage, 'column'> | null {
  try {
    withoutChecksum(text, 'optional');
  } catch (error) {
    const isChecksum = error instanceof FileError && error.finding.code === 'descriptor_checksum_wrong';
    return { why: isChecksum ? 'checksum' : 'descriptor' };
  }
  const [first = ''] = plainDescriptors(text);
  const isRead = isDescriptor(first, { network: 'main' }) || isDescriptor(first, { network: 'testnet3' });
  return isRead ? null : { why: 'descriptor' };
}

/** What people write before a key. */
const KEY_WORD = /key|priv|wif|secret/i;

/**
 * The form of a key, or what is wrong with it; null for other text. `isAlone`: whether it is a word of its own. `isExpected`:
 * whether the line says that it is a key.
 */
function readRun(
  run: string,
  { isAlone, isExpected }: { isAlone: boolean; isExpected: boolean },
): KeyForm | KeyDamage | null {
  const key = KEY_LENGTHS.has(run.length) ? readKeyText(run, {}) : null;
  if (key !== null) return key === 'sealed' ? 'sealed' : 'private';
  const isExtended = EXTENDED.test(run);
  const bytes = run.length <= MOST_CHARACTERS ? orNull(() => base58.decode(run)) : null;
  const isWhole = bytes !== null && hasChecksum(bytes);
  if (isWhole) {
    if (isExtended && bytes.length === 82) return 'extended';
    const isOfCoin = [37, 38].includes(bytes.length);
    return isOfCoin ? { why: 'coin', column: 1 } : null;
  }
  if (!isAlone) return null;
  const lengths = expectedLengths(run, { isExtended, isExpected });
  if (lengths === null) return null;
  const wrong = /[0OIl]/.exec(run);
  if (wrong) return { why: 'letter', letter: wrong[0], column: wrong.index + 1 };
  return { why: lengths.includes(run.length) ? 'checksum' : 'length', column: 1 };
}

/** Of mini keys, WIF and BIP 38. */
const KEY_LENGTHS: ReadonlySet<number> = new Set([22, 26, 30, 51, 52, 58]);
/** Of mini keys, with a letter too few or too many. */
const MINI_LENGTHS: ReadonlySet<number> = new Set([21, 22, 23, 25, 26, 27, 29, 30, 31]);
const EXTENDED = /^[xtyzuvYZUV](?:prv|pub)/;
/** Extended keys have 111 characters. */
const MOST_CHARACTERS = 120;

/** The lengths of the kind of key that a word resembles; null if it resembles none. Hex and words of one case are no keys. */
function expectedLengths(
  run: string,
  { isExtended, isExpected }: { isExtended: boolean; isExpected: boolean },
): readonly number[] | null {
  if (!/\d/.test(run) || !/[a-z]/.test(run) || !/[A-Z]/.test(run)) return null;
  const { length } = run;
  if (isExtended && length > 90 && length < 130) return [111, 112];
  if (/^S/.test(run) && length > 20 && length < 32)
    return MINI_LENGTHS.has(length) && /\d[A-Za-z]+\d/.test(run) && !/[0OIl].*[0OIl]/.test(run)
      ? [22, 26, 30]
      : null;
  if (length >= 56 && length <= 60) return isExpected || /^6P/.test(run) ? [58] : null;
  if (length < 49 || length > 54) return null;
  if (/^[59]/.test(run)) return [51];
  if (/^[KLc]/.test(run)) return [52];
  // The first letter may be wrong. Other programs write words of this length too.
  return isExpected ? [51, 52] : null;
}

/** Long words of base64, links and tokens hold such letters too. */
function isAlone(line: string, start: number, end: number): boolean {
  return !/[+/_%-]/.test(line[start - 1] ?? '') && !/[+/=_%-]/.test(line[end] ?? '');
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
    const form = readRun(text, { isAlone: false, isExpected: false });
    if (typeof form === 'string') return { text, form, start, end: group.end };
  }
  return null;
}

function groupedDamage(groups: readonly Group[]): KeyDamage | null {
  const size = groups[0]?.text.length ?? 0;
  const isOfOneSize = groups.length > 4 && groups.slice(0, -1).every(({ text }) => text.length === size);
  const text = groups.map((group) => group.text).join('');
  if (!isOfOneSize || size < 2 || !/^[5KLc]|^6P/.test(text)) return null;
  const damage = readRun(text, { isAlone: true, isExpected: false });
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
      const form = readRun(text, { isAlone: false, isExpected: false });
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
