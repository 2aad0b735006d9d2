/**
 * Decodes text in the encodings that people's files have: UTF-8, UTF-16 of either byte order, and Windows-1252. Texts in encodings
 * of other languages, such as Shift-JIS, are read as Windows-1252: keys are ASCII in all of them.
 */
import { isUtf8 } from 'node:buffer';
import { orNull } from '../bytes/once.ts';

/**
 * The text as every parser takes it: without its byte order mark and the invisible characters in and around its words, with long
 * full-width words in usual letters, and with the parts of a mail decoded: quoted-printable in place, base64 at the end. Null if the
 * bytes are not text. `isStart`: the bytes may end in the middle of a character, because they are the start of a longer file.
 */
export function decodeText(padded: Uint8Array, isStart = false): string | null {
  // A text from a deleted file fills its last block with zeros.
  const end = padded.findLastIndex((byte) => byte !== 0) + 1;
  const encoding = encodingOf(padded.subarray(0, end));
  if (encoding === null || end === 0) return null;
  const bytes = padded.subarray(0, encoding === 'utf-16le' ? end + (end % 2) : end);
  const decoded =
    decode(bytes, encoding, isStart) ??
    (encoding === 'utf-8' ? decode(bytes, 'windows-1252', isStart) : null);
  return decoded === null ? null : withMailParts(normalise(unquoted(decoded)));
}

function normalise(text: string): string {
  const visible = text.replace(INVISIBLE, (found, at: number) =>
    VISIBLE.test(`${text[at - 1] ?? '.'}${text[at + found.length] ?? ''}`) ? '' : found,
  );
  if (visible.search(WIDE) < 0) return visible;
  return visible.replace(WIDE_WORDS, (found) =>
    (found.match(WIDE)?.length ?? 0) < SHORTEST_KEY ? found : found.normalize('NFKC'),
  );
}

/** Mail programs write a text with one letter beyond ASCII in base64. Behind the text, so that its lines keep their numbers. */
function withMailParts(text: string): string {
  const parts = [...text.matchAll(MAIL_PART)].map(([, part = '']) => decodeText(Buffer.from(part, 'base64')));
  return [text, ...parts.filter((part) => part !== null)].join('\n');
}

const MAIL_PART =
  /^content-transfer-encoding:\s*base64\b[^\n]*\n(?:[^\r\n]+\r?\n){0,100}\r?\n((?:[A-Za-z0-9+/=]{1,998}\r?(?:\n|$))+)/gim;

/**
 * Decodes each quoted-printable part of a mail in its place, unless it was decoded already, as in a mail whose text was copied. Keeps
 * what is no code.
 */
function unquoted(text: string): string {
  return text.replace(QUOTED_PART, (part) => {
    const start = Math.max(0, part.search(/\n\r?\n/));
    const body = part.slice(start);
    if (HAS_BARE_SIGN.test(body) && !IS_QUOTED.test(body)) return part;
    const decoded = body.replace(QUOTED_LINE, (line) => {
      const joined = line.replace(/=[ \t\r]*(?:\n|$)/g, '').replace(QUOTED_BYTES, (codes) => {
        const bytes = Buffer.from(codes.replaceAll('=', ''), 'hex');
        return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
      });
      const linesOf = (lines: string) => lines.split('\n').length;
      return joined + '\n'.repeat(Math.max(0, linesOf(line) - linesOf(joined)));
    });
    return part.slice(0, start) + decoded;
  });
}

/** Up to the next part. Other lines that begin with `--` are of the mail's author. */
const QUOTED_PART =
  /^content-transfer-encoding:\s*quoted-printable\b[\s\S]*?(?=^--\S[^\n]*\ncontent-|^content-transfer-encoding:|(?![\s\S]))/gim;
