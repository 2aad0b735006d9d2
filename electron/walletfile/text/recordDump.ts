/**
 * Reads the records of a wallet's database that a program wrote as text: `bitcoin-wallet dump` (`DumpWallet` in `dump.cpp`), `db_dump` of
 * Berkeley DB, with printable bytes or not, and `.dump` or `.recover` of SQLite.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { orNull } from '../bytes/once.ts';
import { fromLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { isRecordType, typeIn } from '../records/records.ts';

export interface RecordDump {
  readonly records: RawRecord[];
  readonly isSqlite: boolean;
  /** Number of damaged lines. */
  readonly unread: number;
}

/** How such a text starts. A record's key starts with the length of its type, such as 3, and the type, such as `key`. */
export const RECORD_DUMP =
  /^BITCOIN_CORE_WALLET_DUMP,|^HEADER=END\r?\n(?: .*\r?\n){0,9}? (?:\\?(?:0[2-9a-f]|1[0-9a-f])(?:(?:[67][0-9a-f]){2}|[a-z]{2}))|^INSERT .*\bX'(?:0[2-9a-f]|1[0-9a-f])(?:[67][0-9a-f]){2}[0-9a-f\r\n]*',\s*X'/im;

/** Null for any other text. */
export function readRecordDump(text: string): RecordDump | null {
  const start = text.search(RECORD_DUMP);
  if (start < 0) return null;
  const dump = text.slice(start);
  if (/^BITCOIN/i.test(dump)) return readWalletDump(dump);
  return /^HEADER/i.test(dump) ? readBerkeleyDump(dump, /^format=print\b/im.test(text)) : readSql(text);
}

function readWalletDump(text: string): RecordDump {
  const pairs = text
    .split(/\r?\n/)
    .map((line) => line.split(','))
    .filter(([key = '']) => key !== '' && !HEADS.has(key.toLowerCase()));
  const { records, unread } = readPairs(pairs);
  const isWhole = unread > 0 || isWholeDump(text);
  return { records, isSqlite: /^format,sqlite\r?$/m.test(text), unread: isWhole ? unread : 1 };
}

const HEADS: ReadonlySet<string> = new Set(['bitcoin_core_wallet_dump', 'format', 'checksum']);

/** Whether the dump ends with its checksum, which is of lower-case digits. */
function isWholeDump(text: string): boolean {
  const written = text.replaceAll('\r', '').replace(/^[0-9a-f]+,[0-9a-f]*$/gim, (line) => line.toLowerCase());
  const end = written.indexOf('\nchecksum,') + 1;
  const checksum = bytesToHex(sha256(sha256(utf8ToBytes(written.slice(0, end)))));
  return end > 0 && written.slice(end).trim().toLowerCase() === `checksum,${checksum}`;
}

/** Each key and each value is on a line that starts with a space. If one is lost, the next key shows how the others belong together. */
function readBerkeleyDump(text: string, isPrintable: boolean): RecordDump {
  const lines = text.split(/\r?\n/);
  const items = lines.flatMap((line) =>
    line.startsWith(' ') ? [orNull(() => (isPrintable ? printedBytes : hexToBytes)(line.slice(1)))] : [],
  );
  const records: RawRecord[] = [];
  let unread = lines.some((line) => /^DATA=END/i.test(line)) ? 0 : 1;
  for (let at = 0; at < items.length; at += 1) {
    const [key = null, value, next] = items.slice(at, at + 3);
    const isPair = value !== undefined && mayBeKey(key) && (!isKey(value) || isLabel(key, value, next));
    if (isPair) at += 1;
    if (isPair && key && value) records.push({ key, value });
    else unread += 1;
  }
  return { records, isSqlite: false, unread };
}

/** Whether it starts with a length and as many letters. */
function isKey(item: Uint8Array | null): boolean {
  return item !== null && (item[0] ?? 0) > 1 && (item[0] ?? 0) < item.length && /^\w+$/.test(typeIn(item));
}

/** A damaged line may be a key. */
function mayBeKey(item: Uint8Array | null): boolean {
  return item === null || isKey(item);
}

/** Whether a text, such as “rent”, is the value of a key, and no key that lost its value. */
function isLabel(key: Uint8Array | null, value: Uint8Array | null, next: Uint8Array | null = null): boolean {
  const hasText = key !== null && /^(?:name|purpose|destdata)$/.test(typeIn(key));
  const isText = value !== null && value.length === 1 + (value[0] ?? 0);
  return hasText && isText && (mayBeKey(next) || !isRecordType(typeIn(value)));
}

/** Bytes that cannot be printed are a backslash and two digits. A backslash is two. */
function printedBytes(text: string): Uint8Array {
  return fromLatin1(
    text.replace(/\\(\\|[0-9a-f]{2})/g, (_, code: string) =>
      code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
}

/** Rows that `.recover` finds without their table have other columns before the key. A mail may wrap rows. */
function readSql(text: string): RecordDump {
  const rows = text.split(/^(?=INSERT\b)/im).slice(text.search(/^INSERT\b/im) > 0 ? 1 : 0);
  const pairs = rows.flatMap((row) => {
    const blobs = /\bX'([^']*)',\s*X'([^']*)'/i.exec(row.replace(/\r?\n/g, ''));
    return blobs || !WHOLE_ROW.test(row) ? [blobs?.slice(1) ?? ['damaged']] : [];
  });
  const { records, unread } = readPairs(pairs);
  return { records, isSqlite: true, unread: unread + (/^COMMIT;/im.test(text) ? 0 : 1) };
}

/** Without two blobs side by side it is of an index, which `.recover` also finds. */
const WHOLE_ROW = /\bVALUES\s*\((?:\s*(?:[-+.\w]+|X?'[^']*(?:''[^']*)*')\s*[,)])+;/i;

/** Keys and values in hex. */
function readPairs(pairs: readonly (readonly string[])[]) {
  const records = pairs.map(([key = '', value = '']) =>
    orNull(() => ({ key: hexToBytes(key), value: hexToBytes(value) })),
  );
  const found = records.filter((record) => record !== null);
  return { records: found, unread: records.length - found.length };
}
