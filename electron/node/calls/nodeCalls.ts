/** The calls that tell what a node is and does, in one shape for every release. */
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Network } from '../../../shared/network.ts';
import { chainNames, networkOfChain } from '../../../shared/network.ts';
import type { NodeClient } from '../rpc/session.ts';
import { parsedResult } from './call.ts';

interface NetworkInfo {
  /** 280100 is release 28.1. */
  readonly version: number;
  readonly subversion: string;
  /** Verbatim. One text before release 28, a list since. */
  readonly warnings: string[];
}

export async function networkInfo(client: NodeClient, signal?: AbortSignal): Promise<NetworkInfo> {
  const result = await client.call('getnetworkinfo', [], { signal });
  const { version, subversion, warnings } = parsedResult(client, 'getnetworkinfo', networkInfoShape, result);
  const list = typeof warnings === 'string' ? [warnings] : warnings;
  return { version, subversion, warnings: list.filter((warning) => warning !== '') };
}

interface BlockchainInfo {
  readonly network: Network;
  readonly blocks: number;
  readonly headers: number;
  /** 0 to 1. */
  readonly verificationProgress: number;
  readonly initialBlockDownload: boolean;
  readonly pruned: boolean;
  readonly pruneHeight: number | null;
}

export async function blockchainInfo(client: NodeClient, signal?: AbortSignal): Promise<BlockchainInfo> {
  const result = await client.call('getblockchaininfo', [], { signal });
  const info = parsedResult(client, 'getblockchaininfo', blockchainInfoShape, result);
  return {
    network: info.chain,
    blocks: info.blocks,
    headers: info.headers,
    verificationProgress: info.verificationprogress,
    initialBlockDownload: info.initialblockdownload,
    pruned: info.pruned,
    pruneHeight: info.pruneheight ?? null,
  };
}

interface RpcInfo {
  /** The running calls of everyone, this one included. */
  readonly activeCommands: { readonly method: string; readonly durationMicroseconds: number }[];
  /** On the node's machine; null when the node does not tell or writes none. */
  readonly logPath: string | null;
}

export async function rpcInfo(client: NodeClient, signal?: AbortSignal): Promise<RpcInfo> {
  const result = await client.call('getrpcinfo', [], { signal });
  const info = parsedResult(client, 'getrpcinfo', rpcInfoShape, result);
  return {
    activeCommands: info.active_commands.map(({ method, duration }) => ({
      method,
      durationMicroseconds: duration,
    })),
    logPath: info.logpath || null,
  };
}

/**
 * When the node started, in Unix seconds by this machine's clock, from the whole seconds that it says it has run;
 * therefore a second more or less, and more where its answer takes long.
 */
export async function startTime(client: NodeClient, signal?: AbortSignal): Promise<number> {
  const seconds = parsedResult(client, 'uptime', uptimeShape, await client.call('uptime', [], { signal }));
  return Math.max(0, Math.round(Date.now() / 1000 - seconds));
}

interface BlockFacts {
  readonly height: number;
  /** Unix seconds. */
  readonly time: number;
}

/** Of a block by its hash, which a pruned node still knows. Null for one that is not in its chain. */
export function blockFacts(
  client: NodeClient,
  hash: string,
  signal?: AbortSignal,
): Promise<BlockFacts | null> {
  return unlessRefused(async () => {
    const result = await client.call('getblockheader', [hash], { signal });
    const { height, time, confirmations } = parsedResult(client, 'getblockheader', blockShape, result);
    return confirmations < 0 ? null : { height, time };
  });
}

/** The same by its height. Null above the tip. */
export function blockAt(
  client: NodeClient,
  height: number,
  signal?: AbortSignal,
): Promise<BlockFacts | null> {
  return unlessRefused(async () => {
    const hash = await client.call('getblockhash', [height], { signal });
    return blockFacts(client, parsedResult(client, 'getblockhash', z.string(), hash), signal);
  });
}

/** Null where the node answers with an error: it has no such block. */
async function unlessRefused<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.node !== undefined) return null;
    throw thrown;
  }
}

interface IndexInfo {
  readonly name: string;
  readonly synced: boolean;
  /** The block the index has reached. */
  readonly height: number;
}

/** The node's indexes; block filters are the one named `basic block filter index`. Since release 0.21. */
export async function indexInfo(client: NodeClient, signal?: AbortSignal): Promise<IndexInfo[]> {
  const result = await client.call('getindexinfo', [], { signal });
  const indexes = parsedResult(client, 'getindexinfo', indexInfoShape, result);
  return Object.entries(indexes).map(([name, index]) => ({
    name,
    synced: index.synced,
    height: index.best_block_height,
  }));
}

const text = z.string().transform((words) => words.slice(0, 20_000));
/** A node without any header yet gives -1. */
const height = z
  .number()
  .int()
  .transform((blocks) => Math.max(0, blocks));

/** More than these no one reads; a node has a handful of them. */
const MOST_WARNINGS = 100;
const warnings = z.array(text).transform((all) => all.slice(0, MOST_WARNINGS));

const networkInfoShape = z.object({
  version: z.number().int().nonnegative(),
  subversion: text,
  warnings: z.union([text, warnings]),
});

const chain = z.enum(chainNames).transform(networkOfChain);

const blockchainInfoShape = z.object({
  chain,
  blocks: height,
  headers: height,
  /** Rounding can carry it a little over 1. */
  verificationprogress: z.number().transform((share) => Math.min(1, Math.max(0, share))),
  initialblockdownload: z.boolean(),
  pruned: z.boolean(),
  pruneheight: height.optional(),
});

/** What the four bytes of a block's time can hold, in Unix seconds. */
const LATEST = 0xffff_ffff;

/** `confirmations` is -1 for a block that is not in the chain any more. */
const blockShape = z.object({
  height,
  time: z.number().nonnegative().max(LATEST),
  confirmations: z.number().int(),
});

/** Longer than a node has run anywhere would be no time. */
const uptimeShape = z.number().nonnegative().max(LATEST);

const rpcInfoShape = z.object({
  active_commands: z.array(z.object({ method: z.string(), duration: z.number() })),
  logpath: z.string().max(4096).optional(),
});

const indexInfoShape = z.record(
  z.string(),
  z.object({ synced: z.boolean(), best_block_height: z.number().int() }),
);
