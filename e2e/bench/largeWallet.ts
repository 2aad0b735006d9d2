/** Writes a legacy wallet of any size: some keys, and transactions of 50 kB that lie on overflow pages in the order of their time. */
import { createHash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { makeStoredKey } from '../../electron/walletfile/keys/privateKey.ts';
import { writeRecord } from '../../electron/walletfile/records/records.ts';
import { hash160 } from '../../electron/walletfile/script/script.ts';
import { inOrder } from '../../electron/walletfile/testing/sampleWallet.ts';

const PAGE = 4096;
const HEADER = 26;
/** Bytes of a long value on one page. */
const PART = PAGE - HEADER;
/** An item of 12 bytes, the size of a reference to a long value. */
const PLACEHOLDER = 9;

/** Every second transaction pays the wallet from 340 foreign coins, and the next one spends that in 1,470 payments. */
export function writeLargeWallet(
  path: string,
  { transactions, keys }: { transactions: number; keys: number },
): void {
  const own = Array.from({ length: keys }, (_, number) =>
    makeStoredKey({ privateKey: sha256(Buffer.from(`key ${number}`)), compressed: true }),
  );
  const scripts = own.map(({ publicKey }) =>
    Buffer.concat([Buffer.from('76a914', 'hex'), hash160(publicKey), Buffer.from('88ac', 'hex')]),
  );
  const transactionAt = (number: number, ids: readonly Buffer[]) =>
    number % 2 === 0
      ? received(number, scripts[number % keys] ?? Buffer.alloc(0))
      : spent(number, ids[number - 1] ?? Buffer.alloc(32), scripts[(7 * number) % keys] ?? Buffer.alloc(0));
  const ids: Buffer[] = [];
  const lengths: number[] = [];
  for (let number = 0; number < transactions; number += 1) {
    const bytes = transactionAt(number, ids);
    ids.push(sha256(sha256(bytes)));
    lengths.push(bytes.length + tailOf(number).length);
  }
  const records: RawRecord[] = [
    writeRecord({ type: 'version', version: 210000 }),
    writeRecord({ type: 'minversion', version: 60000 }),
    writeRecord({ type: 'bestblock', version: 210000, blockHashes: [] }),
    ...own.map((key) => writeRecord({ type: 'key', ...key })),
    ...ids.map((id, number) => ({ key: keyOf(id), value: placeholder(number) })),
  ];
  const file = writeBerkeley(inOrder(records));
  const firsts: number[] = [];
  let next = file.length / PAGE;
  for (const length of lengths) {
    firsts.push(next);
    next += Math.ceil(length / PART);
  }
  const view = new DataView(file.buffer, file.byteOffset);
  for (const { key, value } of readBerkeley(file).records) {
    if (key[1] !== 0x74 || key[2] !== 0x78) continue;
    const number = new DataView(value.buffer, value.byteOffset).getUint32(0);
    const item = value.byteOffset - file.byteOffset - 3;
    view.setUint8(item + 2, 3);
    view.setUint32(item + 4, firsts[number] ?? 0, true);
    view.setUint32(item + 8, lengths[number] ?? 0, true);
  }
  view.setUint32(32, next - 1, true);
  const to = openSync(path, 'wx');
  writeSync(to, file);
  for (let number = 0; number < transactions; number += 1)
    writeSync(to, pagesOf(Buffer.concat([transactionAt(number, ids), tailOf(number)]), firsts[number] ?? 0));
  closeSync(to);
}

function keyOf(id: Buffer): Uint8Array {
  return Uint8Array.from(Buffer.concat([Buffer.from('\x02tx'), id]));
}

function placeholder(number: number): Uint8Array {
  const bytes = Buffer.alloc(PLACEHOLDER);
  bytes.writeUint32BE(number);
  return Uint8Array.from(bytes);
}

function pagesOf(value: Buffer, first: number): Buffer {
  const count = Math.ceil(value.length / PART);
  const pages = Buffer.alloc(count * PAGE);
  for (let page = 0; page < count; page += 1) {
    const at = page * PAGE;
    const part = value.subarray(page * PART, (page + 1) * PART);
    pages.writeUint32LE(1, at + 4);
    pages.writeUint32LE(first + page, at + 8);
    pages.writeUint32LE(page === 0 ? 0 : first + page - 1, at + 12);
    pages.writeUint32LE(page === count - 1 ? 0 : first + page + 1, at + 16);
    pages.writeUint16LE(1, at + 20);
    pages.writeUint16LE(part.length, at + 22);
    pages[at + 25] = 7;
    part.copy(pages, at + HEADER);
  }
  return pages;
}

/** What follows the transaction in its record (`CWalletTx`). */
function tailOf(number: number): Buffer {
  const time = 1_600_000_000 + number;
  const texts = { n: String(number), timesmart: String(time) };
  const named = Object.entries(texts).flatMap(([name, text]) => [sized(name), sized(text)]);
  const block = sha256(Buffer.from(`block ${Math.floor(number / 10)}`)).fill(0, 28);
  const head = Buffer.alloc(6);
  const end = Buffer.alloc(10);
  end.writeUint32LE(1);
  end.writeUint32LE(time, 4);
  return Buffer.concat([block, head, Buffer.of(2), ...named, Buffer.of(0), end]);
}

function sized(text: string): Buffer {
  return Buffer.concat([Buffer.of(text.length), Buffer.from(text)]);
}

function received(number: number, script: Buffer): Buffer {
  const inputs = Buffer.alloc(FOREIGN.inputs.length, FOREIGN.inputs);
  inputs.writeUint32LE(number, 4);
  return Buffer.concat([
    VERSION,
    Buffer.of(0xfd, 340 & 0xff, 340 >> 8),
    inputs,
    Buffer.of(1),
    output(150_000_000n, script),
    LOCK_TIME,
  ]);
}

function spent(number: number, id: Buffer, script: Buffer): Buffer {
  const input = Buffer.concat([
    id,
    Buffer.alloc(4),
    Buffer.of(107),
    Buffer.alloc(107, 1),
    Buffer.alloc(4, 0xff),
  ]);
  const outputs = Buffer.from(FOREIGN.outputs);
  outputs.writeUint32LE(number, 20);
  const count = 1471;
  return Buffer.concat([
    ...[VERSION, Buffer.of(1), input, Buffer.of(0xfd, count & 0xff, count >> 8)],
    ...[outputs, output(1_000_000n, script), LOCK_TIME],
  ]);
}

const VERSION = Buffer.of(2, 0, 0, 0);
const LOCK_TIME = Buffer.alloc(4);

function output(value: bigint, script: Uint8Array): Buffer {
  const head = Buffer.alloc(9);
  head.writeBigInt64LE(value);
  head[8] = script.length;
  return Buffer.concat([head, script]);
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}

const FOREIGN = {
  inputs: Buffer.concat(
    Array.from({ length: 340 }, (_, place) =>
      Buffer.concat([
        sha256(Buffer.of(place >> 8, place)),
        Buffer.alloc(4),
        Buffer.of(107),
        Buffer.alloc(107, 2),
        Buffer.alloc(4, 0xff),
      ]),
    ),
  ),
  outputs: Buffer.concat(
    Array.from({ length: 1470 }, (_, place) =>
      output(
        100_000n,
        Buffer.concat([
          Buffer.from('76a914', 'hex'),
          sha256(Buffer.of(1, place >> 8, place)).subarray(0, 20),
          Buffer.from('88ac', 'hex'),
        ]),
      ),
    ),
  ),
};
