/** `listunspent` and `listlockunspent`: coins as the wallet's file last knew them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { addressOf, scriptOfAddress } from '../../wallet/script/address.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { RpcValue } from '../rpc/rpcJson.ts';
import type { Coin, LoadedWallet, WalletScripts } from '../view/loadedWallet.ts';
import { optional, type Question } from './method.ts';

export const listUnspent: Question = {
  name: 'listunspent',
  group: 'wallet',
  about:
    'Coins that were not spent when the wallet was last written, without the locked ones. The file does not tell how deep a block lies: confirmations is 1 for a coin in a block, 0 for one that is not.',
  params: [
    optional(
      'minconf',
      'number',
      'The fewest confirmations to list (default 1). More than 1 cannot be told.',
    ),
    optional('maxconf', 'number', 'The most confirmations to list (default 9999999).'),
    optional('addresses', 'array', 'Only coins of these addresses.'),
    optional(
      'include_unsafe',
      'bool',
      "Whether to list unconfirmed coins of others' transactions (default true).",
    ),
    optional('query_options', 'object', 'Not used: the engine lists every coin.'),
  ],
  answer: async ({ wallet, args }) => {
    const least = args.integer('minconf') ?? 1;
    const most = args.integer('maxconf') ?? 9_999_999;
    const unsafe = args.flag('include_unsafe') ?? true;
    const scripts = scriptsOf(args.list('addresses'), wallet);
    const { coins } = await wallet.ledger();
    const known = await wallet.scripts();
    const book = new Map(wallet.addressBook.map(({ address, label }) => [address, label]));
    return coins
      .filter((coin) => !coin.locked && !coin.immature && (unsafe || coin.safe))
      .filter((coin) => confirmationsOf(coin) >= least && confirmationsOf(coin) <= most)
      .filter((coin) => scripts === null || scripts.has(bytesToHex(coin.script)))
      .map((coin) => shownCoin(coin, wallet, book, known));
  },
};

export const listLockUnspent: Question = {
  name: 'listlockunspent',
  group: 'wallet',
  about: 'Coins that are kept from being spent and whose lock is kept in the file.',
  params: [],
  answer: async ({ wallet }) => {
    const { coins } = await wallet.ledger();
    return coins.filter((coin) => coin.locked).map(({ txid, vout }) => ({ txid, vout }));
  },
};

/** `book`: the label of each address. */
function shownCoin(
  coin: Coin,
  wallet: LoadedWallet,
  book: ReadonlyMap<string, string | null>,
  known: WalletScripts,
): RpcValue {
  const address = addressOf(coin.script, wallet.network);
  const info = known.info(coin.script);
  return {
    txid: coin.txid,
    vout: coin.vout,
    address: address ?? undefined,
    label: (address === null ? null : book.get(address)) ?? undefined,
    scriptPubKey: bytesToHex(coin.script),
    amount: coin.amount,
    confirmations: confirmationsOf(coin),
    redeemScript: hexOf(info?.redeemScript),
    witnessScript: hexOf(info?.witnessScript),
    spendable: coin.spendable,
    solvable: info?.solvable ?? false,
    desc: info?.descriptor ?? undefined,
    parent_descs: info?.parents ?? [],
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

function hexOf(bytes: Uint8Array | null | undefined): string | undefined {
  return bytes ? bytesToHex(bytes) : undefined;
}
