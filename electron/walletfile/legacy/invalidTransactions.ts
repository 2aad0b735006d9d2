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
import type { Of } from '../records/records.ts';
import { stateOf } from '../records/walletTransaction.ts';
import { hash160, makeOutputScript } from '../script/script.ts';
import { transaction } from '../script/transaction.ts';

/**
 * The ids of transactions that pay more than they spend, spend a missing output of a stored transaction, have a wrong signature,
 * or are in a block without proof of work, and of all transactions that spend from them. Others may be forged too: only a node
 * with the chain can tell. `transactions`: undamaged ones. `paying`: those that make up the balance, largest first; only their
 * signatures are checked. `network`: null if uncertain.
 */
export function invalidTransactions(
  transactions: readonly Of<'tx'>[],
  paying: readonly Of<'tx'>[],
  network: Network | null,
): ReadonlySet<string> {
  const outputs = new Map(transactions.map(({ txid, transaction }) => [txid, transaction.outputs]));
  const misfits = signaturesOf(paying, outputs)
    .slice(0, MOST_SIGNATURES)
    .filter((signature) => !holds(signature));
  const invalid = transactions.filter(
    (record) => paysFromNothing(record, outputs) || (network === 'main' && isInNoBlock(record)),
  );
  return withSpenders(
    [...misfits, ...invalid].map(({ txid }) => txid),
    transactions,
  );
}

/** Checking one takes a millisecond or two. */
const MOST_SIGNATURES = 50;

/** No block of the main chain has a hash of 2²²⁴ or more (`powLimit` in `chainparams.cpp`). */
function isInNoBlock(record: Of<'tx'>): boolean {
  const state = stateOf(record);
  return state.state === 'confirmed' && !state.blockHash.startsWith('00000000');
}

type KnownOutputs = ReadonlyMap<string, Of<'tx'>['transaction']['outputs']>;

/** An unknown input can have any amount, and so can a block reward. */
function paysFromNothing({ transaction: { inputs, outputs } }: Of<'tx'>, known: KnownOutputs): boolean {
  const spent = inputs.map(({ txid, index }) => {
    const all = known.get(txid);
    return all && (all[index]?.value ?? 'missing');
  });
  if (spent.includes('missing')) return true;
  const amounts = spent.filter((amount) => typeof amount === 'bigint');
  return amounts.length === inputs.length && sum(amounts) < sum(outputs.map(({ value }) => value));
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

/** A signature over the whole transaction (`SIGHASH_ALL`) that spends a p2pkh output. */
interface Signature {
  txid: string;
  signed: Of<'tx'>['transaction'];
  input: number;
  /** The output's script. */
  script: Uint8Array;
  signature: ReturnType<typeof secp256k1.Signature.fromBytes>;
  publicKey: Uint8Array;
}

function signaturesOf(records: readonly Of<'tx'>[], known: KnownOutputs): Signature[] {
  return records.flatMap(({ txid, transaction: signed }) =>
    signed.inputs.flatMap((spent, input) => {
      const [signature, publicKey, ...more] = pushesOf(spent.scriptSig);
      if (!signature || !publicKey || more.length > 0 || signature.at(-1) !== SIGHASH_ALL) return [];
      if (!isPublicKey(publicKey)) return [];
      // A signature that is not strict DER may have been valid before BIP 66.
      const read = orNull(() => secp256k1.Signature.fromBytes(signature.subarray(0, -1), 'der'));
      const script = makeOutputScript({ kind: 'p2pkh', keyHash: hash160(publicKey) });
      const output = known.get(spent.txid)?.[spent.index];
      if (!read || (output && !equalBytes(output.scriptPubKey, script))) return [];
      return [{ txid, signed, input, script, signature: read, publicKey }];
    }),
  );
}

const SIGHASH_ALL = 1;

/** The pushes of a script, each with one byte of length. Empty if the script does anything else. */
function pushesOf(script: Uint8Array): Uint8Array[] {
  const pushes: Uint8Array[] = [];
  for (let at = 0; at < script.length; ) {
    const size = script[at] ?? 0;
    const end = at + 1 + size;
    if (size === 0 || size > LONGEST_PUSH || end > script.length) return [];
    pushes.push(script.subarray(at + 1, end));
    at = end;
  }
  return pushes;
}

const LONGEST_PUSH = 75;

/** `SignatureHash` of `interpreter.cpp`, as before segwit. */
function holds({ signed, input, script, signature, publicKey }: Signature): boolean {
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
function withSpenders(txids: readonly string[], transactions: readonly Of<'tx'>[]): Set<string> {
  const spent = transactions.flatMap(({ txid, transaction }) =>
    transaction.inputs.map((coin) => ({ of: coin.txid, by: txid })),
  );
  const spenders = groupedBy(spent, (coin) => coin.of);
  const invalid = new Set(txids);
  // Iterating a set includes what is added meanwhile.
  for (const txid of invalid) for (const { by } of spenders.get(txid) ?? []) invalid.add(by);
  return invalid;
}
