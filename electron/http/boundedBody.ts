/** Reads untrusted input within limits: a stream of bytes, such as an HTTP body, and JSON. */
import { isUtf8 } from 'node:buffer';

/** `limit` in bytes. Null if the body is longer; its connection is then destroyed. */
export async function readBoundedBody(body: AsyncIterable<unknown>, limit: number): Promise<string | null> {
  return (await readBoundedBytes(body, limit))?.toString('utf8') ?? null;
}

/** As `readBoundedBody`, for a reader that must notice bytes that are not UTF-8. */
export async function readBoundedBytes(body: AsyncIterable<unknown>, limit: number): Promise<Buffer | null> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    // Leaving the loop destroys the body and its connection.
    if (size > limit) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Null if the bytes are not UTF-8. A replacement character in a name or a passphrase would make it another one. */
export function utf8TextOrNull(bytes: Uint8Array): string | null {
  return isUtf8(bytes) ? Buffer.from(bytes).toString('utf8') : null;
}

/** `too-deep` and `too-many` are detected before parsing: an empty list takes twenty times its text in memory. */
type BoundedJson =
  | { readonly is: 'json'; readonly value: unknown }
  | { readonly is: 'not-json' }
  | { readonly is: 'too-deep' }
  | { readonly is: 'too-many' };

export function readBoundedJson(text: string, mostLevels = MAX_LEVELS): BoundedJson {
  const outside = boundsOf(text, mostLevels);
  if (outside !== null) return { is: outside };
  try {
    return { is: 'json', value: JSON.parse(text) };
  } catch {
    return { is: 'not-json' };
  }
}

/** The deepest answer that the app requests has seven levels. */
const MAX_LEVELS = 64;
/** Ten times what ten thousand wallets with ten warnings each need. */
const MAX_VALUES = 2_000_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Counts brackets and commas outside strings. The text need not be valid JSON. */
function boundsOf(text: string, mostLevels: number): 'too-deep' | 'too-many' | null {
  let level = 0;
  let values = 0;
  let inText = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) inText = !inText;
    else if (inText) {
      if (character === BACKSLASH) at += 1;
    } else if (character === OPEN_LIST || character === OPEN_OBJECT) {
      level += 1;
      values += 1;
      if (level > mostLevels) return 'too-deep';
    } else if (character === CLOSE_LIST || character === CLOSE_OBJECT) level -= 1;
    else if (character === COMMA) values += 1;
    if (values > MAX_VALUES) return 'too-many';
  }
  return null;
}
