/**
 * Finds records in bytes of damaged pages: database keys of a known type, each with the value next to it. The results are guesses
 * until they are proved. Layout of items: `BKEYDATA` in Berkeley DB's `dbinc/db_page.h`. A page is filled from its end, so a value
 * usually lies before its key.
 */
import { equalBytes } from '@noble/curves/utils.js';
import { createView } from '@noble/hashes/utils.js';
import {
  type ByteSource,
  copierOf,
  type FileBytes,
  piecesToSearch,
} from '../../walletfile/bytes/byteSource.ts';
import { ITEM_DATA, PAGE_HEADER_OFFSETS, type PageFormat } from '../../walletfile/database/berkeleyPage.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { afterVarint, sizeOfBlob, sizeOfValue, varintAt } from '../../walletfile/database/sqliteWalk.ts';
import { derForms, readableDerForms } from '../../walletfile/keys/privateKey.ts';
import { isRecordType, type RecordType, recordOf } from '../../walletfile/records/records.ts';
import { aligned } from './berkeleyPages.ts';

/** Takes time in proportion to the bytes, whatever they are. `little`: the byte order; null if unknown. `types`: the only ones to find. */
export function rawScan(
  file: FileBytes,
  little: boolean | null,
  types: ReadonlySet<string> | null = null,
): RawRecord[] {
  const found: RawRecord[] = [];
  const orders = little === null ? [true, false] : [little];
  const keep = copierOf(file);
  for (const { bytes, from, to } of piecesToSearch(file, MAX_RECORD_LENGTH)) {
    const scanner = new Scanner(bytes);
    for (let at = Math.max(3, from); at < to; at += 1) {
      const type = scanner.typeAt(at);
      if (type === null || types?.has(type) === false) continue;
      for (const little of orders) {
        const record = scanner.recordAt(at, little);
        if (record) found.push({ key: keep(record.key), value: keep(record.value) });
      }
    }
  }
  return found;
}

/** The records of damaged pages, by what is left of each page's list of items. The last page may be cut off. */
export function recordsOnPages(source: ByteSource, form: PageFormat): RawRecord[] {
  const found: RawRecord[] = [];
  const keep = copierOf(source);
  for (let page = 0; page < source.size; page += form.pageSize)
    for (const { key, value } of recordsOnPage(source.read(page, form.pageSize), form))
      found.push({ key: keep(key), value: keep(value) });
  return found;
}

/** The rows of an SQLite table in bytes of damaged pages: database keys of a known type behind a header that fits. */
export function looseRows(file: FileBytes): RawRecord[] {
  const found: RawRecord[] = [];
  const keep = copierOf(file);
  for (const { bytes, from, to } of piecesToSearch(file, MAX_RECORD_LENGTH))
    for (let at = Math.max(3, from); at < to; at += 1) {
      const row = rowAt(bytes, at);
      if (row) found.push({ key: keep(row.key), value: keep(row.value) });
    }
  return found;
}

/** The row whose key starts at an offset. Before it are the size of the header and the types of key and value. */
function rowAt(bytes: Uint8Array, at: number): RawRecord | null {
  const type = typeOf(bytes, at);
  for (let size = 3; type !== null && size <= Math.min(at, MAX_ROW_HEADER); size += 1) {
    const start = at - size;
    const valueType = afterVarint(bytes, start + 1);
    if (bytes[start] !== size || afterVarint(bytes, valueType) !== at) continue;
    const keyEnd = at + sizeOfBlob(varintAt(bytes, start + 1));
    const end = keyEnd + sizeOfValue(varintAt(bytes, valueType));
    const row = { key: bytes.subarray(at, keyEnd), value: bytes.subarray(keyEnd, end) };
    if (end <= bytes.length && recordOf(type, row)) return row;
  }
  return null;
}

/** Bytes, for a key and a value of up to 16 kB. */
const MAX_ROW_HEADER = 7;

