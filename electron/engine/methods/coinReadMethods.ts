/** Coins and transactions from the wallet's file, which does not contain their number of confirmations. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { addressOf, scriptOfAddress } from '../../walletfile/script/address.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import type { Coin, KnownTransaction } from '../view/ledger.ts';
import type { LoadedWallet } from '../view/openWallet.ts';
import { optional, type ReadMethod, type Table } from './method.ts';

export const coinReadMethods: Table<ReadMethod> = {
  listtransactions: {
    about:
      'The newest transactions, oldest first, with an entry for each sent or received output. The file does not contain the number of confirmations: it is 1 for a transaction in a block, -1 for one that conflicts with such a one, 0 for others.',
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
      if (label === '')
        throw new RpcError('invalidParameter', 'Label argument must be a valid label name or "*".');
      const watched = args.flag('include_watchonly') ?? wallet.summary.isWatchOnly;
      const filter = { label: label === '*' ? null : label, watched };
      const { transactions } = await wallet.ledger();
      const named = namesIn(wallet);
      const entries = transactions.flatMap((transaction) => entriesOf(transaction, named, filter));
      const end = Math.max(0, entries.length - skip);
      return entries.slice(Math.max(0, end - count), end);
    },
  },
  listunspent: {
    about:
      'Coins that were unspent when the wallet was last written, without locked ones. The file does not contain the number of confirmations: it is 1 for a coin in a block, 0 for an unconfirmed one.',
    params: [
      optional('minconf', 'number', 'The fewest confirmations to list (default 1). No coin has more than 1.'),
      optional('maxconf', 'number', 'The most confirmations to list (default 9999999).'),
      optional('addresses', 'array', 'Only coins of these addresses.'),
      optional(
        'include_unsafe',
        'bool',
        "Whether to list unconfirmed coins of others' transactions (default true).",
      ),
      optional('query_options', 'object', 'Not used: the engine lists every coin.'),
    ],
    answer: async ({ wallet, args, dialect }) => {
      const least = args.integer('minconf') ?? 1;
      const most = args.integer('maxconf') ?? 9_999_999;
      const unsafe = args.flag('include_unsafe') ?? true;
      const scripts = scriptsOf(args.list('addresses'), wallet);
      const { coins } = await wallet.ledger();
      const known = await wallet.scripts();
      const named = namesIn(wallet);
      return coins
        .filter((coin) => !coin.locked && !coin.immature && (unsafe || coin.safe))
        .filter((coin) => confirmationsOf(coin) >= least && confirmationsOf(coin) <= most)
        .filter((coin) => scripts === null || scripts.has(bytesToHex(coin.script)))
        .map((coin) => shownCoin(coin, named, known, dialect.parents));
    },
  },
  listlockunspent: {
    about: 'Coins that are locked against spending, as recorded in the file.',
    answer: async ({ wallet }) => {
      const { coins } = await wallet.ledger();
      return coins.filter((coin) => coin.locked).map(({ txid, vout }) => ({ txid, vout }));
    },
  },
};

type Names = ReturnType<typeof namesIn>;
type Known = Awaited<ReturnType<LoadedWallet['scripts']>>;

/** Finds the address of a script and its label. */
function namesIn({ addressBook, network }: LoadedWallet) {
  const labels = new Map(addressBook.map(({ address, label }) => [address, label ?? undefined]));
  return (script: Uint8Array) => {
    const address = addressOf(script, network) ?? undefined;
    return { address, label: address && labels.get(address) };
  };
}

function entriesOf(
  transaction: KnownTransaction,
  named: Names,
  filter: { label: string | null; watched: boolean },
): RpcValue[] {
  const rest = { ...factsOf(transaction), abandoned: transaction.state === 'abandoned' };
  const fee = transaction.fee === null ? undefined : -transaction.fee;
  const outputs = transaction.outputs.filter(({ change }) => !(transaction.sent && change));
  const sent = outputs
    .filter(() => transaction.sent && filter.label === null)
    .map(({ script, amount, vout }) => {
      const { address, label } = named(script);
      return { address, category: 'send', amount: -amount, label, vout, fee, ...rest };
    });
  const category = categoryOf(transaction);
  // A node does not list what a transaction in a block took away.
  const received = outputs
    .filter(({ mine, watched }) => !transaction.isLost && (mine || (filter.watched && watched)))
    .map(({ script, amount, vout, watched }) => {
      const { address, label } = named(script);
      return {
        involvesWatchonly: watched || undefined,
        address,
        category,
        amount,
        label,
        vout,
        ...rest,
      };
    })
    .filter(({ label }) => filter.label === null || label === filter.label);
  return [...sent, ...received];
}

function categoryOf({ coinbase, state, immature }: KnownTransaction): string {
  if (!coinbase) return 'receive';
  if (state !== 'confirmed') return 'orphan';
  return immature ? 'immature' : 'generate';
}

function factsOf(transaction: KnownTransaction) {
  const { state, block, coinbase } = transaction;
  return {
    confirmations: state === 'confirmed' ? 1 : transaction.isLost ? -1 : 0,
    generated: coinbase ? true : undefined,
    blockhash: block?.hash,
    blockindex: block?.index,
    trusted: state === 'confirmed' ? undefined : transaction.trusted,
    txid: transaction.txid,
    wtxid: transaction.wtxid,
    walletconflicts: transaction.conflicts,
    time: transaction.time,
    timereceived: transaction.received,
    'bip125-replaceable': state === 'confirmed' ? 'no' : 'unknown',
    ...transaction.notes,
  };
}

function shownCoin(coin: Coin, named: Names, known: Known, form: Dialect['parents']): RpcValue {
  const info = known(coin.script);
  return {
    txid: coin.txid,
    vout: coin.vout,
    ...named(coin.script),
    scriptPubKey: bytesToHex(coin.script),
    amount: coin.amount,
    confirmations: confirmationsOf(coin),
    redeemScript: info?.redeemScript ? bytesToHex(info.redeemScript) : undefined,
    witnessScript: info?.witnessScript ? bytesToHex(info.witnessScript) : undefined,
    spendable: coin.spendable,
    solvable: info?.solvable ?? false,
    desc: info?.descriptor ?? undefined,
    parent_descs: info?.parents.map((texts) => texts[form]) ?? [],
    reused: coin.reused ?? undefined,
    safe: coin.safe,
  };
}

function confirmationsOf(coin: Coin): number {
  return coin.confirmed ? 1 : 0;
}

function scriptsOf(addresses: readonly unknown[] | null, { network }: LoadedWallet): Set<string> | null {
  if (addresses === null || addresses.length === 0) return null;
  const scripts = addresses.map((address) => {
    if (typeof address !== 'string')
      throw new RpcError('typeError', 'JSON value is not a string as expected');
    try {
      return bytesToHex(scriptOfAddress(address, network));
    } catch {
      throw new RpcError('invalidAddress', `Invalid Bitcoin address: ${address}`);
    }
  });
  return new Set(scripts);
}
