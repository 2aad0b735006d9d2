/** Bitcoin transactions, with and without witnesses (BIP 144), read and written without loss. */
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import * as P from 'micro-packed';
import { bytesWithSize, hash, list } from '../bytes/serialization.ts';

interface TransactionInput {
  /** The transaction whose output is spent, as it is shown. All zeros in a coinbase. */
  txid: string;
  /** Which of its outputs; 0xffffffff in a coinbase. */
  index: number;
  scriptSig: Uint8Array;
  sequence: number;
  /** Empty where there is none. */
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

/** The bytes of a transaction, witnesses included where there are some. */
export const transaction: P.CoderType<Transaction> = P.wrap({
  encodeStream(writer, value: Transaction) {
    P.U32LE.encodeStream(writer, value.version);
    const withWitnesses = value.inputs.some((input) => input.witness.length > 0);
    if (withWitnesses) writer.bytes(MARKER_AND_FLAG);
    writeBody(writer, value);
    if (withWitnesses) for (const input of value.inputs) witness.encodeStream(writer, input.witness);
    P.U32LE.encodeStream(writer, value.lockTime);
  },
  decodeStream(reader) {
    const version = P.U32LE.decodeStream(reader);
    let inputs = bareInputs.decodeStream(reader);
    // No input here is the marker of BIP 144, unless the flag after it is 0: then it is the number of outputs.
    const flag = inputs.length === 0 ? reader.byte() : 0;
    if (flag > 1) throw reader.err('unknown kind of transaction');
    if (flag === 1) inputs = bareInputs.decodeStream(reader);
    const paid = flag === 1 || inputs.length > 0 ? outputs.decodeStream(reader) : [];
    const witnesses = inputs.map(() => (flag === 1 ? witness.decodeStream(reader) : []));
    if (flag === 1 && witnesses.every((items) => items.length === 0)) throw reader.err('no witness');
    return {
      version,
      inputs: inputs.map((input, index) => ({ ...input, witness: witnesses[index] ?? [] })),
      outputs: paid,
      lockTime: P.U32LE.decodeStream(reader),
    };
  },
});

/** The id of a transaction as it is shown: the double SHA-256 of its bytes without witnesses. */
export function transactionId(value: Transaction): string {
  return bytesToHex(sha256(sha256(withoutWitnesses.encode(value))).reverse());
}

/** The id that covers witnesses too (BIP 141): the double SHA-256 of all of its bytes. */
export function witnessTransactionId(value: Transaction): string {
  return bytesToHex(sha256(sha256(transaction.encode(value))).reverse());
}

/** True for the transaction in which a block's reward comes into being. */
export function isCoinbase(value: Transaction): boolean {
  const [only] = value.inputs;
  return value.inputs.length === 1 && only?.index === 0xffffffff && /^0{64}$/.test(only.txid);
}

const MARKER_AND_FLAG = Uint8Array.of(0, 1);
const outputs = list(P.struct({ value: P.I64LE, scriptPubKey: bytesWithSize }));
const witness = list(bytesWithSize);
const bareInputs = list(
  P.struct({ txid: hash, index: P.U32LE, scriptSig: bytesWithSize, sequence: P.U32LE }),
);

const withoutWitnesses: P.CoderType<Transaction> = P.wrap({
  encodeStream(writer, value: Transaction) {
    P.U32LE.encodeStream(writer, value.version);
    writeBody(writer, value);
    P.U32LE.encodeStream(writer, value.lockTime);
  },
  decodeStream(reader) {
    return transaction.decodeStream(reader);
  },
});

function writeBody(writer: P.Writer, value: Transaction): void {
  bareInputs.encodeStream(writer, value.inputs);
  // Such bytes would read as the marker of BIP 144 when they are read back.
  if (value.inputs.length === 0 && value.outputs.length > 0) throw writer.err('outputs without an input');
  outputs.encodeStream(writer, value.outputs);
}
