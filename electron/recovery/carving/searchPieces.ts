/**
 * Searches a stream of bytes (a disk image, a device, a folder of fragments) for pages and single records of wallets. It
 * keeps only their positions, so memory does not grow with the stream; `gatherPieces` reads them again.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { readableDerForms } from '../../walletfile/keys/privateKey.ts';
import { type ByteRange, MAX_PAGE_SIZE, SECTOR_SIZE } from '../salvage/berkeleyPages.ts';
import { holdsRecords, isWalletPage, type PageInBytes, pageAt } from './pageAt.ts';

/** Bytes with random access. */
export interface PieceSource {
  /** Bytes. */
  length: number;
  /**
   * The bytes from `start` to `end`, which never exceeds the length. Unreadable sectors are zeros. May fill and return
   * `buffer`, which the caller reuses for a later read.
   */
  read(start: number, end: number, buffer?: Uint8Array): Promise<Uint8Array>;
}

/** The results so far, as plain data from which a later search can resume. */
export interface PieceSearch {
  /** The search has covered all bytes before this offset. */
  at: number;
  /** Sorted by offset. */
  pages: FoundPage[];
  /** Byte ranges around single records outside of these pages. */
  fragments: ByteRange[];
  /** Whether a limit made the search drop results. */
  full: boolean;
}

export interface FoundPage extends PageInBytes {
  /** Byte offset. */
  offset: number;
}

/**
 * Searches up to the end, or to `until` or a little further. `from`: an earlier search of the same bytes to resume; it is not
 * changed. Throws only what `source.read` throws.
 */
export async function searchPieces(
  source: PieceSource,
  from: PieceSearch | null = null,
  until = source.length,
): Promise<PieceSearch> {
  const { at, pages, fragments, full } = from ?? { at: 0, pages: [], fragments: [], full: false };
  const search = { at, pages: [...pages], fragments: fragments.map((range) => ({ ...range })), full };
  const sure = search.pages.filter(isWalletPage).length;
  const allowance = { pages: MAX_PAGES - sure, unsure: MAX_UNSURE - (search.pages.length - sure) };
  // Two buffers, used in turn: collecting garbage of this size would cost more than the search.
  const buffers = [0, 1].map(() => new Uint8Array(Math.min(BEFORE + CHUNK + MAX_PAGE_SIZE, source.length)));
  const end = Math.min(until, source.length);
  const read = (start: number) => (start < end ? readChunk(source, start, buffers) : null);
  for (let next = read(search.at); next !== null; ) {
    const chunk = await next;
    // Read the next chunk while this one is searched.
    next = read(chunk.end);
    // The loop awaits it later. Until then a failure must not count as an unhandled rejection.
    next?.catch(() => undefined);
    if (!isEmpty(chunk.bytes)) searchChunk(search, allowance, chunk);
    search.at = chunk.end;
  }
  return search;
}

async function readChunk(source: PieceSource, start: number, buffers: Uint8Array[]): Promise<Chunk> {
  const end = Math.min(start + CHUNK, source.length);
  // A page or a record may cross the end of the chunk, and a record its beginning.
  const first = Math.max(0, start - BEFORE);
  const buffer = buffers.shift();
  const bytes = await source.read(first, Math.min(end + MAX_PAGE_SIZE, source.length), buffer);
  if (buffer) buffers.push(buffer);
  return { bytes, first, start, end };
}

/** Fits the processor's cache. */
const CHUNK = 2 << 20;
/** Bytes needed before a record's type, in whole sectors. */
const BEFORE = SECTOR_SIZE;
/** 400 MB of wallets' pages of the usual size. */
const MAX_PAGES = 100_000;
/** The limit for pages that any other database has as well. */
const MAX_UNSURE = 50_000;
const MAX_FRAGMENTS = 50_000;
const MAX_FRAGMENT_LENGTH = 1 << 20;
/** Bytes kept around a record's type. Keys and values of the wanted records are shorter. */
const AROUND = 1024;
const ZEROS = Buffer.alloc(CHUNK + MAX_PAGE_SIZE + BEFORE);

/** How many more pages the search may keep. */
interface Allowance {
  pages: number;
  unsure: number;
}

interface Chunk {
  bytes: Uint8Array;
  /** Byte offset of `bytes` in the source. */
  first: number;
  /** The search looks for pages and records that begin between these byte offsets. */
  start: number;
  end: number;
}

