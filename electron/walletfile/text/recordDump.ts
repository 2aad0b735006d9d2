/**
 * Reads the records of a wallet's database that a program wrote as text: `bitcoin-wallet dump` (`DumpWallet` in `dump.cpp`), `db_dump` of
 * Berkeley DB, with printable bytes or not, and `.dump` or `.recover` of SQLite.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { orNull } from '../bytes/once.ts';
import { fromLatin1 } from '../bytes/textCoding.ts';
import type { RawRecord } from '../database/rawRecord.ts';

export interface RecordDump {
  readonly records: RawRecord[];
  readonly isSqlite: boolean;
  /** Number of damaged lines. */
  readonly unread: number;
}

/** How such a text starts. A record's key starts with the length of its type, such as 3, and the type, such as `key`. */
export const RECORD_DUMP =
  /^BITCOIN_CORE_WALLET_DUMP,|^HEADER=END\r?\n (?:\\?(?:0[2-9a-f]|1[0-9a-f])(?:(?:[67][0-9a-f]){2}|[a-z]{2}))|^INSERT .*\bX'(?:0[2-9a-f]|1[0-9a-f])(?:[67][0-9a-f]){2}[0-9a-f]*',\s*X'/im;

/** Null for any other text. */
export function readRecordDump(text: string): RecordDump | null {
  const start = text.search(RECORD_DUMP);
  if (start < 0) return null;
  const dump = text.slice(start);
  if (dump.startsWith('BITCOIN')) return readWalletDump(dump);
  return dump.startsWith('HEADER') ? readBerkeleyDump(dump, /^format=print\b/m.test(text)) : readSql(dump);
}

function readWalletDump(text: string): RecordDump {
  const pairs = text
    .split(/\r?\n/)
    .map((line) => line.split(','))
    .filter(([key = '']) => key !== '' && !HEADS.has(key));
  const { records, unread } = readPairs(pairs, hexToBytes);
  const isWhole = unread > 0 || isWholeDump(text);
  return { records, isSqlite: /^format,sqlite\r?$/m.test(text), unread: isWhole ? unread : 1 };
}

const HEADS: ReadonlySet<string> = new Set(['BITCOIN_CORE_WALLET_DUMP', 'format', 'checksum']);

/** Whether the dump ends with its checksum, which is of lower-case digits. */
function isWholeDump(text: string): boolean {
  const written = text.replaceAll('\r', '').replace(/^[0-9a-f]+,[0-9a-f]*$/gim, (line) => line.toLowerCase());
  const end = written.indexOf('\nchecksum,') + 1;
  const checksum = bytesToHex(sha256(sha256(utf8ToBytes(written.slice(0, end)))));
  return end > 0 && written.slice(end).trim().toLowerCase() === `checksum,${checksum}`;
}

/** Each key and each value is on a line that starts with a space. */
function readBerkeleyDump(text: string, isPrintable: boolean): RecordDump {
  const lines = text.split(/\r?\n/);
  const items = lines.filter((line) => line.startsWith(' ')).map((line) => line.slice(1));
  const pairs = items.flatMap((key, at) => (at % 2 === 0 ? [[key, items[at + 1] ?? 'cut']] : []));
  const { records, unread } = readPairs(pairs, isPrintable ? printedBytes : hexToBytes);
  return { records, isSqlite: false, unread: unread + (lines.includes('DATA=END') ? 0 : 1) };
}

/** Bytes that cannot be printed are a backslash and two digits. A backslash is two. */
function printedBytes(text: string): Uint8Array {
  return fromLatin1(
    text.replace(/\\(\\|[0-9a-f]{2})/g, (_, code: string) =>
      code === '\\' ? code : String.fromCharCode(Number.parseInt(code, 16)),
    ),
  );
}

/** Rows that `.recover` finds without their table have other columns before the key. */
function readSql(text: string): RecordDump {
  const rows = text.split(/\r?\n/).filter((line) => line.startsWith('INSERT'));
  const pairs = rows.flatMap((row) => {
    const [, key, value] = /\bX'([^']*)',\s*X'([^']*)'/i.exec(row) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value]];
  });
  const { records, unread } = readPairs(pairs, hexToBytes);
  return { records, isSqlite: true, unread: unread + (/^COMMIT;/m.test(text) ? 0 : 1) };
}

function readPairs(pairs: readonly (readonly string[])[], read: (text: string) => Uint8Array) {
  const records = pairs.map(([key = '', value = '']) =>
    orNull(() => ({ key: read(key), value: read(value) })),
  );
  const found = records.filter((record) => record !== null);
  return { records: found, unread: records.length - found.length };
}
