/**
 * A planned call to a node: the app shows and sends the same object. Also parses results into the shapes that the app
 * relies on, and makes the read-only calls about the node itself, in one shape for every release.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod/mini';
import { AppError, type ErrorCode, nullFor } from '../../../shared/model/errors.ts';
import { chainNames, networkOfChain } from '../../../shared/model/network.ts';
import type { NodeStart } from '../../../shared/model/node.ts';
import type { PlannedCall } from '../../../shared/model/plan.ts';
import { convert, textUpTo } from '../../../shared/model/shapes.ts';
import { say } from '../../../shared/wording/say.ts';
import { notANodeError } from '../rpc/rpcErrors.ts';
import type { CallOptions, NodeClient, Session } from '../rpc/session.ts';

/** Stands for the passphrase until the moment of sending. */
export const PASSPHRASE: unique symbol = Symbol('passphrase');

type Param = string | number | boolean | null | typeof PASSPHRASE;

export interface Call {
  readonly method: string;
  readonly params: readonly Param[] | Readonly<Record<string, Param>>;
  /** Wallet of the `/wallet/<name>` path; absent for the root path. */
  readonly wallet?: string;
  /** The condition under which the app sends it, as a sentence; absent if it always sends it. */
  readonly when?: string;
  /** Of a conditional call: how many earlier calls the node must have carried out. Absent: all but the last one. */
  readonly after?: number;
  /** Sent last, even if an earlier call was refused. */
  readonly last?: true;
}

/** Throws what the client throws. */
export function send(
  client: NodeClient,
  { method, params, wallet }: Call,
  { passphrase, ...options }: Omit<CallOptions, 'wallet'> & Pick<Secret, 'passphrase'> = {},
): Promise<unknown> {
  const filled = withPassphrase(params, passphrase ?? '');
  return client.call(method, filled, wallet === undefined ? options : { ...options, wallet });
}

/** The passphrase of a call, and the check of the node before it is sent. */
export interface Secret {
  passphrase?: string | undefined;
  /**
   * Runs right before the first call and before each one with the passphrase, over the same connection. Throws AppError to send
   * nothing.
   */
  readonly verifyNode: (connection: NodeClient, signal?: AbortSignal) => Promise<void>;
}

/** What to do right before the call that does the work, and if a closing call, such as `walletlock`, fails. */
interface SendOptions {
  /** Throws AppError, of the `REFUSALS`, to send no more. */
  readonly beforeWork?: (() => void) | undefined;
  /** Before a further attempt. */
  readonly pauseMs: number;
  /** Called with a call that failed for good. */
  readonly onFailure: (call: Call) => void;
}

/**
 * Sends a plan's calls in order, and the conditional ones (`when`) after a refusal. Returns the unparsed result of the last
 * unconditional call, which may take hours. Throws AppError: what the calls, `verifyNode` and `beforeWork` throw.
 */
export async function sendPlanned(
  client: NodeClient,
  calls: readonly Call[],
  { passphrase, verifyNode }: Secret,
  signal?: AbortSignal,
  { beforeWork, ...closing }: SendOptions = { pauseMs: 0, onFailure: () => {} },
): Promise<unknown> {
  const always = calls.filter(({ when, last }) => when === undefined && last !== true);
  const final = always.at(-1);
  if (final === undefined) throw new Error('no call was planned');
  const options = { timeoutMs: null, signal, passphrase };
  /** The number of earlier calls that the node carried out. */
  let answered = 0;
  const sendOne = (call: Call) =>
    // Another node at the address may have a wallet of the same name.
    answered === 0 || takesPassphrase(call)
      ? client.overOneConnection(async (connection) => {
          await verifyNode(connection, signal);
          return send(connection, call, options).catch((thrown: unknown) =>
            ignoreUnneededUnlock(call, thrown),
          );
        })
      : send(client, call, options);
  const sendAll = async (which: (call: Call) => boolean) => {
    for (const call of calls.filter(which)) await closeWith(client, call, closing);
  };
  try {
    for (const call of always.slice(0, -1)) {
      await sendOne(call);
      answered += 1;
    }
    beforeWork?.();
    const result = await sendOne(final);
    await sendAll((call) => call.last === true);
    return result;
  } catch (thrown) {
    // If the connection was lost, the last call may still be running.
    if (thrown instanceof AppError && isRefusal(thrown)) {
      const isDue = ({ after = always.length - 1 }: Call) => answered >= after;
      await sendAll((call) => call.when !== undefined && isDue(call));
      if (answered > 0) await sendAll((call) => call.last === true);
    }
    throw thrown;
  }
}

/** Errors that prove that the call did not run. An error answer of the node nearly always does; `resolveRefused` handles the exceptions. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set([
  // The call has its own connection. Without one, nothing was sent.
  'cannot_connect',
  'credentials_missing',
  'credentials_refused',
  'forbidden',
  'busy',
  'starting_up',
  'unknown_method',
  'no_wallet_support',
  'bad_input',
  'not_connected',
  // The app did not send it.
  'stopped_by_check',
  'file_exists',
]);

/** Whether the call did not run, as far as its error shows: see `REFUSALS`. */
export function isRefusal(error: AppError): boolean {
  return error.node !== undefined || REFUSALS.has(error.code);
}

