/** `listunspent` and `listlockunspent`: coins as the wallet's file last knew them. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { addressOf, scriptOfAddress } from '../../wallet/address.ts';
import type { Engine } from '../engineContext.ts';
import type { Coin, LoadedWallet, WalletScripts } from '../loadedWallet.ts';
import { RpcError } from '../rpcError.ts';
import type { RpcValue } from '../rpcJson.ts';
import { calledWallet } from '../whichWallet.ts';
import { type Method, optional } from './method.ts';

export const listUnspent: Method = {
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
  run: async ({ engine, args, endpoint }) => {
    const { wallet } = calledWallet(engine, endpoint);
    const least = args.integer('minconf') ?? 1;
    const most = args.integer('maxconf') ?? 9_999_999;
    const unsafe = args.flag('include_unsafe') ?? true;
    const scripts = scriptsOf(args.list('addresses'), engine);
    const { coins } = await wallet.ledger();
    const known = await wallet.scripts();
    return coins
      .filter((coin) => !coin.locked && !coin.immature && (unsafe || coin.safe))
      .filter((coin) => confirmationsOf(coin) >= least && confirmationsOf(coin) <= most)
      .filter((coin) => scripts === null || scripts.has(bytesToHex(coin.script)))
      .map((coin) => shownCoin(coin, wallet, known));
  },
};

export const listLockUnspent: Method = {
  name: 'listlockunspent',
  group: 'wallet',
  about: 'Coins that are kept from being spent and whose lock is kept in the file.',
  params: [],
  run: async ({ engine, endpoint }) => {
    const { coins } = await calledWallet(engine, endpoint).wallet.ledger();
    return coins.filter((coin) => coin.locked).map(({ txid, vout }) => ({ txid, vout }));
  },
};

function shownCoin(coin: Coin, wallet: LoadedWallet, known: WalletScripts): RpcValue {
  const address = addressOf(coin.script, wallet.network);
  const info = known.info(coin.script);
  const entry = wallet.addressBook.find((each) => each.address === address);
  return {
    txid: coin.txid,
    vout: coin.vout,
    address: address ?? undefined,
    label: entry?.label ?? undefined,
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

function scriptsOf(addresses: readonly unknown[] | null, { network }: Engine): Set<string> | null {
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
