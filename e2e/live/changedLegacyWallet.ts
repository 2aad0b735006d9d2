/** A legacy wallet with more in it than the fixtures have: changed by a node that still can, before release 30. */
import { join } from 'node:path';
import { z } from 'zod';
import type { RealNode } from './realNode.ts';

/** Loads a copy of `file` under that name, changes it, unloads it, and resolves with the changed file's path. */
export async function changeLegacyWallet(node: RealNode, name: string, file: string): Promise<string> {
  node.putWallet(name, file);
  await node.call('loadwallet', [name]);
  const ask = (method: string, params: unknown[] = []) => node.call(method, params, name);

  const coins = coinsShape.parse(await ask('listunspent'));
  const [first, second] = coins
    .filter(({ spendable }) => spendable)
    .map(({ txid, vout }) => ({ txid, vout }));
  await ask('lockunspent', [false, [first, second], true]);

  await ask('setlabel', [FOREIGN, 'someone else']);
  const own = z.string().parse(await ask('getnewaddress', ['new – “quoted” 💰', 'legacy']));
  await ask('setlabel', [z.string().parse(await ask('getnewaddress', ['', 'bech32'])), 'twice']);
  await ask('setlabel', [z.string().parse(await ask('getrawchangeaddress', ['bech32'])), 'twice']);

  await ask('importaddress', [WATCHED, 'watched', false]);
  const { pubkey } = z.object({ pubkey: z.string() }).parse(await ask('getaddressinfo', [own]));
  await ask('addmultisigaddress', [1, [pubkey, STRANGER], 'one of two', 'p2sh-segwit']);
  await ask('setwalletflag', ['avoid_reuse', true]);
  await node.call('unloadwallet', [name]);
  return join(node.walletsFolder, name, 'wallet.dat');
}

const coinsShape = z.array(z.object({ txid: z.string(), vout: z.number(), spendable: z.boolean() }));

/** Addresses of hashes of one byte over and over, and the curve's base point as a public key: no fixture has them. */
const FOREIGN = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const WATCHED = 'bcrt1qqyqszqgpqyqszqgpqyqszqgpqyqszqgpvxat9t';
const STRANGER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