/** Private keys in DER form anywhere in the bytes. They contain all that a record of a plain key has. */
export function looseKeys(file: FileBytes): Uint8Array[] {
  const found: Uint8Array[] = [];
  const keep = copierOf(file);
  for (const { bytes, from, to } of piecesToSearch(file, derForms.uncompressed.size)) {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const { start, size, publicKey, parameters } of readableDerForms) {
      // The bit string of the public key.
      const bitString = parameters.subarray(-5);
      for (let at = buffer.indexOf(start, from); at >= 0 && at < to; ) {
        const der = bytes.subarray(at, at + size);
        const isForm =
          der.length === size && equalBytes(der.subarray(publicKey - bitString.length, publicKey), bitString);
        if (isForm) found.push(keep(der));
        at = buffer.indexOf(start, at + (isForm ? size : 1));
      }
    }
  }
  return found;
}

const MAX_TYPE_LENGTH = 32;
/** Longer values are not on the page of their key. */
const MAX_VALUE_LENGTH = 0x4000;
/** Bytes of a key with the value next to it, each after a length of two bytes. */
const MAX_RECORD_LENGTH = 2 * 0x10010;
/** Bounds the search for values: steps for each scanned byte. */
const STEPS = 16;

/** The keys and values in a page's list of items, as far as the list is readable. */
function recordsOnPage(page: Uint8Array, { little, headerSize }: PageFormat): RawRecord[] {
  if (page.length < headerSize) return [];
  const view = createView(page);
  const entries = Math.min(
    view.getUint16(PAGE_HEADER_OFFSETS.entries, little),
    Math.floor((page.length - headerSize) / 2),
  );
  const itemAt = (index: number): Uint8Array | null => {
    const at = view.getUint16(headerSize + 2 * index, little);
    if (at < headerSize || at + 3 > page.length || view.getUint8(at + 2) !== ITEM_DATA) return null;
    // A value that is cut off may have a whole private key.
    return page.subarray(at + 3, at + 3 + view.getUint16(at, little));
  };
  const found: RawRecord[] = [];
  let left = page.length;
  for (let index = 0; index + 1 < entries; index += 2) {
    const key = itemAt(index);
    const value = itemAt(index + 1);
    if (!key || !value || typeOf(key, 0) === null) continue;
    // A hostile list can name the same bytes again and again.
    left -= key.length + value.length;
    if (left < 0) break;
    found.push({ key, value });
  }
  return found;
}

/** The known type that starts at an offset, or null. */
function typeOf(bytes: Uint8Array, at: number): RecordType | null {
  const size = bytes[at] ?? 0;
  if (size < 2 || size > MAX_TYPE_LENGTH) return null;
  const first = bytes[at + 1] ?? 0;
  // Types start with a small letter. This check rejects most bytes.
  if (first < 0x61 || first > 0x7a || at + 1 + size > bytes.length) return null;
  const name = String.fromCharCode(...bytes.subarray(at + 1, at + 1 + size));
  return isRecordType(name) ? name : null;
}

class Scanner {
  private readonly view: DataView;
  private steps: number;

  constructor(private readonly bytes: Uint8Array) {
    this.view = createView(bytes);
    this.steps = STEPS * bytes.length;
  }

  typeAt(at: number): RecordType | null {
    return this.view.getUint8(at - 1) === ITEM_DATA ? typeOf(this.bytes, at) : null;
  }

  /** The record whose key starts at an offset; null if no value next to it fits. */
  recordAt(at: number, little: boolean): RawRecord | null {
    const key = this.item(at - 3, little);
    const name = key && typeOf(key, 0);
    if (!key || !name) return null;
    for (const value of this.valuesBeside(at - 3, key.length, little))
      if (recordOf(name, { key, value })) return { key, value };
    return null;
  }

  private *valuesBeside(start: number, size: number, little: boolean): Generator<Uint8Array> {
    for (let before = start - 4; before >= 0 && before >= start - MAX_VALUE_LENGTH; before -= 4) {
      this.steps -= 1;
      if (this.steps < 0) return;
      const value = this.view.getUint8(before + 2) === ITEM_DATA ? this.item(before, little) : null;
      if (value && aligned(3 + value.length) === start - before) {
        yield value;
        break;
      }
    }
    const after = this.item(start + aligned(3 + size), little);
    if (after) yield after;
  }

  private item(at: number, little: boolean): Uint8Array | null {
    if (at < 0 || at + 3 > this.bytes.length || this.view.getUint8(at + 2) !== ITEM_DATA) return null;
    const end = at + 3 + this.view.getUint16(at, little);
    return end <= this.bytes.length ? this.bytes.subarray(at + 3, end) : null;
  }
}
