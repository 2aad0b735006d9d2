/** Finds stored transactions that the file alone proves invalid: a forged wallet shows money that came from nowhere. */
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { equalBytes } from '@noble/curves/utils.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import type { Network } from '../../../shared/model/network.ts';
import { groupedBy } from '../bytes/lists.ts';
import { orNull } from '../bytes/once.ts';
import { encode } from '../bytes/serialization.ts';
import { isPublicKey } from '../keys/publicKey.ts';
import type { RecordOfType } from '../records/records.ts';
import { eachOutput, factsOf, outputCountOf } from '../records/transactionFacts.ts';
import { stateOf } from '../records/walletTransaction.ts';
import { hash160, makeOutputScript, OP, readOperations } from '../script/script.ts';
import { transaction } from '../script/transaction.ts';

/**
 * The ids of transactions that pay more than they spend, spend a missing output of a stored transaction, have a wrong signature,
 * or are in a block without proof of work, and of all transactions that spend from them. Others may be forged too: only a node
 * with the chain can tell. `transactions`: undamaged ones. `paying`: those that make up the balance, largest first; only their
 * signatures are checked. `network`: null if uncertain.
 */
export function findInvalidTransactions(
  transactions: readonly RecordOfType<'tx'>[],
  paying: readonly RecordOfType<'tx'>[],
  network: Network | null,
): ReadonlySet<string> {
  const known = new Map(transactions.map((record) => [record.txid, record]));
  const unsigned: string[] = [];
  let checked = 0;
  for (const signature of signaturesOf(paying, known)) {
    if (checked === MAX_SIGNATURES) break;
    checked += 1;
    if (!isValidSignature(signature)) unsigned.push(signature.txid);
  }
  const inNoBlock = network === 'main' ? transactions.filter(lacksProofOfWork).map(({ txid }) => txid) : [];
  return withSpenders([...unsigned, ...payingFromNothing(transactions, known), ...inNoBlock], transactions);
}

/** Checking one takes a millisecond or two. */
const MAX_SIGNATURES = 50;

/** No block of the main chain has a hash of 2²²⁴ or more (`powLimit` in `chainparams.cpp`). */
function lacksProofOfWork(record: RecordOfType<'tx'>): boolean {
  const state = stateOf(record);
  return state.state === 'confirmed' && !state.blockHash.startsWith('00000000');
}

type Known = ReadonlyMap<string, RecordOfType<'tx'>>;

/** Ids of transactions that pay more than they spend. An unknown input can have any amount, and so can a block reward. */
function payingFromNothing(transactions: readonly RecordOfType<'tx'>[], known: Known): string[] {
  const invalid: string[] = [];
  /** What is still missing to pay the outputs, in satoshi, by transaction id. */
  const unpaid = new Map<string, bigint>();
  const spends = new Map<RecordOfType<'tx'>, { by: string; index: number }[]>();
  for (const record of transactions) {
    const { inputs, inputCount, paid } = factsOf(record);
    const spent = inputs.flatMap(({ txid, index }) => {
      const of = known.get(txid);
      return of ? { of, index } : [];
    });
    if (spent.some(({ of, index }) => index >= outputCountOf(of))) invalid.push(record.txid);
    else if (spent.length === inputCount) {
      unpaid.set(record.txid, paid);
      for (const { of, index } of spent) {
        const spend = { by: record.txid, index };
        const all = spends.get(of);
        if (all) all.push(spend);
        else spends.set(of, [spend]);
      }
    }
  }
  // Take everything from one transaction at a time: a file on a disk is read again for its outputs.
  for (const [record, all] of spends) {
    const values: bigint[] = [];
    eachOutput(record, ({ value }) => values.push(value));
    for (const { by, index } of all) unpaid.set(by, (unpaid.get(by) ?? 0n) - (values[index] ?? 0n));
  }
  for (const [txid, amount] of unpaid) if (amount > 0n) invalid.push(txid);
  return invalid;
}

/** A signature over the whole transaction (`SIGHASH_ALL`) that spends a p2pkh output. */
interface Signature {
  txid: string;
  signed: RecordOfType<'tx'>['transaction'];
  input: number;
  /** The output's script. */
  script: Uint8Array;
  signature: ReturnType<typeof secp256k1.Signature.fromBytes>;
  publicKey: Uint8Array;
}

function* signaturesOf(records: readonly RecordOfType<'tx'>[], known: Known): Generator<Signature> {
  for (const { txid, transaction: signed } of records)
    for (const [input, spent] of signed.inputs.entries()) {
      const [signature, publicKey, ...more] = pushesOf(spent.scriptSig);
      if (!signature || !publicKey || more.length > 0 || signature.at(-1) !== SIGHASH_ALL) continue;
      if (!isPublicKey(publicKey)) continue;
      // A signature that is not strict DER may have been valid before BIP 66.
      const read = orNull(() => secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der'));
      const script = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) });
      const output = known.get(spent.txid)?.transaction.outputs[spent.index];
      if (!read || (output && !equalBytes(output.scriptPubKey, script))) continue;
      yield { txid, signed, input, script, signature: read, publicKey };
    }
}

const SIGHASH_ALL = 1;

/** The pushes of a script, each with one byte of length. Empty if the script does anything else. */
function pushesOf(script: Uint8Array): Uint8Array[] {
  const operations = readOperations(script) ?? [];
  const isPush = ({ opcode }: { opcode: number }) => opcode > OP.ZERO && opcode < OP.PUSHDATA1;
  return operations.every(isPush) ? operations.map(({ data }) => data) : [];
}

/** `SignatureHash` of `interpreter.cpp`, as before segwit. */
function isValidSignature({ signed, input, script, signature, publicKey }: Signature): boolean {
  const inputs = signed.inputs.map((one, at) => ({
    ...one,
    scriptSig: at === input ? script : new Uint8Array(),
    witness: [],
  }));
  const bytes = encode(transaction, { ...signed, inputs });
  const hash = sha256(sha256(concatBytes(bytes, Uint8Array.of(SIGHASH_ALL, 0, 0, 0))));
  return secp256k1.verify(signature.toBytes(), hash, publicKey, { prehash: false, lowS: false });
}

/** Adds all transactions that spend from these, directly or through others. */
export function withSpenders(
  txids: readonly string[],
  transactions: readonly RecordOfType<'tx'>[],
): Set<string> {
  // Most wallets have none: do not list all their coins.
  if (txids.length === 0) return new Set();
  const spent = transactions.flatMap((record) =>
    factsOf(record).inputs.map((coin) => ({ of: coin.txid, by: record.txid })),
  );
  const spenders = groupedBy(spent, (coin) => coin.of);
  const invalid = new Set(txids);
  // Iterating a set includes what is added meanwhile.
  for (const txid of invalid) for (const { by } of spenders.get(txid) ?? []) invalid.add(by);
  return invalid;
}