/** Sends a closing call again while it fails for a reason that may pass. */
async function closeWith(client: NodeClient, call: Call, { pauseMs, onFailure }: SendOptions) {
  for (let attempt = 1; attempt <= MAX_CLOSING_ATTEMPTS; attempt += 1) {
    if (attempt > 1) await pause(pauseMs, undefined, { ref: false });
    const isClosed = await tryClosing(client, call);
    if (isClosed === true) return;
    if (isClosed === false) break;
  }
  onFailure(call);
}

/** With the usual pause, at least 20 seconds. */
const MAX_CLOSING_ATTEMPTS = 10;

/** Sends a call that locks or unloads a wallet. False if it failed; null if the reason may pass. */
export async function tryClosing(client: NodeClient, call: Call): Promise<boolean | null> {
  try {
    await send(client, call);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    // Nothing is left to close.
    if (thrown.code === 'wallet_wrong_encryption_state' || thrown.code === 'wallet_not_found') return true;
    return PASSING_ERRORS.has(thrown.code) ? null : false;
  }
}

const PASSING_ERRORS: ReadonlySet<ErrorCode> = new Set([
  'busy',
  'starting_up',
  'cannot_connect',
  'connection_lost',
  'timed_out',
]);

/** An unencrypted wallet needs no unlocking. Later releases ignore the passphrase too. */
function ignoreUnneededUnlock({ method }: Call, thrown: unknown): null {
  const isUnlock = method === 'walletpassphrase';
  if (isUnlock && thrown instanceof AppError && thrown.code === 'wallet_wrong_encryption_state') return null;
  throw thrown;
}

function takesPassphrase({ params }: Call): boolean {
  return Object.values(params).includes(PASSPHRASE);
}

/** The call as the page shows it, with dots for the passphrase. */
export function toPlannedCall({ method, params, wallet, when }: Call): PlannedCall {
  return { method, params: withPassphrase(params, DOTS), wallet: wallet ?? null, when: when ?? null };
}

const DOTS = '•••';

function withPassphrase(params: Call['params'], passphrase: string) {
  const fill = (param: Param) => (param === PASSPHRASE ? passphrase : param);
  return isList(params)
    ? params.map(fill)
    : Object.fromEntries(Object.entries(params).map(([name, param]) => [name, fill(param)]));
}

/** `Array.isArray` does not narrow a readonly array. */
function isList(params: Call['params']): params is readonly Param[] {
  return Array.isArray(params);
}

/** Throws AppError `not_a_node` if the result has another shape. The message names the fields, never their values. */
function parseResult<S extends z.ZodMiniType>(
  client: NodeClient,
  method: string,
  shape: S,
  result: unknown,
): z.output<S> {
  const parsed = shape.safeParse(result);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
  throw notANodeError(
    client.address,
    fields === ''
      ? say('unknown answer to {method}', { method })
      : say('unknown answer to {method} ({fields})', { method, fields }),
  );
}

/** Makes a function that parses the result of a method. Throws as `parseResult` does. */
export function createParser<S extends z.ZodMiniType>(method: string, shape: S) {
  return (client: NodeClient, result: unknown) => parseResult(client, method, shape, result);
}

/** Calls a read-only method. Throws what the client throws, and `not_a_node` as `parseResult` does. */
export async function callReadOnly<S extends z.ZodMiniType>(
  client: NodeClient,
  method: string,
  shape: S,
  params: readonly string[] | readonly number[],
  options: CallOptions,
): Promise<z.output<S>> {
  return parseResult(client, method, shape, await client.call(method, params, options));
}

/** Makes a function for a read-only method without params, on the root path. */
export function defineReadCall<S extends z.ZodMiniType>(method: string, shape: S) {
  return (client: NodeClient, signal?: AbortSignal): Promise<z.output<S>> =>
    callReadOnly(client, method, shape, [], { signal });
}

/** For `catch`: null if the node refuses the call itself; rethrows every other error. */
export const nullIfUnavailable = nullFor('unknown_method', 'no_wallet_support', 'forbidden');

/** A text from the node, cut to the length that the page accepts. */
export const text = convert(z.string(), (words) => words.slice(0, 20_000));

/** A fraction from 0 to 1. */
export const fraction = convert(z.number(), (part) => Math.min(1, Math.max(0, part)));

/** Nobody reads more; a node has a handful. */
const MAX_WARNINGS = 100;

export const networkInfo = defineReadCall(
  'getnetworkinfo',
  z.object({
    /** 280100 is release 28.1. */
    version: z.int().check(z.nonnegative()),
    subversion: text,
    /** Verbatim. One text before release 28, a list since. */
    warnings: convert(z.union([convert(text, (one) => [one]), z.array(text)]), (all) =>
      all.slice(0, MAX_WARNINGS).filter((warning) => warning !== ''),
    ),
  }),
);

