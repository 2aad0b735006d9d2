/** The files beside a wallet from which the app completes it: SQLite's journals and Berkeley DB's logs. */
import { berkeleyHash } from '../../electron/recovery/logReplay/logRecords.ts';

export type CompanionKind = 'journal' | 'wal' | 'log';

export interface Companion {
  readonly kind: CompanionKind;
  readonly bytes: Uint8Array;
}

/**
 * A copy with right checksums, so that a reader does not stop at the first changed byte. Leaves what it cannot follow. Reads
 * logs in little-endian order, as all wallets of computers of today have them.
 */
export function withChecksums({ kind, bytes }: Companion): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const view = new DataView(copy.buffer);
  if (kind === 'log') sealLog(copy, view);
  else if (copy.length >= 32 && kind === 'wal') sealWal(view);
  else if (copy.length >= 32) sealJournal(copy, view);
  return copy;
}

/** The records of a log file, from its header on, with their whole lengths in bytes. Ends before one that is incomplete. */
export function recordsOfLog(bytes: Uint8Array): { at: number; length: number }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const records: { at: number; length: number }[] = [];
  for (let at = 0; at + RECORD_HEADER <= bytes.length; ) {
    const length = view.getUint32(at + 4, true);
    if (length < RECORD_HEADER || at + length > bytes.length) break;
    records.push({ at, length });
    at += length;
  }
  return records;
}

const RECORD_HEADER = 12;

function sealLog(bytes: Uint8Array, view: DataView): void {
  for (const { at, length } of recordsOfLog(bytes)) {
    const content = bytes.subarray(at + RECORD_HEADER, at + length);
    const head = view.getUint32(at, true) ^ view.getUint32(at + 4, true);
    view.setUint32(at + 8, berkeleyHash(content) ^ head, true);
  }
}

/** "Rollback journal" of SQLite's file format: every 200th byte from the end of a page counts. */
function sealJournal(bytes: Uint8Array, view: DataView): void {
  const [nonce, sector, pageSize] = [view.getUint32(12), view.getUint32(20), view.getUint32(24)];
  if (pageSize < 512 || sector === 0) return;
  for (let at = sector; at + pageSize + 8 <= bytes.length; at += pageSize + 8) {
    let sum = nonce;
    for (let place = pageSize - 200; place > 0; place -= 200) sum += bytes[at + 4 + place] ?? 0;
    view.setUint32(at + 4 + pageSize, sum >>> 0);
  }
}

/** "WAL file format" of SQLite's file format: each sum continues the one before it. */
function sealWal(view: DataView): void {
  const isLittle = view.getUint32(0) % 2 === 0;
  const pageSize = view.getUint32(8);
  let sum: readonly [number, number] = [0, 0];
  const add = (start: number, length: number) => {
    let [first, second] = sum;
    for (let at = start; at + 8 <= start + length; at += 8) {
      first = (first + view.getUint32(at, isLittle) + second) >>> 0;
      second = (second + view.getUint32(at + 4, isLittle) + first) >>> 0;
    }
    sum = [first, second];
  };
  const write = (at: number) => sum.forEach((word, index) => void view.setUint32(at + 4 * index, word));
  add(0, 24);
  write(24);
  if (pageSize < 512) return;
  for (let at = 32; at + 24 + pageSize <= view.byteLength; at += 24 + pageSize) {
    add(at, 8);
    add(at + 24, pageSize);
    write(at + 16);
  }
}
