/** Logs of Berkeley DB made for tests, record by record. Layout: as `logRecords.ts` reads it. */
import { concatBytes } from '@noble/hashes/utils.js';
import { berkeleyHash } from '../rescue/berkeleyHash.ts';

export interface MadeRecord {
  type: number;
  transaction: number;
  fields: Uint8Array;
}

export interface LogMaker {
  uint32(...values: number[]): Uint8Array;
  /** Bytes after their number. */
  bytes(value: Uint8Array): Uint8Array;
  /** Writes a record; gives its place as the fields of others have it. */
  add(type: number, transaction: number, ...fields: Uint8Array[]): Uint8Array;
  file(): { name: string; bytes: Uint8Array };
  /** Where its last record starts, which the log file after it names. */
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
