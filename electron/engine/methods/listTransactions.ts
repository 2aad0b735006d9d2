/** `listtransactions`: what came in and went out, as the wallet's file last knew it. */
import { addressOf } from '../../wallet/script/address.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { RpcValue } from '../rpc/rpcJson.ts';
import type { KnownOutput, KnownTransaction, LoadedWallet } from '../view/loadedWallet.ts';
import { optional, type Question } from './method.ts';

export const listTransactions: Question = {
  name: 'listtransactions',
  group: 'wallet',
  about:
    'The newest transactions, oldest first, an entry for each output that was sent or received. The file does not tell how deep a block lies: confirmations is 1 for one in a block, 0 for one that is not, -1 for one that conflicts.',
  params: [
    optional('label', 'string', 'Only what was received under this label; "*" for all.'),
    optional('count', 'number', 'How many (default 10).'),
    optional('skip', 'number', 'How many of the newest to leave out (default 0).'),
    optional('include_watchonly', 'bool', 'Include what a legacy wallet only watches.'),
  ],
  answer: async ({ wallet, args }) => {
    const count = args.integer('count') ?? 10;
    const skip = args.integer('skip') ?? 0;
    if (count < 0) throw new RpcError('invalidParameter', 'Negative count');
    if (skip < 0) throw new RpcError('invalidParameter', 'Negative from');
    const label = args.text('label') ?? '*';
    const watched = args.flag('include_watchonly') ?? !wallet.summary.privateKeys;
    const wanted = { label: label === '*' ? null : label, watched };
    const { transactions } = await wallet.ledger();
    const book = new Map(wallet.addressBook.map(({ address, label }) => [address, label]));
    const entries = transactions.flatMap((transaction) => entriesOf(transaction, wallet, book, wanted));
    const end = Math.max(0, entries.length - skip);
    return entries.slice(Math.max(0, end - count), end);
  },
};

interface Wanted {
  readonly label: string | null;
  readonly watched: boolean;
}

/** `book`: the label of each address. */
function entriesOf(
  transaction: KnownTransaction,
  wallet: LoadedWallet,
  book: ReadonlyMap<string, string | null>,
  wanted: Wanted,
): RpcValue[] {
  const rest = factsOf(transaction);
  const placeOf = (output: KnownOutput) => {
    const address = addressOf(output.script, wallet.network);
    const label = address === null ? null : (book.get(address) ?? null);
    return { address: address ?? undefined, label: label ?? undefined, vout: output.vout };
  };
  const sent = transaction.outputs
    .filter((output) => transaction.sent && !output.change && wanted.label === null)
    .map((output) => {
      const { address, label, vout } = placeOf(output);
      const fee = transaction.fee === null ? undefined : -transaction.fee;
      const abandoned = transaction.state === 'abandoned';
      return { address, category: 'send', amount: -output.amount, label, vout, fee, ...rest, abandoned };
    });
  const received = transaction.outputs
    .filter(
      (output) => (output.mine || (wanted.watched && output.watched)) && !(transaction.sent && output.change),
    )
    .map((output) => ({ output, ...placeOf(output) }))
    .filter(({ label }) => wanted.label === null || label === wanted.label)
    .map(({ output, address, label, vout }) => {
      const involvesWatchonly = output.watched ? { involvesWatchonly: true } : {};
      const category = categoryOf(transaction);
      const abandoned = transaction.state === 'abandoned';
      return {
        ...involvesWatchonly,
        address,
        category,
        amount: output.amount,
        label,
        vout,
        ...rest,
        abandoned,
      };
    });
  return [...sent, ...received];
}

function categoryOf({ coinbase, state, immature }: KnownTransaction): string {
  if (!coinbase) return 'receive';
  if (state !== 'confirmed') return 'orphan';
  return immature ? 'immature' : 'generate';
}

function factsOf(transaction: KnownTransaction) {
  const { state, block, coinbase, comment } = transaction;
  return {
    confirmations: state === 'confirmed' ? 1 : state === 'conflicted' ? -1 : 0,
    generated: coinbase ? true : undefined,
    blockhash: block?.hash,
    blockindex: block?.index,
    trusted: state === 'unconfirmed' ? transaction.sent : undefined,
    txid: transaction.txid,
    wtxid: transaction.wtxid,
    walletconflicts: [],
    time: transaction.time,
    timereceived: transaction.received,
    'bip125-replaceable': state === 'confirmed' ? 'no' : 'unknown',
    comment: comment ?? undefined,
  };
}
