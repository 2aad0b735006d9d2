/** Reads what a node answered to one call, in the dialect of JSON-RPC 1.0 or 2.0. */
import { z } from 'zod';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { readBoundedJson } from './boundedJson.ts';
import { answerTooLarge, notANode } from './connectionErrors.ts';
import { httpError, noWalletSupport, rpcError } from './rpcErrors.ts';

interface AskedCall {
  readonly address: NodeAddress;
  readonly method: string;
  readonly path: string;
  readonly id: number;
  readonly sentCredentials: boolean;
  /** True for what changes nothing. */
  readonly readOnly: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** What it asks a login for (`WWW-Authenticate`); null where it asks for none. */
  readonly realm: string | null;
}

/**
 * The result, or an AppError for every other answer. Releases before 28 answer as JSON-RPC 1.0: `result` and
 * `error` are both there and an error comes with HTTP status 500 or 404. From 28 on an error comes with 200.
 */
export function resultOf(asked: AskedCall, { status, text, realm }: HttpAnswer): unknown {
  if (status === 401 && !asked.sentCredentials && realm !== NODE_REALM) {
    throw notANode(asked.address, say('it asks for another kind of login'));
  }
  const refusal = httpError(asked.method, status, asked.sentCredentials);
  if (refusal !== null && !(status === 503 && !asked.readOnly && isPage(text))) throw refusal;
  const json = readBoundedJson(text);
  if (json.is === 'too-many') throw answerTooLarge(asked.method);
  if (json.is === 'too-deep') {
    throw notANode(asked.address, say('its JSON is nested too deep'));
  }
  if (json.is === 'not-json') {
    // A node built without wallets has no such path at all.
    if (status === 404 && asked.path.startsWith('/wallet/')) throw noWalletSupport();
    throw notANode(asked.address, say('it answered HTTP {status} without JSON', { status }));
  }
  const parsed = answerShape.safeParse(json.value);
  if (!parsed.success) throw notANode(asked.address, say('its JSON is not JSON-RPC'));
  const { error, id, result } = parsed.data;
  // A request that could not be read is answered with the id null.
  const isUnread = error && id === null;
  if (id !== asked.id && !isUnread) throw notANode(asked.address, say('it answered another call'));
  if (error) throw rpcError(asked.method, error.code, error.message);
  if (status !== 200 || result === undefined) {
    throw notANode(asked.address, say('it answered HTTP {status} without result or error', { status }));
  }
  return result;
}

/** `WWW_AUTH_HEADER_DATA` of `src/httprpc.cpp`. */
const NODE_REALM = 'Basic realm="jsonrpc"';

const answerShape = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number().int(), message: z.string() }).nullish(),
  id: z.union([z.number(), z.string(), z.null()]).optional(),
});

/** A node says in plain words that it is busy. A page comes from a server in between, which may have passed the call on. */
function isPage(text: string): boolean {
  return text.trimStart().startsWith('<');
}
