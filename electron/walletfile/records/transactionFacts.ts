/**
 * Facts about stored transactions. Those of a file that is too large for memory are read once, one after the other, and only their
 * facts are kept.
 */
import { bytesOf, byteText } from '../bytes/byteText.ts';
import { once, orNull } from '../bytes/once.ts';
import { ByteReader, encode } from '../bytes/serialization.ts';
import { type RawRecord, RecordInFile } from '../database/rawRecord.ts';
import {
  hasPossibleAmounts,
  idOfBytes,
  isCoinbase,
  readTransaction,
  type Transaction,
  type TransactionInput,
  transactionId,
} from '../script/transaction.ts';
import { type StoredTransaction, type TransactionNotes, transactionNotes } from './walletTransaction.ts';

interface TransactionFacts {
  /** Whether its bytes have the id of its record. A node ignores it otherwise. */
  readonly hasOwnId: () => boolean;
  readonly hasPossibleAmounts: boolean;
  /** Whether it creates a block's reward. */
  readonly isCoinbase: boolean;
  /** The coins that it spends. Of a file that is too large for memory, only the outputs of stored transactions. */
  readonly inputs: readonly Pick<TransactionInput, 'txid' | 'index'>[];
  readonly inputCount: number;
  readonly outputCount: number;
  /** Satoshi. */
  readonly paid: bigint;
  /** The least height of a block that may contain it, by its lock time. */
  readonly leastHeight: number;
}

export function factsOf(record: StoredTransaction): TransactionFacts {
  if (record instanceof TransactionInFile) return record.facts;
  const known = facts.get(record);
  if (known) return known;
  const { txid, transaction } = record;
  const found = factsIn(
    transaction,
    transaction.inputs,
    once(() => transactionId(transaction) === txid),
  );
  facts.set(record, found);
  return found;
}

const facts = new WeakMap<StoredTransaction, TransactionFacts>();

function factsIn(
  transaction: Transaction,
  inputs: TransactionFacts['inputs'],
  hasOwnId: () => boolean,
): TransactionFacts {
  return {
    hasOwnId,
    hasPossibleAmounts: hasPossibleAmounts(transaction),
    isCoinbase: isCoinbase(transaction),
    inputs,
    inputCount: transaction.inputs.length,
    outputCount: transaction.outputs.length,
    paid: transaction.outputs.reduce((sum, { value }) => sum + value, 0n),
    leastHeight: leastHeightOf(transaction),
  };
}

/** Source: `IsFinalTx`. */
function leastHeightOf({ lockTime, inputs }: Transaction): number {
  const isLocked = lockTime < FIRST_TIME && inputs.some(({ sequence }) => sequence !== NEVER_LOCKED);
  return isLocked ? lockTime + 1 : 0;
}

/** `LOCKTIME_THRESHOLD`: a lower lock time is a height. */
const FIRST_TIME = 500_000_000;
/** `SEQUENCE_FINAL`. */
const NEVER_LOCKED = 0xffffffff;

type ReadTransaction = (entry: RawRecord) => StoredTransaction | null;

/** The undamaged ones of these entries. `read`: parses an entry. */
export function storedTransactions(
  entries: readonly RawRecord[],
  read: ReadTransaction,
): StoredTransaction[] {
  if (!entries.some((entry) => entry instanceof RecordInFile))
    return entries.flatMap((entry) => read(entry) ?? []);
  const ids: SharedTexts = new Map();
  for (const { key } of entries) shared(ids, idIn(key));
  const blocks: SharedTexts = new Map();
  return entries.flatMap((entry) => {
    const { key, value } = entry;
    const whole = read({ key, value });
    if (whole === null) return [];
    const { identified } = readTransaction(new ByteReader(value), () => {});
    const hasOwnId = idOfBytes(identified) === whole.txid ? always : never;
    const { inputs } = whole.transaction;
    const found = factsIn(whole.transaction, storedInputs(inputs, ids), hasOwnId);
    const names = { txid: shared(ids, whole.txid), blockHash: shared(blocks, whole.blockHash) };
    return new TransactionInFile({ ...whole, ...names }, found, entry, read);
  });
}