/** A node that has no headers yet returns -1. */
const height = convert(z.int(), (blocks) => Math.max(0, blocks));

/** The largest time that a block's four bytes hold, in Unix seconds. */
const MAX_BLOCK_TIME = 0xffff_ffff;

export const blockchainInfo = defineReadCall(
  'getblockchaininfo',
  convert(
    z.object({
      chain: convert(z.enum(chainNames), networkOfChain),
      blocks: height,
      headers: height,
      time: z.optional(z.number().check(z.nonnegative(), z.lte(MAX_BLOCK_TIME))),
      /** Rounding can make it slightly more than 1. */
      verificationprogress: fraction,
      initialblockdownload: z.boolean(),
      pruned: z.boolean(),
      pruneheight: z.optional(height),
    }),
    ({ chain, time, verificationprogress, initialblockdownload, pruneheight = null, ...info }) => ({
      ...info,
      ...(time !== undefined && { newestBlockTime: time }),
      network: chain,
      syncProgress: verificationprogress,
      initialBlockDownload: initialblockdownload,
      pruneHeight: info.pruned ? pruneheight : null,
    }),
  ),
);

export const rpcInfo = defineReadCall(
  'getrpcinfo',
  convert(
    z.object({
      active_commands: z.array(
        z.object({ method: z.string(), duration: z.optional(z.number().check(z.nonnegative())) }),
      ),
      logpath: z.optional(textUpTo(4096)),
    }),
    ({ active_commands, logpath }) => ({
      /** Running calls of all clients, including this one. `duration`: so far, in microseconds. */
      activeCommands: active_commands,
      /** Path on the node's machine; null if the node reports none or writes none. */
      logPath: logpath || null,
    }),
  ),
);

/** Whole seconds. No node has run longer than this limit. */
const uptime = defineReadCall('uptime', z.number().check(z.nonnegative(), z.lte(MAX_BLOCK_TIME)));

/**
 * When the node started, by this machine's clocks. The node reports its uptime in whole seconds, so the results are about a second
 * off, more if the answer is slow.
 */
export async function startTime(client: NodeClient, signal?: AbortSignal): Promise<NodeStart> {
  const seconds = await uptime(client, signal);
  const [steady] = process.hrtime();
  return { started: Math.max(0, Math.round(Date.now() / 1000 - seconds)), startedSteady: steady - seconds };
}

/** `confirmations` is -1 for a block that is no longer in the chain. */
const blockShape = z.object({
  height,
  /** Unix seconds. */
  time: z.number().check(z.nonnegative(), z.lte(MAX_BLOCK_TIME)),
  confirmations: z.int(),
});
export type BlockFacts = Omit<z.infer<typeof blockShape>, 'confirmations'>;

/** Height and time of a block by its hash, which a pruned node still knows. Null if the block is not in the chain. */
export function blockFacts(client: NodeClient, hash: string): Promise<BlockFacts | null> {
  return nullIfRpcError(async () => {
    const { confirmations, ...facts } = await callReadOnly(client, 'getblockheader', blockShape, [hash], {});
    return confirmations < 0 ? null : facts;
  });
}

/** Height and time of the block at a height. Null above the tip. */
export async function blockAt(client: NodeClient, height: number): Promise<BlockFacts | null> {
  const hash = await blockHashAt(client, height);
  return hash === null ? null : blockFacts(client, hash);
}

/** The hash of the block at a height. Null above the tip. */
export function blockHashAt(client: NodeClient, height: number): Promise<string | null> {
  return nullIfRpcError(() => callReadOnly(client, 'getblockhash', z.string(), [height], {}));
}

/** `getchainstates` came in this release. */
const SNAPSHOTS_SINCE = 260_000;

const chainStates = defineReadCall(
  'getchainstates',
  z.object({
    chainstates: z.array(z.object({ snapshot_blockhash: z.optional(z.string()), validated: z.boolean() })),
  }),
);

/**
 * The block of the assumeutxo snapshot that the node loaded, until it has all blocks below it. Null if there is no
 * snapshot, or the node does not report it, as before release 26. The offline engine has none.
 */
export async function snapshotBase({ client, status }: Session): Promise<BlockFacts | null> {
  if (status.offline || status.release.number < SNAPSHOTS_SINCE) return null;
  return nullIfRpcError(async () => {
    const { chainstates } = (await chainStates(client).catch(nullIfUnavailable)) ?? { chainstates: [] };
    const hash = chainstates.find(({ validated }) => !validated)?.snapshot_blockhash;
    return hash === undefined ? null : blockFacts(client, hash);
  });
}

/** Null if the node answers with an error: it has no such block. */
async function nullIfRpcError<T>(blocks: () => Promise<T>): Promise<T | null> {
  try {
    return await blocks();
  } catch (thrown) {
    if (thrown instanceof AppError && thrown.node !== undefined) return null;
    throw thrown;
  }
}

/** The node's indexes by name; `basic block filter index` is that of block filters. Since release 0.21. */
export const indexInfo = defineReadCall(
  'getindexinfo',
  z.record(z.string(), z.object({ synced: z.boolean() })),
);
