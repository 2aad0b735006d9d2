/** Read-only calls about the node itself, in one shape for every release. */
import { z } from 'zod';
import { AppError } from '../../../shared/model/errors.ts';
import { chainNames, networkOfChain } from '../../../shared/model/network.ts';
import type { NodeClient } from '../rpc/session.ts';
import { ask, asking } from './call.ts';
import { share, text } from './walletShapes.ts';

/** Nobody reads more; a node has a handful. */
const MOST_WARNINGS = 100;

export const networkInfo = asking(
  'getnetworkinfo',
  z.object({
    /** 280100 is release 28.1. */
    version: z.number().int().nonnegative(),
    subversion: text,
    /** Verbatim. One text before release 28, a list since. */
    warnings: z
      .union([text.transform((one) => [one]), z.array(text)])
      .transform((all) => all.slice(0, MOST_WARNINGS).filter((warning) => warning !== '')),
  }),
);

/** A node that has no headers yet returns -1. */
const height = z
  .number()
  .int()
  .transform((blocks) => Math.max(0, blocks));

export const blockchainInfo = asking(
  'getblockchaininfo',
  z
    .object({
      chain: z.enum(chainNames).transform(networkOfChain),
      blocks: height,
      headers: height,
      /** Rounding can make it slightly more than 1. */
      verificationprogress: share,
      initialblockdownload: z.boolean(),
      pruned: z.boolean(),
      pruneheight: height.optional(),
    })
    .transform(({ chain, verificationprogress, initialblockdownload, pruneheight = null, ...info }) => ({
      ...info,
      network: chain,
      syncProgress: verificationprogress,
      initialBlockDownload: initialblockdownload,
      pruneHeight: info.pruned ? pruneheight : null,
    })),
);

export const rpcInfo = asking(
  'getrpcinfo',
  z
    .object({
      active_commands: z.array(z.object({ method: z.string() })),
      logpath: z.string().max(4096).optional(),
    })
    .transform(({ active_commands, logpath }) => ({
      /** Running calls of all clients, including this one. */
      activeCommands: active_commands,
      /** Path on the node's machine; null if the node reports none or writes none. */
      logPath: logpath || null,
    })),
);

/** The largest time that a block's four bytes hold, in Unix seconds. */
const LATEST = 0xffff_ffff;
/** Whole seconds. No node has run longer than this limit. */
const uptime = asking('uptime', z.number().nonnegative().max(LATEST));

/**
 * When the node started, in Unix seconds by this machine's clock. The node reports its uptime in whole seconds, so
 * the result is about a second off, more if the answer is slow.
 */
export async function startTime(client: NodeClient, signal?: AbortSignal): Promise<number> {
  const seconds = await uptime(client, signal);
  return Math.max(0, Math.round(Date.now() / 1000 - seconds));
}

/** `confirmations` is -1 for a block that is no longer in the chain. */
const blockShape = z.object({
  height,
  /** Unix seconds. */
  time: z.number().nonnegative().max(LATEST),
  confirmations: z.number().int(),
});
type BlockFacts = Omit<z.infer<typeof blockShape>, 'confirmations'>;

/** Height and time of a block by its hash, which a pruned node still knows. Null if the block is not in the chain. */
export function blockFacts(client: NodeClient, hash: string): Promise<BlockFacts | null> {
  return nullIfAnswered(async () => {
    const { confirmations, ...facts } = await ask(client, 'getblockheader', blockShape, [hash], {});
    return confirmations < 0 ? null : facts;
  });
}

/** Height and time of the block at a height. Null above the tip. */
export function blockAt(client: NodeClient, height: number): Promise<BlockFacts | null> {
  return nullIfAnswered(async () =>
    blockFacts(client, await ask(client, 'getblockhash', z.string(), [height], {})),
  );
}

/** `getchainstates` came in this release. */
export const SNAPSHOTS_SINCE = 260_000;

const chainStates = asking(
  'getchainstates',
  z.object({
    chainstates: z.array(z.object({ snapshot_blockhash: z.string().optional(), validated: z.boolean() })),
  }),
);

/**
 * The block of the assumeutxo snapshot that the node loaded, until it has all blocks below it. Null if there is no
 * snapshot, or the node does not report it. Since release 26.
 */
export function snapshotBase(client: NodeClient): Promise<BlockFacts | null> {
  return nullIfAnswered(async () => {
    const { chainstates } = await chainStates(client);
    const hash = chainstates.find(({ validated }) => !validated)?.snapshot_blockhash;
    return hash === undefined ? null : blockFacts(client, hash);
  });
}

/** Null if the node answers with an error: it has no such block. */
async function nullIfAnswered<T>(blocks: () => Promise<T>): Promise<T | null> {
  try {
    return await blocks();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.node !== undefined) return null;
    throw thrown;
  }
}

/** The node's indexes by name; `basic block filter index` is that of block filters. Since release 0.21. */
export const indexInfo = asking('getindexinfo', z.record(z.string(), z.object({ synced: z.boolean() })));
