/** All that a node says of a loaded wallet, in a form in which two of the same content are equal. */
import { z } from 'zod';
import type { MadeNow } from './madeNow.ts';
import type { RealNode } from './realNode.ts';

export interface ComparedAs {
  readonly madeNow: MadeNow;
  /** Whether the seed of the descriptors in use came out of the legacy wallet. If not, it is random. */
  readonly seedKept: boolean;
  /** Whether the wallet is beside the main one. */
  readonly companion: boolean;
}

/**
 * Not compared, as it cannot be the same:
 * - the wallet's name;
 * - the moment of a migration, told apart by its time: `timestamp` of the descriptors that it makes for new addresses,
 *   `timereceived` of transactions that the node finds in its chain when it loads the wallet;
 * - the keys and checksums of the descriptors in use, where the legacy wallet has no seed. All else of them is;
 * - the order of `listunspent`, which a node takes out of a hash table;
 * - `unlocked_until`, which says when the wallet was unlocked;
 * - of companion wallets, before release 30: `walletversion`, and `keypoolsize_hd_internal`, which is shown because of
 *   it. Both come of the record `minversion`. The engine makes the wallets of release 31, which writes it no more.
 */
export async function walletOnNode(node: RealNode, wallet: string, as: ComparedAs): Promise<WalletOnNode> {
  const ask = (method: string, params: unknown[] = []) => node.call(method, params, wallet);
  const { walletname, unlocked_until, ...info } = infoShape.parse(await ask('getwalletinfo'));
  const labels = z.array(z.string()).parse(await ask('listlabels'));
  const book = await Promise.all(
    labels.map(async (label) => [label, purposes.parse(await ask('getaddressesbylabel', [label]))] as const),
  );
  const received = receivedShape.parse(await ask('listreceivedbyaddress', [0, true, true]));
  const addresses = new Set([
    ...received.map(({ address }) => address),
    ...book.flatMap(([, entries]) => Object.keys(entries)),
  ]);
  const descriptors = async (withPrivateKeys: boolean) =>
    descriptorsShape
      .parse(await ask('listdescriptors', [withPrivateKeys]))
      .descriptors.map((one) => comparable(one, as));
  return {
    info: as.companion && node.version < 300_000 ? withoutVersion(info) : info,
    descriptors: await descriptors(false),
    privateDescriptors: info.private_keys_enabled ? await descriptors(true) : null,
    balances: await ask('getbalances'),
    transactions: transactionsShape
      .parse(await ask('listtransactions', ['*', 10_000, 0, true]))
      .map((one) => ({ ...one, timereceived: as.madeNow.timeOrNow(one.timereceived) })),
    coins: coinsShape.parse(await ask('listunspent', [0, 9_999_999, [], true])).sort(byPlace),
    lockedCoins: await ask('listlockunspent'),
    labels: Object.fromEntries(book),
    received,
    addresses: Object.fromEntries(
      await Promise.all(
        [...addresses].map(async (address) => [address, await ask('getaddressinfo', [address])] as const),
      ),
    ),
  };
}

/** Balances and transactions, of a wallet of either kind. */
export async function historyOnNode(node: RealNode, wallet: string): Promise<unknown> {
  return {
    balances: await node.call('getbalances', [], wallet),
    transactions: await node.call('listtransactions', ['*', 10_000, 0, true], wallet),
  };
}

export interface WalletOnNode {
  readonly info: Readonly<Record<string, unknown>>;
  readonly descriptors: readonly unknown[];
  /** Null for wallets without private keys, of which a node does not list them. */
  readonly privateDescriptors: readonly unknown[] | null;
  readonly balances: unknown;
  readonly transactions: readonly unknown[];
  readonly coins: readonly unknown[];
  readonly lockedCoins: unknown;
  /** By label: the addresses and what each is for. */
  readonly labels: Record<string, unknown>;
  readonly received: readonly unknown[];
  /** What `getaddressinfo` says of each address of the lists above. */
  readonly addresses: Record<string, unknown>;
}

const infoShape = z.looseObject({
  walletname: z.string(),
  private_keys_enabled: z.boolean(),
  unlocked_until: z.number().optional(),
});
const purposes = z.record(z.string(), z.object({ purpose: z.string() }));
const receivedShape = z.array(z.looseObject({ address: z.string() }));
const transactionsShape = z.array(z.looseObject({ timereceived: z.number() }));
const coinsShape = z.array(z.looseObject({ txid: z.string(), vout: z.number() }));
const descriptorsShape = z.object({
  descriptors: z.array(z.looseObject({ desc: z.string(), active: z.boolean(), timestamp: z.number() })),
});

function comparable(one: z.infer<typeof descriptorsShape>['descriptors'][number], as: ComparedAs) {
  if (!one.active) return one;
  const desc = as.seedKept ? one.desc : formOf(one.desc);
  return { ...one, desc, timestamp: as.madeNow.timeOrNow(one.timestamp) };
}

/** `wpkh([0a1b2c3d/84h/1h/0h]tpub…/0/*)#checksum` → `wpkh([/84h/1h/0h]tpub/0/*)` */
function formOf(desc: string): string {
  return desc
    .replace(/\[[0-9a-f]{8}/, '[')
    .replace(/(tpub|tprv)\w+/, '$1')
    .replace(/#\w{8}$/, '');
}

function withoutVersion(info: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { walletversion, keypoolsize_hd_internal, ...rest } = info;
  return rest;
}

function byPlace(a: { txid: string; vout: number }, b: { txid: string; vout: number }): number {
  return a.txid === b.txid ? a.vout - b.vout : a.txid < b.txid ? -1 : 1;
}