/** A line with those below that a soft break joins to it. */
const QUOTED_LINE = /(?:[^\n]*=[ \t]*\r?\n)*[^\n]+/g;
/** A sign that begins no key in hex, nor one of an uncompressed test key, whose first two characters look like a code. */
const SIGN = '=(?!(?:[0-9A-Fa-f]{64}|9[1-3][1-9A-HJ-NP-Za-km-z]{49})(?![0-9A-Za-z]))';
const QUOTED_BYTES = new RegExp(`(?:${SIGN}[0-9A-Fa-f]{2})+`, 'g');
const HAS_BARE_SIGN = /=(?![0-9A-F]{2}|[ \t\r]*(?:\n|$))/i;
/** The code of the sign itself, or of a character beyond ASCII before a word as long as a key. */
const IS_QUOTED = new RegExp(`=3[Dd]|${SIGN}[89A-F][0-9A-F][0-9A-Za-z]{20}`);

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

function decode(bytes: Uint8Array, encoding: Encoding, isStart: boolean): string | null {
  // An encrypted file is valid in Windows-1252 too.
  if (encoding === 'windows-1252' && !isMostlyAscii(bytes) && !isTextWithKey(bytes)) return null;
  const decoder = new TextDecoder(encoding, { fatal: true });
  // The last byte of UTF-16 may be half of a character.
  const whole = encoding.startsWith('utf-16') ? bytes.subarray(0, bytes.length & ~1) : bytes;
  const text = orNull(() => decoder.decode(whole, { stream: isStart }))?.replace(CONSOLE_MARKS, '');
  if (text === undefined) return null;
  const controls = text.match(CONTROL)?.length ?? 0;
  return controls > text.length * MAX_CONTROLS ? null : text.replace(CONTROL, ' ');
}

/**
 * Zero-width characters, soft hyphens, and marks of the direction of writing, which chats, pages and documents leave in and around
 * keys. Emojis and other scripts need those between their own characters.
 */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}+/gu;
const VISIBLE = /[!-~]/;
/** Letters of a Japanese keyboard, and bold ones and the like of chats. */
const WIDE = /[０-９Ａ-Ｚａ-ｚ\u{1d400}-\u{1d7ff}]/gu;
const WIDE_WORDS = /[ -~\u3000！-～\u{1d400}-\u{1d7ff}]{22,}/gu;
/** In characters. */
const SHORTEST_KEY = 22;
const [ESCAPE, END_OF_FILE] = [String.fromCharCode(0x1b), String.fromCharCode(0x1a)];
/** The colours of a terminal, and the mark with which DOS ends a file. */
const CONSOLE_MARKS = new RegExp(`${ESCAPE}\\[[\\d;]*[A-Za-z]|${END_OF_FILE}$`, 'g');
/** Without those of Windows-1252, which other encodings use for letters. */
const CONTROL = /[^\P{Cc}\t\n\f\r\u0080-\u009f]/gu;
/** The share of a text. Word processors and recordings of a terminal leave a few; other files are full of them. */
const MAX_CONTROLS = 0.05;

/** Null for bytes that are certainly no text. */
function encodingOf(bytes: Uint8Array): Encoding | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const start = bytes.subarray(0, SAMPLE_BYTES);
  let zerosAtEven = 0;
  let zerosAtOdd = 0;
  for (let at = 0; at < start.length; at += 1) {
    if (start[at] !== 0) continue;
    if (at % 2 === 0) zerosAtEven += 1;
    else zerosAtOdd += 1;
  }
  if (zerosAtEven + zerosAtOdd === 0) return 'utf-8';
  // Every other byte of ASCII in UTF-16 is zero. A text in another script has ASCII only in its keys and spaces.
  const fewest = start.length / 20;
  if (zerosAtEven === 0 && zerosAtOdd > fewest) return 'utf-16le';
  if (zerosAtOdd === 0 && zerosAtEven > fewest) return 'utf-16be';
  return null;
}

const SAMPLE_BYTES = 4096;

/** Whether bytes of other letters have a word as long as a key, and no control characters. */
function isTextWithKey(bytes: Uint8Array): boolean {
  if (bytes.some((byte) => byte < 0x20 && ![0x09, 0x0a, 0x0c, 0x0d].includes(byte))) return false;
  return /[0-9A-Za-z]{22}/.test(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'));
}

function isMostlyAscii(bytes: Uint8Array): boolean {
  const start = bytes.subarray(0, SAMPLE_BYTES);
  return start.filter((byte) => byte < 0x80).length >= start.length * 0.75;
}