/** Most of a disk is usually empty. */
function isEmpty(bytes: Uint8Array): boolean {
  return ZEROS.compare(bytes, 0, bytes.length, 0, bytes.length) === 0;
}

function searchChunk(search: PieceSearch, allowance: Allowance, chunk: Chunk): void {
  const { bytes, first, start, end } = chunk;
  const firstPage = search.pages.length;
  for (let offset = start; offset + SECTOR_SIZE <= end; offset += SECTOR_SIZE) {
    const page = pageAt(bytes, offset - first);
    if (!page) continue;
    const isSure = isWalletPage(page);
    if (isSure ? allowance.pages === 0 : allowance.unsure === 0) {
      search.full = true;
      continue;
    }
    allowance[isSure ? 'pages' : 'unsure'] -= 1;
    search.pages.push({ offset, ...page });
  }
  // A page that begins in the previous chunk may have records in this one.
  const pages = search.pages.slice(Math.max(0, firstPage - MAX_PAGE_SIZE / SECTOR_SIZE)).filter(holdsRecords);
  let next = 0;
  for (const at of looseRecords(chunk)) {
    for (let page = pages[next]; page && page.offset + page.size <= at; page = pages[next]) next += 1;
    const page = pages[next];
    if (!page || page.offset > at) keepFragment(search, at);
  }
}

function keepFragment(search: PieceSearch, at: number): void {
  const range = { start: Math.max(0, at - AROUND), end: at + AROUND };
  const last = search.fragments.at(-1);
  if (last && range.start <= last.end && range.end - last.start <= MAX_FRAGMENT_LENGTH) last.end = range.end;
  else if (search.fragments.length < MAX_FRAGMENTS) search.fragments.push(range);
  else search.full = true;
}

/**
 * Sorted byte offsets of private keys and of the types of records that hold keys. Needles have at most 7 bytes: for longer
 * ones `indexOf` uses another algorithm, which is four times slower on noise.
 */
function looseRecords({ bytes, first, start, end }: Chunk): number[] {
  const found: number[] = [];
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, end - first + AROUND));
  for (const { needle, fits } of LOOSE) {
    for (let at = buffer.indexOf(needle, start - first); at >= 0 && at < end - first; ) {
      if (fits(buffer, at)) found.push(first + at);
      at = buffer.indexOf(needle, at + 1);
    }
  }
  return found.sort((one, other) => one - other);
}

const DER_STARTS = readableDerForms.map(({ start }) => start);
/** Common to all starts; only the length of the number follows. */
const KEY_BEGINS = Uint8Array.of(0x02, 0x01, 0x01, 0x04);

const LOOSE: readonly { needle: Buffer; fits: (bytes: Buffer, at: number) => boolean }[] = [
  { needle: Buffer.from('key'), fits: isKeyRecord },
  { needle: Buffer.from('hdchain'), fits: (bytes, at) => bytes[at - 1] === 7 },
  { needle: Buffer.from(KEY_BEGINS), fits: isPrivateKey },
];

/** Whether a DER start, of a compressed or an uncompressed key, ends here. */
function isPrivateKey(bytes: Buffer, at: number): boolean {
  const end = at + KEY_BEGINS.length + 1;
  return DER_STARTS.some(
    (start) => end >= start.length && equalBytes(start, bytes.subarray(end - start.length, end)),
  );
}

const KEY_TYPES: ReadonlySet<string> = new Set(['\x04ckey', '\x04wkey', '\x04mkey']);

/** Whether `key` here ends a record type with its length byte, and a plausible key follows. */
function isKeyRecord(bytes: Buffer, at: number): boolean {
  // `key` occurs in any text.
  if (bytes[at - 1] !== 3 && bytes[at - 2] !== 4) return false;
  const type = bytes.toString('latin1', Math.max(0, at - 2), at + 3);
  const after = at + 3;
  // The number of a master key is small.
  if (type === '\x04mkey') return bytes[after + 2] === 0 && bytes[after + 3] === 0;
  if (!KEY_TYPES.has(type) && bytes[at - 1] !== 3) return false;
  const [size, sign] = bytes.subarray(after, after + 2);
  return size === 33 ? sign === 2 || sign === 3 : size === 65 && sign === 4;
}
