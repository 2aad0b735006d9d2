/**
 * Facts about stored transactions. Those of a file that is too large for memory are read once, one after the other, and only their
 * facts are kept.
 */
import { once, orNull } from '../bytes/once.ts';
import {
  ByteReader,
  ByteWriter,
  bool,
  hash,
  int32,
  int64,
  list,
  rest,
  struct,
  uint32,
  type ValuesOf,
} from '../bytes/serialization.ts';
import { type RawRecord, RecordInFile } from '../database/rawRecord.ts';
import {
  FIRST_TIME,
  hasPossibleAmounts,
  idOfBytes,
  isCoinbase,
  readTransaction,
  type Transaction,
  type TransactionInput,
  transactionId,
} from '../script/transaction.ts';
import { type StoredTransaction, walletNoteFields } from './walletTransaction.ts';

interface TransactionFacts {
  /** Whether its bytes have the id of its record. A node ignores it otherwise. */
  readonly hasOwnId: () => boolean;
  readonly hasPossibleAmounts: boolean;
  /** Whether it creates a block's reward. */
  readonly isCoinbase: boolean;
  /** The coins that it spends. Of a file that is too large for memory, only the outputs of stored transactions. */
  readonly inputs: readonly Pick<TransactionInput, 'txid' | 'index'>[];
  readonly inputCount: number;
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
    paid: transaction.outputs.reduce((sum, { value }) => sum + value, 0n),
    leastHeight: leastHeightOf(transaction),
  };
}

/** Source: `IsFinalTx`. */
function leastHeightOf({ lockTime, inputs }: Transaction): number {
  const isLocked = lockTime < FIRST_TIME && inputs.some(({ sequence }) => sequence !== NEVER_LOCKED);
  return isLocked ? lockTime + 1 : 0;
}

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
  const ids = new Set(entries.map(({ key }) => idIn(key)));
  const to = new ByteWriter();
  return entries.flatMap((entry) => {
    const { key, value } = entry;
    const whole = read({ key, value });
    if (whole === null) return [];
    const { txid, transaction } = whole;
    const { identified } = readTransaction(new ByteReader(value), () => {});
    const found = factsIn(transaction, transaction.inputs, always);
    const inputs = transaction.inputs.filter((input) => ids.has(input.txid));
    const hasOwnId = idOfBytes(identified) === txid;
    const trailing = whole.trailing ?? new Uint8Array();
    cachedFields.write(to, { ...whole, ...found, inputs, hasOwnId, trailing }, {});
    const { piece, start, end } = to.take();
    return new TransactionInFile(txid, transaction.outputs.length, { piece, start, end }, entry, read);
  });
}

/** The id at the end of a record's key, as `TransactionInput` has it. */
function idIn(key: Uint8Array): string {
  return Buffer.from(key.slice(-32).reverse()).toString('hex');
}

const always = () => true;

/** Does not decode the facts of a transaction of a file that is too large for memory: this is asked for each input. */
export function outputCountOf(record: StoredTransaction): number {
  return record instanceof TransactionInFile ? record.outputCount : record.transaction.outputs.length;
}

/** Passes on each output. Of a file that is too large for memory, reads the transaction again, but keeps no list of them. */
export function eachOutput(
  record: StoredTransaction,
  visit: (output: Transaction['outputs'][number], index: number) => void,
): void {
  if (record instanceof TransactionInFile) record.eachOutput(visit);
  else record.transaction.outputs.forEach(visit);
}

/** Finds the output with this index; undefined if there is none. `outputs`: sorted by index. */
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

/** What to keep of a transaction in a file: its facts, its block and the wallet's notes. */
const cachedFieldShapes = {
  hasOwnId: bool,
  hasPossibleAmounts: bool,
  isCoinbase: bool,
  inputs: list(struct({ txid: hash, index: uint32 })),
  inputCount: uint32,
  paid: int64,
  leastHeight: uint32,
  blockHash: hash,
  index: int32,
  ...walletNoteFields,
  trailing: rest,
};
const cachedFields = struct(cachedFieldShapes);
type KeptFields = ValuesOf<typeof cachedFieldShapes>;

/**
 * Reads the transaction itself again each time it is needed. Keeps its other fields as bytes, which take a fourth of the memory, and
 * lie in an array with those of other transactions.
 */
class TransactionInFile implements StoredTransaction {
  /** The kept fields: a view would take more memory than they do. */
  private readonly piece: Uint8Array;
  private readonly start: number;
  private readonly end: number;

  constructor(
    readonly txid: string,
    readonly outputCount: number,
    { piece, start, end }: ReturnType<ByteWriter['take']>,
    private readonly entry: RawRecord,
    private readonly read: ReadTransaction,
  ) {
    this.piece = piece;
    this.start = start;
    this.end = end;
  }

  get type(): 'tx' {
    return 'tx';
  }

  get facts(): TransactionFacts {
    const { kept } = this;
    return { ...kept, hasOwnId: () => kept.hasOwnId };
  }

  get blockHash(): string {
    return this.kept.blockHash;
  }

  get index(): number {
    return this.kept.index;
  }

  get trailing(): Uint8Array | undefined {
    const { trailing } = this.kept;
    return trailing.length > 0 ? trailing : undefined;
  }

  get mapValue(): StoredTransaction['mapValue'] {
    return this.kept.mapValue;
  }

  get orderForm(): StoredTransaction['orderForm'] {
    return this.kept.orderForm;
  }

  get timeReceivedIsTxTime(): number {
    return this.kept.timeReceivedIsTxTime;
  }

  get timeReceived(): number {
    return this.kept.timeReceived;
  }

  get fromMe(): boolean {
    return this.kept.fromMe;
  }

  get spent(): boolean {
    return this.kept.spent;
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

  private get kept(): KeptFields {
    if (latestKept?.record !== this) {
      const fields = cachedFields.read(new ByteReader(this.piece.subarray(this.start, this.end)), {});
      latestKept = { record: this, fields };
    }
    return latestKept.fields;
  }

  private get whole(): StoredTransaction {
    if (latest?.record !== this) {
      const whole = orNull(() => this.read(this.entry));
      // It could be read before, so the file has changed meanwhile, which its reader reports in the end.
      if (whole === null) throw new RangeError('the transaction is gone');
      latest = { record: this, whole };
    }
    return latest.whole;
  }
}

/** The transaction that was read last, because most work needs several of its fields. */
let latest: { record: StoredTransaction; whole: StoredTransaction } | null = null;
/** The same of the kept fields. */
let latestKept: { record: StoredTransaction; fields: KeptFields } | null = null;
