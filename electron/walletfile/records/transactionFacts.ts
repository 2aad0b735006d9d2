/**
 * Facts about stored transactions. Those of a file that is too large for memory are read once, one after the other, and only their
 * facts are kept.
 */
import { once, orNull } from '../bytes/once.ts';
import { type RawRecord, RecordInFile } from '../database/rawRecord.ts';
import {
  hasPossibleAmounts,
  isCoinbase,
  type Transaction,
  type TransactionInput,
  transactionId,
} from '../script/transaction.ts';
import type { StoredTransaction } from './walletTransaction.ts';

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
  const ids = new Map(
    entries.map(({ key }) => {
      const id = idIn(key);
      return [id, id];
    }),
  );
  return entries.flatMap((entry) => {
    const record = read(entry);
    return record ? new TransactionInFile(record, entry, read, ids) : [];
  });
}

/** The id at the end of a record's key, as `TransactionInput` has it. */
function idIn(key: Uint8Array): string {
  return Buffer.from(key.slice(-32).reverse()).toString('hex');
}

const always = () => true;
const never = () => false;

/** Reads the transaction itself again each time it is needed. */
class TransactionInFile implements StoredTransaction {
  readonly type = 'tx';
  readonly txid: string;
  readonly blockHash: string;
  readonly index: number;
  readonly mapValue: StoredTransaction['mapValue'];
  readonly orderForm: StoredTransaction['orderForm'];
  readonly timeReceivedIsTxTime: number;
  readonly timeReceived: number;
  readonly fromMe: boolean;
  readonly spent: boolean;
  readonly trailing: Uint8Array | undefined;
  readonly facts: TransactionFacts;

  constructor(
    whole: StoredTransaction,
    private readonly entry: RawRecord,
    private readonly read: ReadTransaction,
    /** The ids of the stored transactions, each as its own key, so that all coins of a transaction share one string. */
    stored: ReadonlyMap<string, string>,
  ) {
    this.txid = stored.get(whole.txid) ?? whole.txid;
    this.blockHash = whole.blockHash;
    this.index = whole.index;
    this.mapValue = whole.mapValue;
    this.orderForm = whole.orderForm;
    this.timeReceivedIsTxTime = whole.timeReceivedIsTxTime;
    this.timeReceived = whole.timeReceived;
    this.fromMe = whole.fromMe;
    this.spent = whole.spent;
    // A copy, because a view would keep all bytes of the transaction in memory.
    this.trailing = whole.trailing?.slice();
    const { transaction } = whole;
    const inputs = transaction.inputs.flatMap(({ txid, index }) => {
      const known = stored.get(txid);
      return known === undefined ? [] : { txid: known, index };
    });
    const hasOwnId = transactionId(transaction) === this.txid;
    this.facts = factsIn(transaction, inputs, hasOwnId ? always : never);
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
