/** All that a node answers about a loaded wallet, in a form that is equal for equal contents. */
import { z } from 'zod/mini';
import type { RealNode } from './realNode.ts';
import type { TimeSpan } from './timeSpan.ts';

export interface ComparedAs {
  readonly span: TimeSpan;
  /** Whether the active descriptors have the seed of the legacy wallet. If not, it is random. */
  readonly seedKept: boolean;
  /** Whether it is a watch-only or solvables wallet. */
  readonly companion: boolean;
}

/**
 * Returns all answers of the node, except what cannot be the same:
 * - the wallet's name;
 * - the time of the migration: `timestamp` of the descriptors for new addresses, and `timereceived` of transactions that
 *   the node finds when it loads the wallet;
 * - the keys and checksums of the active descriptors, if the legacy wallet has no seed;
 * - the order of `listunspent`, which comes from a hash table;
 * - `unlocked_until`, the end of the unlocking;
 * - before release 30, of watch-only and solvables wallets, `walletversion`, and `keypoolsize_hd_internal`, which depends
 *   on it. Both come from the record `minversion`. The engine writes wallets of release 31, which no longer has it.
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
      .map((one) => ({ ...one, timereceived: as.span.comparable(one.timereceived) })),
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

/** The balances and transactions of a wallet of either kind. */
export async function historyOnNode(node: RealNode, wallet: string): Promise<unknown> {
  return {
    balances: await node.call('getbalances', [], wallet),
    transactions: await node.call('listtransactions', ['*', 10_000, 0, true], wallet),
  };
}

export interface WalletOnNode {
  readonly info: Readonly<Record<string, unknown>>;
  readonly descriptors: readonly unknown[];
  /** Null for wallets without private keys, for which a node does not list them. */
  readonly privateDescriptors: readonly unknown[] | null;
  readonly balances: unknown;
  readonly transactions: readonly unknown[];
  readonly coins: readonly unknown[];
  readonly lockedCoins: unknown;
  /** The addresses of each label, and their purposes. */
  readonly labels: Record<string, unknown>;
  readonly received: readonly unknown[];
  /** The answer of `getaddressinfo` for each address of the lists above. */
  readonly addresses: Record<string, unknown>;
}

const infoShape = z.looseObject({
  walletname: z.string(),
  private_keys_enabled: z.boolean(),
  unlocked_until: z.optional(z.number()),
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
  return { ...one, desc, timestamp: as.span.comparable(one.timestamp) };
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
