/** Parts of one wallet's file in another's, as damage and a node that has several wallets open leave them. */
import type { RawRecord } from '../database/rawRecord.ts';

const PAGE = 4096;
const LEAF = 5;
const HEADER = 26;

/** The leaf pages of a file of Berkeley DB that hold all of one text and none of another. */
export function leavesWith(file: Uint8Array, text: string, without?: string): Uint8Array[] {
  const has = (page: Uint8Array, part: string) => Buffer.from(page).includes(Buffer.from(part, 'latin1'));
  return pagesOf(file).filter(
    (page) => page[25] === LEAF && has(page, text) && (without === undefined || !has(page, without)),
  );
}

function pagesOf(file: Uint8Array): Uint8Array[] {
  return Array.from({ length: file.length / PAGE }, (_, at) => file.slice(at * PAGE, (at + 1) * PAGE));
}

/** With pages at its end that no tree reaches. `numbered`: they say that they are of this place. */
export function withPages(file: Uint8Array, pages: readonly Uint8Array[], numbered = true): Uint8Array {
  const all = Buffer.concat([file, ...pages]);
  for (let start = file.length; numbered && start < all.length; start += PAGE) {
    all.writeUInt32LE(start / PAGE, start + 8);
    all.writeUInt32LE(0, start + 12);
    all.writeUInt32LE(0, start + 16);
  }
  return new Uint8Array(all);
}

/** With copies of records in the free room of its leaf pages. Throws where there is not enough. */
export function withOldCopies(file: Uint8Array, records: readonly RawRecord[]): Uint8Array {
  const bytes = Buffer.from(file);
  const left = [...records];
  for (let start = 0; start < bytes.length && left.length > 0; start += PAGE) {
    if (bytes[start + 25] !== LEAF) continue;
    const end = start + bytes.readUInt16LE(start + 22);
    let at = start + HEADER + 2 * bytes.readUInt16LE(start + 20);
    at += -at & 3;
    for (let record = left[0]; record && at + roomFor(record) <= end; record = left[0]) {
      // A page is filled from its end: the value comes before its key.
      for (const part of [record.value, record.key]) {
        bytes.writeUInt16LE(part.length, at);
        bytes[at + 2] = 1;
        bytes.set(part, at + 3);
        at += itemSize(part);
      }
      left.shift();
    }
  }
  if (left.length > 0) throw new Error('too little free room');
  return new Uint8Array(bytes);
}

function roomFor({ key, value }: RawRecord): number {
  return itemSize(key) + itemSize(value);
}

function itemSize(part: Uint8Array): number {
  return (3 + part.length + 3) & ~3;
}
