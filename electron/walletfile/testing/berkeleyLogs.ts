/** Makes logs of Berkeley DB for tests, record by record. `logRecords.ts` describes their layout. */
import { concatBytes } from '@noble/hashes/utils.js';
import { berkeleyHash } from '../../recovery/logReplay/logRecords.ts';
import { readBerkeley } from '../database/berkeley.ts';

export interface LogMaker {
  uint32(...values: number[]): Uint8Array;
  /** Bytes after their length. */
  bytes(value: Uint8Array): Uint8Array;
  /** Writes a record. Returns its position in the form that other records refer to. */
  add(type: number, transaction: number, ...fields: Uint8Array[]): Uint8Array;
  file(): { name: string; bytes: Uint8Array };
  /** Where the last record starts. The next log file refers to it. */
  end(): number;
}

export function logMaker({
  little = true,
  version = 19,
  checksums = true,
  number = 1,
  previousEnd = 0,
} = {}): LogMaker {
  const uint32 = (...values: number[]) => {
    const view = new DataView(new ArrayBuffer(4 * values.length));
    for (const [at, value] of values.entries()) view.setUint32(4 * at, value >>> 0, little);
    return new Uint8Array(view.buffer);
  };
  const none = uint32(0, 0);
  const parts: Uint8Array[] = [];
  const last = new Map<number, Uint8Array>();
  let at = 0;
  let before = previousEnd;
  const write = (content: Uint8Array) => {
    const length = 12 + content.length;
    const sum = checksums ? berkeleyHash(content) ^ before ^ length : 0;
    parts.push(uint32(before, length, sum), content);
    before = at;
    at += length;
  };
  write(uint32(0x040988, version, 0x100000, 0));
  return {
    uint32,
    bytes: (value) => concatBytes(uint32(value.length), value),
    add(type, transaction, ...fields) {
      const place = uint32(number, at);
      write(concatBytes(uint32(type, transaction), last.get(transaction) ?? none, ...fields));
      if (transaction !== 0) last.set(transaction, place);
      return place;
    },
    file: () => ({ name: `log.${String(number).padStart(10, '0')}`, bytes: concatBytes(...parts) }),
    end: () => before,
  };
}

/**
 * A wallet that was not closed: one committed record is not in its file yet, only in the log, after a checkpoint.
 * `number`: the number of the log's only file.
 */
export function unclosedWallet(
  whole: Uint8Array,
  number = 1,
): { bytes: Uint8Array; log: ReturnType<LogMaker['file']> } {
  const bytes = whole.slice();
  const { byteOrder, pageSize } = readBerkeley(bytes).format;
  const little = byteOrder === 'little';
  const view = new DataView(bytes.buffer);
  const log = logMaker({ little, number });
  const name = new TextEncoder().encode('wallet.dat\0');
  const opened = log.add(
    2,
    0,
    log.uint32(3),
    log.bytes(name),
    log.bytes(bytes.slice(52, 72)),
    log.uint32(0, 1, 2, 0),
  );
  log.add(11, 0, opened);
  for (let page = 3; ; page += 1) {
    const start = page * pageSize;
    const entries = view.getUint16(start + 20, little);
    const room = view.getUint16(start + 22, little) - HEADER - 2 * entries;
    if (view.getUint8(start + 25) !== LEAF || entries < 4) continue;
    const items = [entries - 3, entries - 2, entries - 1].map((index) => {
      const at = start + view.getUint16(start + HEADER + 2 * index, little);
      return { index, at, data: bytes.slice(at + 3, at + 3 + view.getUint16(at, little)) };
    });
    if (items.reduce((sum, { data }) => sum + data.length + 8, 0) > room) continue;
    view.setUint16(start + 20, entries - 2, little);
    let before = log.uint32(0, 1);
    for (const { index, at, data } of items) {
      const isThere = index < entries - 2;
      if (!isThere) bytes.fill(0, at, at + 3 + data.length);
      const size = (data.length + 6) & ~3;
      const place = log.uint32(PUT, 0, page, index, size);
      before = log.add(41, TRANSACTION, place, log.bytes(new Uint8Array()), log.bytes(data), before);
      if (isThere) bytes.set(before, start);
    }
    log.add(10, TRANSACTION, log.uint32(1, 1_700_000_000, 0, 0));
    return { bytes, log: log.file() };
  }
}

const HEADER = 26;
const LEAF = 5;
const PUT = 0x105;
const TRANSACTION = 0x80000001;
