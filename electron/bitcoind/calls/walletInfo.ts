/** What a node says of a loaded wallet, in one shape for every release. Ignores fields that the app does not use. */
import { createHash } from 'node:crypto';
import { z } from 'zod/mini';
import { nullFor } from '../../../shared/model/errors.ts';
import { type Balance, satoshiOfBitcoin } from '../../../shared/model/money.ts';
import { isBehind, type NodeStatus } from '../../../shared/model/node.ts';
import { convert, count } from '../../../shared/model/shapes.ts';
import type { Wallet } from '../../../shared/model/wallet.ts';
import type { NodeClient, Session } from '../rpc/session.ts';
import { callReadOnly, fraction } from './call.ts';

/** There are never more than 21 million. */
const bitcoin = convert(z.number().check(z.gte(-21_000_000), z.lte(21_000_000)), satoshiOfBitcoin);

/** The last second of the year 9999, the largest date that can be written. */
const MAX_DATE = 253_402_300_799;

const descriptorsShape = z.object({
  descriptors: z.array(
    z.object({
      desc: z._default(z.string(), ''),
      /** First and last index. */
      range: z.optional(z.tuple([z.number(), z.number()])),
      next: z._default(z.number(), 0),
    }),
  ),
});

const walletInfoShape = convert(
  z.object({
    /** `sqlite` or `bdb`; since release 22. */
    format: z.optional(z.string()),
    /** Since release 26. */
    blank: z.optional(z.boolean()),
    descriptors: z._default(z.boolean(), false),
    private_keys_enabled: z._default(z.boolean(), true),
    /** Only encrypted wallets have it. */
    unlocked_until: z.optional(z.number()),
    scanning: z._default(z.union([z.literal(false), z.object({ progress: fraction })]), false),
    txcount: count,
    /** 0 (recorded after migrations on release 31) and 1 mean "since the first block". */
    birthtime: z.optional(
      convert(z.number().check(z.nonnegative(), z.lte(MAX_DATE)), (seconds) =>
        seconds > 1 ? seconds : null,
      ),
    ),
  }),
  (info) => ({
    descriptors: info.descriptors,
    format: info.format ?? null,
    /** Null if the release does not report it. */
    blank: info.blank ?? null,
    encrypted: info.unlocked_until !== undefined,
    privateKeys: info.private_keys_enabled,
    /** During a rescan: the fraction done, from 0 to 1. */
    scanning: info.scanning === false ? null : info.scanning.progress,
    txcount: info.txcount,
    /** Unix seconds; null before release 26, and for a wallet that may be as old as the chain. */
    birthTime: info.birthtime ?? null,
  }),
);
export type WalletInfo = z.output<typeof walletInfoShape>;

/** The part of `getbalances` for the wallet's own coins, or for watched ones. Satoshi. */
const coins = convert(
  z.object({
    trusted: bitcoin,
    untrusted_pending: bitcoin,
    immature: bitcoin,
    used: z._default(bitcoin, 0n),
  }),
  ({ trusted, untrusted_pending, immature, used }) => ({
    /** Confirmed coins and the wallet's own unconfirmed change: what can be spent now. */
    spendable: trusted,
    unconfirmed: untrusted_pending,
    immature,
    /** Coins that avoid_reuse excludes from `spendable`; zero without that setting. */
    used,
  }),
);
type Coins = z.output<typeof coins>;

const balancesShape = convert(
  z.object({ mine: coins, watchonly: z.optional(coins) }),
  ({ mine, watchonly = null }) => ({
    ...mine,
    /** Watched coins of a legacy wallet; null for other wallets. */
    watched: watchonly && { ...watchonly, used: 0n },
  }),
);
type Balances = z.output<typeof balancesShape>;

/**
 * The balance that the app compares with a file's. For a wallet without private keys, the node reports watched coins
 * as its own. Coins excluded by `avoid_reuse` count too.
 */
export function balanceOnNode({ watched, ...own }: Balances, watchOnly: boolean): Balance {
  const all = ({ spendable, unconfirmed, immature, used }: Coins) =>
    spendable + unconfirmed + immature + used;
  const watchedToo = watched === null ? 0n : all(watched);
  return watchOnly
    ? { spendable: 0n, watched: all(own) + watchedToo, notYours: 0n }
    : { spendable: all(own), watched: watchedToo, notYours: 0n };
}

/** The balance for the list of wallets. */
export function balanceInList(balances: Balances, watchOnly: boolean): Pick<Wallet, 'balance' | 'spendable'> {
  const { spendable, watched } = balances;
  return {
    balance: balanceOnNode(balances, watchOnly),
    spendable: spendable + (watchOnly && watched ? watched.spendable : 0n),
  };
}

