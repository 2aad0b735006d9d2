/** Bitcoin transactions, with and without witnesses (BIP 144), read and written without loss. */
import { MAX_SATOSHI } from '../../../shared/model/money.ts';
import { quickHash256 } from '../bytes/quickHash.ts';
import {
  type ByteReader,
  type ByteWriter,
  bytesWithSize,
  type Coder,
  encode,
  hash,
  int64,
  list,
  struct,
  uint32,
} from '../bytes/serialization.ts';

export interface TransactionInput {
  /** Id of the spent transaction, in displayed form. All zeros in a coinbase. */
  txid: string;
  /** Number of the spent output; 0xffffffff in a coinbase. */
  index: number;
  scriptSig: Uint8Array;
  sequence: number;
  /** Empty without a witness. */
  witness: Uint8Array[];
}

interface TransactionOutput {
  /** Satoshi. */
  value: bigint;
  scriptPubKey: Uint8Array;
}

export interface Transaction {
  version: number;
  inputs: TransactionInput[];
  outputs: TransactionOutput[];
  lockTime: number;
}

/** A lower lock time is a height, others are Unix seconds (`LOCKTIME_THRESHOLD` in `script.h`). */
export const FIRST_TIME = 500_000_000;

const inputs: Coder<Omit<TransactionInput, 'witness'>[]> = list(
  struct({ txid: hash, index: uint32, scriptSig: bytesWithSize, sequence: uint32 }),
);
const outputs: Coder<TransactionOutput[]> = list(struct({ value: int64, scriptPubKey: bytesWithSize }));
const witness = list(bytesWithSize);

/**
 * Reads a transaction, and passes its outputs on instead of keeping them: a large one has thousands. Throws RangeError for invalid
 * bytes.
 */
export function readTransaction(
  from: ByteReader,
  eachOutput: (output: TransactionOutput, index: number) => void,
) {
  const version = from.uint32();
  const versionBytes = from.latest(4);
  let left = from.left;
  let inputCount = from.size();
  // Zero inputs are the marker of BIP 144. If the next byte is 0, it counts outputs instead of being the flag.
  const flag = inputCount === 0 ? from.byte() : 0;
  if (flag > 1) throw new RangeError('unknown kind of transaction');
  if (flag === 1) {
    left = from.left;
    inputCount = from.size();
  }
  const spent: TransactionInput[] = [];
  for (let at = 0; at < inputCount; at += 1) spent.push(readInput(from));
  const outputCount = flag === 1 || inputCount > 0 ? from.size() : 0;
  for (let index = 0; index < outputCount; index += 1)
    eachOutput({ value: int64.read(from, {}), scriptPubKey: from.take(from.size()) }, index);
  const body = from.latest(left - from.left);
  if (flag === 1) for (const input of spent) input.witness = witness.read(from, {});
  if (flag === 1 && spent.every((input) => input.witness.length === 0)) throw new RangeError('no witness');
  const lockTime = from.uint32();
  /** The bytes that the id covers: all but the witnesses. */
  const identified = [versionBytes, body, from.latest(4)] as const;
  return { version, inputs: spent, lockTime, identified };
}

function readInput(from: ByteReader): TransactionInput {
  const txid = hash.read(from, {});
  const index = from.uint32();
  const scriptSig = from.take(from.size());
  return { txid, index, scriptSig, sequence: from.uint32(), witness: [] };
}

/** The bytes of a transaction, with its witnesses. */
export const transaction: Coder<Transaction> = {
  read(from) {
    const paid: TransactionOutput[] = [];
    const { version, inputs, lockTime } = readTransaction(from, (output) => paid.push(output));
    return { version, inputs, outputs: paid, lockTime };
  },
  write(to, value) {
    const withWitnesses = value.inputs.some((input) => input.witness.length > 0);
    write(to, value, withWitnesses);
  },
};

/** The id of a transaction in displayed form: the double SHA-256 of its bytes without witnesses. */
export function transactionId(value: Transaction): string {
  return idOf(encode(withoutWitnesses, value));
}

/** The same of bytes, as `readTransaction` returns them. */
export function idOfBytes(identified: readonly Uint8Array[]): string {
  return idOf(Buffer.concat(identified));
}

/** The id that covers witnesses too (BIP 141): the double SHA-256 of all of its bytes. */
export function witnessTransactionId(value: Transaction): string {
  return idOf(encode(transaction, value));
}

/** Whether no output is negative, and all together pay at most 21 million bitcoin (`MoneyRange`). */
export function hasPossibleAmounts({ outputs }: Transaction): boolean {
  let paid = 0n;
  for (const { value } of outputs) {
    if (value < 0n) return false;
    paid += value;
  }
  return paid <= MAX_SATOSHI;
}

/** Whether a transaction creates a block's reward. */
export function isCoinbase(value: Transaction): boolean {
  const [only] = value.inputs;
  return value.inputs.length === 1 && only?.index === 0xffffffff && /^0{64}$/.test(only.txid);
}

const withoutWitnesses: Coder<Transaction> = {
  read: transaction.read,
  write: (to, value) => write(to, value, false),
};

function write(to: ByteWriter, value: Transaction, withWitnesses: boolean): void {
  // A reader would mistake these bytes for the marker of BIP 144.
  if (value.inputs.length === 0 && value.outputs.length > 0) throw new RangeError('outputs without an input');
  to.uint(value.version, 4);
  if (withWitnesses) to.bytes(MARKER_AND_FLAG);
  inputs.write(to, value.inputs, {});
  outputs.write(to, value.outputs, {});
  if (withWitnesses) for (const input of value.inputs) witness.write(to, input.witness, {});
  to.uint(value.lockTime, 4);
}

const MARKER_AND_FLAG = Uint8Array.of(0, 1);

function idOf(bytes: Uint8Array): string {
  return Buffer.from(quickHash256(bytes), 'binary').reverse().toString('hex');
}
