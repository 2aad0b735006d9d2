/** A call to a node as it is planned, the object that is shown being the one that is sent; and its answer in the shape that we rely on. */
import type { z } from 'zod';
import { AppError } from '../../../shared/model/errors.ts';
import type { PlannedCall } from '../../../shared/model/plan.ts';
import { say } from '../../../shared/wording/say.ts';
import { notANode } from '../rpc/connectionErrors.ts';
import type { CallOptions, NodeClient } from '../rpc/session.ts';

/** Stands for the passphrase until the moment of sending. */
export const PASSPHRASE: unique symbol = Symbol('passphrase');

type Param = string | number | boolean | null | typeof PASSPHRASE;

export interface Call {
  readonly method: string;
  readonly params: readonly Param[] | Readonly<Record<string, Param>>;
  /** Of the `/wallet/<name>` path; absent for the root path. */
  readonly wallet?: string;
  /** In which case it is sent, in a sentence; absent where it always is. */
  readonly when?: string;
  /** Sent at the end in any case, also where one before it was refused. */
  readonly last?: true;
}

interface SendOptions extends Omit<CallOptions, 'wallet'> {
  /** For a call that takes one. */
  passphrase?: string | undefined;
}

/** Throws what the client throws. */
export function send(
  client: NodeClient,
  { method, params, wallet }: Call,
  { passphrase, ...options }: SendOptions = {},
): Promise<unknown> {
  const filled = withPassphrase(params, passphrase ?? '');
  return client.call(method, filled, wallet === undefined ? options : { ...options, wallet });
}

/** What a call with a passphrase is sent with. */
export interface Secret {
  passphrase?: string | undefined;
  /** Asked right before the passphrase goes out, over the connection that it goes over. Throws AppError to keep it back. */
  readonly verifyNode: (line: NodeClient, signal?: AbortSignal) => Promise<void>;
}

/**
 * Sends the calls of a plan in their order; those for a case, once the node has refused. Gives the answer to the last one
 * that is not sent in any case, not yet parsed: it comes when the node is done, be it hours later. Throws AppError: what the calls throw, and what
 * `verifyNode` throws.
 */
export async function sendPlanned(
  client: NodeClient,
  calls: readonly Call[],
  { passphrase, verifyNode }: Secret,
  signal?: AbortSignal,
): Promise<unknown> {
  const always = calls.filter(({ when, last }) => when === undefined && last !== true);
  const final = always.at(-1);
  if (final === undefined) throw new Error('no call was planned');
  const options = { timeoutMs: null, signal, passphrase };
  const sendOne = (call: Call) =>
    takesPassphrase(call)
      ? client.overOneConnection(async (line) => {
          await verifyNode(line, signal);
          return send(line, call, options).catch((thrown: unknown) => ifNotNeeded(call, thrown));
        })
      : send(client, call, options);
  const sendAll = async (which: (call: Call) => boolean) => {
    for (const call of calls.filter(which)) await send(client, call).catch(() => undefined);
  };
  /** Those before it that the node has carried out. */
  let answered = 0;
  try {
    for (const call of always.slice(0, -1)) {
      await sendOne(call);
      answered += 1;
    }
    const result = await sendOne(final);
    await sendAll((call) => call.last === true);
    return result;
  } catch (thrown) {
    // Only after the node's own answer: with the line cut the last call may still be at work.
    if (thrown instanceof AppError && thrown.node !== undefined) {
      if (answered === always.length - 1) await sendAll(({ when }) => when !== undefined);
      if (answered > 0) await sendAll((call) => call.last === true);
    }
    throw thrown;
  }
}

/** A wallet without encryption needs no unlocking: as on later releases, the passphrase is then not used. */
function ifNotNeeded({ method }: Call, thrown: unknown): null {
  const isUnlock = method === 'walletpassphrase';
  if (isUnlock && thrown instanceof AppError && thrown.code === 'wallet_wrong_encryption_state') return null;
  throw thrown;
}

function takesPassphrase({ params }: Call): boolean {
  return Object.values(params).includes(PASSPHRASE);
}

/** As it is shown: with dots for the passphrase. */
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

/** `Array.isArray` does not tell a list that is only read from an object. */
function isList(params: Call['params']): params is readonly Param[] {
  return Array.isArray(params);
}

/** Throws AppError `not_a_node` for a result of another shape. Its words name the fields, never their values. */
export function parseResult<S extends z.ZodType>(
  client: NodeClient,
  method: string,
  shape: S,
  result: unknown,
): z.output<S> {
  const parsed = shape.safeParse(result);
  if (parsed.success) return parsed.data;
  const fields = [...new Set(parsed.error.issues.map((issue) => issue.path.join('.')))].join(', ');
  throw notANode(
    client.address,
    fields === ''
      ? say('it answered {method} in an unknown shape', { method })
      : say('it answered {method} in an unknown shape ({fields})', { method, fields }),
  );
}

/** Calls what changes nothing. Throws what the client throws, and `not_a_node` as `parsedResult` does. */
export async function ask<S extends z.ZodType>(
  client: NodeClient,
  method: string,
  shape: S,
  params: readonly string[] | readonly number[],
  options: CallOptions,
): Promise<z.output<S>> {
  return parseResult(client, method, shape, await client.call(method, params, options));
}

/** The same for a call without params, on the root path. */
export function asking<S extends z.ZodType>(method: string, shape: S) {
  return (client: NodeClient, signal?: AbortSignal): Promise<z.output<S>> =>
    ask(client, method, shape, [], { signal });
}

/** For `catch`: null for such a call; throws everything else again. */
export function unlessRefused(thrown: unknown): null {
  const refusals = ['unknown_method', 'no_wallet_support', 'forbidden'];
  if (thrown instanceof AppError && refusals.includes(thrown.code)) return null;
  throw thrown;
}