/** Throws AppError `wallet_not_found` unless the wallet is loaded. */
export function walletInfo(client: NodeClient, wallet: string, signal?: AbortSignal): Promise<WalletInfo> {
  return callReadOnly(client, 'getwalletinfo', walletInfoShape, [], { wallet, signal });
}

/** Throws what the call throws: `getbalances` came with release 0.19. */
export function walletBalances(client: NodeClient, wallet: string, signal?: AbortSignal): Promise<Balances> {
  return callReadOnly(client, 'getbalances', balancesShape, [], { wallet, signal });
}

async function listDescriptors(client: NodeClient, wallet: string, signal?: AbortSignal) {
  const options = { wallet, signal };
  return (await callReadOnly(client, 'listdescriptors', descriptorsShape, [], options)).descriptors;
}

/** Whether a loaded descriptor wallet has any descriptors. Null if the node has no `listdescriptors`. Throws what the call throws. */
export async function hasDescriptors(
  client: NodeClient,
  wallet: string,
  signal?: AbortSignal,
): Promise<boolean | null> {
  const found = await listDescriptors(client, wallet, signal).catch(nullFor('unknown_method'));
  return found && found.length > 0;
}

/**
 * Identifies the descriptors that a node names of a loaded descriptor wallet, whatever addresses they have given out. Some releases write
 * `'` and some `h` for a hardened step, which changes the checksum too. Undefined if the node does not answer. The id of a wallet with
 * more than 1,000 may be a minute old unless `isFresh`: an answer has hundreds of kilobytes, and each block asks for one.
 */
export async function descriptorsIdOf(
  client: NodeClient,
  wallet: string,
  { signal, isFresh = false }: { signal?: AbortSignal | undefined; isFresh?: boolean } = {},
): Promise<string | undefined> {
  const large = largeWallets.get(client) ?? new Map<string, { id: string; at: number }>();
  largeWallets.set(client, large);
  const known = large.get(wallet);
  if (known && !isFresh && performance.now() - known.at < LARGE_AGAIN_MS) return known.id;
  const found = await listDescriptors(client, wallet, signal).catch(() => null);
  if (found === null) return undefined;
  const texts = found.map(({ desc }) => desc.replace(/#.*/, '').replaceAll("'", 'h'));
  const id = createHash('sha256').update(texts.sort().join('\n')).digest('hex');
  if (texts.length > 1000) large.set(wallet, { id, at: performance.now() });
  else large.delete(wallet);
  return id;
}

/** The ids of wallets with many descriptors, and when each was asked for, in milliseconds. */
const largeWallets = new WeakMap<NodeClient, Map<string, { id: string; at: number }>>();
const LARGE_AGAIN_MS = 60_000;

/** How far a node is that is still syncing. Null stands for none. */
export function syncingOf(status: NodeStatus | null): Pick<PaymentsFound, 'syncing'> {
  if (status === null || !isBehind(status)) return {};
  const { blocks, headers } = status;
  return { syncing: { blocks, headers } };
}

interface PaymentsFound {
  /** Unix seconds. */
  since?: number;
  transactions?: number;
  locked?: true;
  syncing?: Pick<NodeStatus, 'blocks' | 'headers'>;
}

/**
 * The date from which the node searched for a wallet's payments, and whether it found any: a late date of its keys hides
 * older payments, and a node that is syncing lacks newer ones. `birth`: the date in the file, because releases before 26 give
 * none. Without a chain the node searches nothing. `info`: null if the node did not answer. Never throws.
 */
export async function paymentsFound(
  { client, status }: Session,
  wallet: string,
  info: WalletInfo | null,
  birth?: number,
): Promise<PaymentsFound> {
  if (status.offline) return {};
  const syncing = syncingOf(status);
  if (info === null) return syncing;
  const since = info.birthTime ?? birth;
  const locked = info.encrypted && (await lacksLaterAddresses(client, wallet).catch(() => false));
  return {
    ...(since === undefined ? {} : { since }),
    transactions: info.txcount,
    ...(locked ? { locked } : {}),
    ...syncing,
  };
}

/** Whether a node makes the addresses of a descriptor only with the private key: of every legacy chain. */
export function isLastStepHardened(descriptor: string): boolean {
  return /\*[h']/.test(descriptor);
}

/** Addresses; the usual gap limit. */
const NEAR_THE_END = 20;

/**
 * Whether the used addresses of a hardened chain reach near its end: the node makes later ones only with the passphrase. Throws what
 * `listdescriptors` throws.
 */
async function lacksLaterAddresses(client: NodeClient, wallet: string): Promise<boolean> {
  const descriptors = await listDescriptors(client, wallet);
  return descriptors.some(
    ({ desc, range, next }) =>
      isLastStepHardened(desc) && next > 0 && range !== undefined && range[1] + 1 - next < NEAR_THE_END,
  );
}
