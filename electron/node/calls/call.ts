/** A call to a node as it is planned, the object that is shown being the one that is sent; and its answer in the shape that we rely on. */

import type { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { PlannedCall } from '../../../shared/plan.ts';
import { say } from '../../../shared/text/say.ts';
import { notANode } from '../rpc/lineErrors.ts';
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

export function takesPassphrase({ params }: Call): boolean {
  return Object.values(params).includes(PASSPHRASE);
}

/** As it is shown: with dots for the passphrase. */
export function shownCall({ method, params, wallet, when }: Call): PlannedCall {
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
export function parsedResult<S extends z.ZodType>(
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

/** For `catch`: null for such a call; throws everything else again. */
export function unlessRefused(thrown: unknown): null {
  const refusals = ['unknown_method', 'no_wallet_support', 'forbidden'];
  if (thrown instanceof AppError && refusals.includes(thrown.code)) return null;
  throw thrown;
}
