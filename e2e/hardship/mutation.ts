/** The changes of a trial to a wallet file, as plain data that can be printed and repeated. */
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { withChecksum } from '../../electron/walletfile/descriptor/checksum.ts';

/** Offsets are any whole numbers, taken modulo the size, so that edits do not depend on each other. */
export type ByteEdit =
  | { readonly kind: 'flip'; readonly at: number; readonly bit: number }
  | { readonly kind: 'write'; readonly at: number; readonly hex: string }
  | { readonly kind: 'cut'; readonly length: number }
  | { readonly kind: 'grow'; readonly hex: string; readonly times: number }
  | { readonly kind: 'insert'; readonly at: number; readonly hex: string }
  | { readonly kind: 'remove'; readonly at: number; readonly length: number }
  | { readonly kind: 'copy'; readonly from: number; readonly to: number; readonly length: number }
  | { readonly kind: 'swap'; readonly from: number; readonly to: number; readonly length: number };

/** A change of records. The file is then rewritten from them, with undamaged pages. */
export type RecordEdit =
  | {
      readonly kind: 'bytes';
      readonly record: number;
      readonly half: 'key' | 'value';
      readonly edit: ByteEdit;
    }
  | { readonly kind: 'drop'; readonly record: number }
  /** Gives one record the value of another. */
  | { readonly kind: 'cross'; readonly record: number; readonly other: number }
  | { readonly kind: 'add'; readonly type: string; readonly key: string; readonly value: string }
  /** Puts another text with a right checksum into a descriptor's record. `KEY` stands for a key of the old text. */
  | { readonly kind: 'descriptor'; readonly record: number; readonly text: string };

export interface Mutation {
  readonly records: readonly RecordEdit[];
  readonly bytes: readonly ByteEdit[];
}

/** Changes a copy. */
export function editBytes(file: Uint8Array, edits: readonly ByteEdit[]): Uint8Array {
  return edits.reduce((bytes, edit) => edited(bytes, edit), file);
}

function edited(bytes: Uint8Array, edit: ByteEdit): Uint8Array {
  const within = (place: number) => (bytes.length === 0 ? 0 : place % bytes.length);
  switch (edit.kind) {
    case 'flip': {
      const copy = Uint8Array.from(bytes);
      const at = within(edit.at);
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << edit.bit);
      return copy;
    }
    case 'write': {
      const copy = Uint8Array.from(bytes);
      const at = within(edit.at);
      copy.set(Buffer.from(edit.hex, 'hex').subarray(0, copy.length - at), at);
      return copy;
    }
    case 'cut':
      return bytes.slice(0, within(edit.length));
    case 'grow':
      return joined(bytes, ...Array.from({ length: edit.times }, () => Buffer.from(edit.hex, 'hex')));
    case 'insert': {
      const at = within(edit.at);
      return joined(bytes.subarray(0, at), Buffer.from(edit.hex, 'hex'), bytes.subarray(at));
    }
    case 'remove': {
      const at = within(edit.at);
      return joined(bytes.subarray(0, at), bytes.subarray(at + edit.length));
    }
    case 'copy':
    case 'swap': {
      const [from, to] = [within(edit.from), within(edit.to)];
      const length = Math.min(edit.length, bytes.length - from, bytes.length - to);
      const copy = Uint8Array.from(bytes);
      copy.set(bytes.subarray(from, from + length), to);
      if (edit.kind === 'swap') copy.set(bytes.subarray(to, to + length), from);
      return copy;
    }
  }
}

/** Returns new records; the old ones stay unchanged. */
export function editRecords(records: readonly RawRecord[], edits: readonly RecordEdit[]): RawRecord[] {
  return edits.reduce<RawRecord[]>((all, edit) => changed(all, edit), [...records]);
}

function changed(all: RawRecord[], edit: RecordEdit): RawRecord[] {
  if (edit.kind === 'add') {
    const type = Buffer.from(edit.type);
    return [
      ...all,
      {
        key: joined([type.length], type, Buffer.from(edit.key, 'hex')),
        value: joined(Buffer.from(edit.value, 'hex')),
      },
    ];
  }
  const at = all.length === 0 ? 0 : edit.record % all.length;
  const record = all[at];
  if (!record) return all;
  const replaced = ({ key = record.key, value = record.value }: Partial<RawRecord>) =>
    all.with(at, { key, value });
  switch (edit.kind) {
    case 'bytes':
      return replaced({ [edit.half]: edited(record[edit.half], edit.edit) });
    case 'drop':
      return all.toSpliced(at, 1);
    case 'cross':
      return replaced({ value: all[edit.other % all.length]?.value ?? record.value });
    case 'descriptor':
      return withDescriptor(all, edit.record, edit.text);
  }
}

const DESCRIPTOR = Buffer.from('\x10walletdescriptor');

function withDescriptor(all: RawRecord[], number: number, text: string): RawRecord[] {
  const places = all.flatMap(({ key }, at) =>
    Buffer.from(key).subarray(0, DESCRIPTOR.length).equals(DESCRIPTOR) && key.length === 49 ? [at] : [],
  );
  const at = places[number % places.length] ?? -1;
  const record = all[at];
  if (!record) return all;
  const length = record.value[0] === 0xfd ? 3 : 1;
  const size = length === 1 ? (record.value[0] ?? 0) : (record.value[1] ?? 0) + 256 * (record.value[2] ?? 0);
  const old = Buffer.from(record.value.subarray(length, length + size)).toString('latin1');
  const key = /[0-9a-f]{66}|[tx]pub[1-9A-HJ-NP-Za-km-z]+/.exec(old)?.[0] ?? '';
  const written = Buffer.from(checked(text.replaceAll('KEY', key)));
  const head =
    written.length < 0xfd
      ? [written.length]
      : written.length < 0x10000
        ? [0xfd, written.length & 0xff, written.length >> 8]
        : [0xfe, written.length & 0xff, (written.length >> 8) & 0xff, (written.length >> 16) & 0xff, 0];
  return all.with(at, {
    key: record.key,
    value: joined(head, written, record.value.subarray(length + size)),
  });
}

function checked(text: string): string {
  try {
    return withChecksum(text);
  } catch {
    return text;
  }
}

function joined(...parts: (Uint8Array | readonly number[])[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
}
