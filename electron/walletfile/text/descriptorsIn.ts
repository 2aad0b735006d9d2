/** Finds descriptors in a line of text, and those that go on over several lines. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { KeyDamage } from '../../../shared/model/findings/textLines.ts';
import { once } from '../bytes/once.ts';
import { withoutChecksum } from '../descriptor/checksum.ts';
import { isDescriptor } from '../descriptor/descriptorParse.ts';
import type { TextKey } from './scanText.ts';
import { plainDescriptors } from './typedKey.ts';

/** The descriptors of a line, and the line with spaces in their place. */
export function descriptorsIn(text: string): { keys: TextKey[]; damages: KeyDamage[]; rest: string } {
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
export function wholeDescriptor(lines: readonly string[], at: number): { text: string; end: number } | null {
  const line = lines[at] ?? '';
  const start = unclosedStart(line);
  if (start === null) return null;
  let depth = depthOf(line.slice(start));
  let end = at + 1;
  while (depth > 0 && end < Math.min(lines.length, at + MOST_LINES)) {
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
const MOST_LINES = 50;

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
/** The start of a descriptor with something inside. */
const DESCRIPTOR = new RegExp(`${NAMES}(?=.{20})`, 'g');

/** A public or private key, a hash or script in hex, or an address. Calls in a program look like descriptors too. */
const HAS_KEY =
  /[xyztuv](?:pub|prv)|[0-9a-f]{40}|[5KLc9][1-9A-HJ-NP-Za-km-z]{40}|(?:bc|tb|bcrt)1[a-z0-9]{20}|[13mn2][1-9A-HJ-NP-Za-km-z]{25}/i;

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
  const isRead = isDescriptor(first, { network: 'main' }) || isDescriptor(first, { network: 'testnet3' });
  return isRead ? null : { why: 'descriptor' };
}
