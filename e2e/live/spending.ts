/** What a wallet in a real node can do with its coins and with new addresses. */
import { z } from 'zod/mini';
import { satoshiOfBitcoin } from '../../shared/model/money.ts';
import type { RealNode } from './realNode.ts';

/**
 * Signs a transaction that spends every coin to a new address of each type, and one that spends these outputs. Returns
 * whether the node's memory pool would accept each, which needs valid signatures of all inputs. Sends nothing.
 */
export async function spendAll(
  node: RealNode,
  wallet: string,
): Promise<{ coins: number; allowed: boolean[] }> {
  const coins = await coinsOf(node, wallet);
  const addresses: string[] = [];
  for (const type of ['legacy', 'p2sh-segwit', 'bech32', 'bech32m']) {
    addresses.push(z.string().parse(await node.call('getnewaddress', ['', type], wallet)));
  }
  const total = coins.reduce((sum, { amount }) => sum + satoshiOfBitcoin(amount), 0n);
  const share = (total - FEE) / BigInt(addresses.length);
  const spread = await signed(
    node,
    wallet,
    coins,
    addresses.map((address) => [address, share]),
  );
  const outputs = await outputsOf(node, spread);
  const [first = ''] = addresses;
  const collected = await signed(node, wallet, outputs, [[first, share * BigInt(outputs.length) - FEE]]);
  const verdicts = verdictsShape.parse(await node.call('testmempoolaccept', [[spread, collected]]));
  return { coins: coins.length, allowed: verdicts.map(({ allowed }) => allowed) };
}

/**
 * What the wallet knows about its coins, as it fills it into a PSBT without signing: scripts and key paths. Wallets that
 * know the same return the same text.
 */
export async function coinKnowledge(node: RealNode, wallet: string): Promise<unknown> {
  const inputs = (await coinsOf(node, wallet))
    .map(({ txid, vout }) => ({ txid, vout }))
    .sort((a, b) => (`${a.txid}${a.vout}` < `${b.txid}${b.vout}` ? -1 : 1));
  const psbt = await node.call('createpsbt', [inputs, [{ data: '00' }]]);
  return node.call('walletprocesspsbt', [psbt, false], wallet);
}

/** The fee in satoshi: several per byte for the coins of the fixtures. */
const FEE = 20_000n;

interface Output {
  readonly txid: string;
  readonly vout: number;
  readonly scriptPubKey: string;
  /** Bitcoin, as RPC gives it. */
  readonly amount: number;
}

const outputShape = z.object({
  txid: z.string(),
  vout: z.number(),
  scriptPubKey: z.string(),
  amount: z.number(),
});
const signedShape = z.object({ hex: z.string(), complete: z.boolean(), errors: z.optional(z.unknown()) });
const verdictsShape = z.array(z.object({ allowed: z.boolean() }));
const decodedShape = z.object({
  txid: z.string(),
  vout: z.array(z.object({ n: z.number(), value: z.number(), scriptPubKey: z.object({ hex: z.string() }) })),
});

async function coinsOf(node: RealNode, wallet: string): Promise<Output[]> {
  return z.array(outputShape).parse(await node.call('listunspent', [], wallet));
}

async function signed(
  node: RealNode,
  wallet: string,
  inputs: readonly Output[],
  payments: readonly (readonly [address: string, satoshi: bigint])[],
): Promise<string> {
  const outputs = payments.map(([address, satoshi]) => ({ [address]: bitcoinText(satoshi) }));
  const hex = await node.call('createrawtransaction', [
    inputs.map(({ txid, vout }) => ({ txid, vout })),
    outputs,
  ]);
  const result = signedShape.parse(await node.call('signrawtransactionwithwallet', [hex, inputs], wallet));
  if (!result.complete) throw new Error(`The wallet cannot sign: ${JSON.stringify(result.errors)}`);
  return result.hex;
}

async function outputsOf(node: RealNode, hex: string): Promise<Output[]> {
  const { txid, vout } = decodedShape.parse(await node.call('decoderawtransaction', [hex]));
  return vout.map(({ n, value, scriptPubKey }) => ({
    txid,
    vout: n,
    scriptPubKey: scriptPubKey.hex,
    amount: value,
  }));
}

function bitcoinText(satoshi: bigint): string {
  const digits = satoshi.toString().padStart(9, '0');
  return `${digits.slice(0, -8)}.${digits.slice(-8)}`;
}
