/** Reads all entries of a file as records, those that a wallet has by the thousand the quick way. */
import type { RawRecord } from '../database/rawRecord.ts';
import {
  readDescriptor,
  readDescriptorKey,
  readEncryptedDescriptorKey,
  readEncryptedKey,
  readKey,
  readKeyMetadata,
} from './bulkRecords.ts';
import { type DamagedRecord, type KnownRecord, parseRecord, type UnknownRecord } from './records.ts';
import { recordTypes } from './recordTypes.ts';

/** What a file's entries are: the records of known types, and those that stay bytes. */
export interface ParsedRecords {
  records: KnownRecord[];
  unknown: UnknownRecord[];
  damaged: DamagedRecord[];
}

/**
 * Each kind in the order of the file. The same as `parseRecord` gives one by one, in a third of the time. Never throws.
 */
export function parseRecords(entries: Iterable<RawRecord>): ParsedRecords {
  const parsed: ParsedRecords = { records: [], unknown: [], damaged: [] };
  const asciiAt = asciiReader();
  const typeOf = recordTypes();
  for (const entry of entries) {
    const { key, value } = entry;
    const quick = quickReaders.get(typeOf(key));
    // What the quick way does not read may still be right: the other one decides.
    const record = (quick && tried(quick, entry, asciiAt)) ?? parseRecord(key, value);
    if (record.type === 'unknown') parsed.unknown.push(record);
    else if (record.type === 'damaged') parsed.damaged.push(record);
    else parsed.records.push(record);
  }
  return parsed;
}

/** A short text of printable ASCII that stands after its length and ends the bytes; else null. */
type AsciiReader = (bytes: Uint8Array, start: number) => string | null;
type QuickReader = (entry: RawRecord, asciiAt: AsciiReader) => KnownRecord | null;

const quickReaders: ReadonlyMap<string, QuickReader> = new Map<string, QuickReader>([
  ['key', readKey],
  ['ckey', readEncryptedKey],
  ['keymeta', readKeyMetadata],
  ['name', readName],
  ['purpose', readPurpose],
  ['walletdescriptor', readDescriptor],
  ['walletdescriptorkey', readDescriptorKey],
  ['walletdescriptorckey', readEncryptedDescriptorKey],
]);

/** Null also where the quick way stumbles over bytes that such a record should not have. */
function tried(quick: QuickReader, entry: RawRecord, asciiAt: AsciiReader): KnownRecord | null {
  try {
    return quick(entry, asciiAt);
  } catch {
    return null;
  }
}

function readName({ key, value }: RawRecord, asciiAt: AsciiReader): KnownRecord | null {
  const address = asciiAt(key, 1 + 'name'.length);
  const label = asciiAt(value, 0);
  return address === null || label === null ? null : { type: 'name', address, label };
}

function readPurpose({ key, value }: RawRecord, asciiAt: AsciiReader): KnownRecord | null {
  const address = asciiAt(key, 1 + 'purpose'.length);
  const purpose = asciiAt(value, 0);
  return address === null || purpose === null ? null : { type: 'purpose', address, purpose };
}

/** Up to here a length is one byte. */
const SHORT = 0xfc;
const ASCII = /^[ -~]*$/;

/** Entries are mostly views of one file, so that one Buffer of it does for all of them. */
function asciiReader(): AsciiReader {
  let file: Buffer | null = null;
  return (bytes, start) => {
    const length = bytes[start] ?? 0;
    if (length > SHORT || bytes.length !== start + 1 + length) return null;
    if (file?.buffer !== bytes.buffer) file = Buffer.from(bytes.buffer);
    const from = bytes.byteOffset - file.byteOffset + start + 1;
    const text = file.toString('latin1', from, from + length);
    return ASCII.test(text) ? text : null;
  };
}