/** Each text as its own key, so that equal texts are one string: the hashes would take more memory than all other facts. */
type SharedTexts = Map<string, string>;

function shared(texts: SharedTexts, text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
  texts.set(text, text);
  return text;
}

function storedInputs(inputs: readonly TransactionInput[], ids: SharedTexts): TransactionFacts['inputs'] {
  const found = inputs.flatMap(({ txid, index }) => {
    const stored = ids.get(txid);
    return stored === undefined ? [] : { txid: stored, index };
  });
  return found.length === 0 ? NO_INPUTS : found;
}

const NO_INPUTS: TransactionFacts['inputs'] = [];

/** The id at the end of a record's key, as `TransactionInput` has it. */
function idIn(key: Uint8Array): string {
  return Buffer.from(key.slice(-32).reverse()).toString('hex');
}

const always = () => true;
const never = () => false;

/** Passes on each output. Of a file that is too large for memory, reads the transaction again, but keeps no list of them. */
export function eachOutput(
  record: StoredTransaction,
  visit: (output: Transaction['outputs'][number], index: number) => void,
): void {
  if (record instanceof TransactionInFile) record.eachOutput(visit);
  else record.transaction.outputs.forEach(visit);
}

/** The one of a transaction's outputs with a number; undefined if it is not among them. `outputs`: in their order. */
export function outputAt<T extends { readonly index: number }>(
  outputs: readonly T[],
  index: number,
): T | undefined {
  let [from, to] = [0, outputs.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((outputs[middle]?.index ?? 0) < index) from = middle + 1;
    else to = middle;
  }
  const found = outputs[from];
  return found?.index === index ? found : undefined;
}

/** Reads the transaction itself again each time it is needed. Keeps the wallet's notes as their bytes, which take a sixth of the memory. */
class TransactionInFile implements StoredTransaction {
  readonly type = 'tx';
  readonly txid: string;
  readonly blockHash: string;
  readonly index: number;
  readonly trailing: Uint8Array | undefined;
  private readonly notes: string;

  constructor(
    whole: StoredTransaction,
    readonly facts: TransactionFacts,
    private readonly entry: RawRecord,
    private readonly read: ReadTransaction,
  ) {
    this.txid = whole.txid;
    this.blockHash = whole.blockHash;
    this.index = whole.index;
    this.notes = byteText(encode(transactionNotes, whole));
    // A copy, because a view would keep all bytes of the transaction in memory.
    this.trailing = whole.trailing?.slice();
  }

  get mapValue(): StoredTransaction['mapValue'] {
    return this.noted.mapValue;
  }

  get orderForm(): StoredTransaction['orderForm'] {
    return this.noted.orderForm;
  }

  get timeReceivedIsTxTime(): number {
    return this.noted.timeReceivedIsTxTime;
  }

  get timeReceived(): number {
    return this.noted.timeReceived;
  }

  get fromMe(): boolean {
    return this.noted.fromMe;
  }

  get spent(): boolean {
    return this.noted.spent;
  }

  get transaction(): Transaction {
    return this.whole.transaction;
  }

  get merkleBranch(): string[] {
    return this.whole.merkleBranch;
  }

  get previous(): StoredTransaction['previous'] {
    return this.whole.previous;
  }

  eachOutput(visit: Parameters<typeof eachOutput>[1]): void {
    readTransaction(new ByteReader(this.entry.value), visit);
  }

  private get noted(): TransactionNotes {
    return transactionNotes.read(new ByteReader(bytesOf(this.notes)), {});
  }

  private get whole(): StoredTransaction {
    if (latest?.of !== this) {
      const whole = orNull(() => this.read(this.entry));
      // It could be read before, so the file has changed meanwhile, which its reader reports in the end.
      if (whole === null) throw new RangeError('the transaction is gone');
      latest = { of: this, whole };
    }
    return latest.whole;
  }
}

/** The transaction that was read last, because most work needs several of its fields. */
let latest: { of: StoredTransaction; whole: StoredTransaction } | null = null;
