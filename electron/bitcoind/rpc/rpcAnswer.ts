/** Parses a node's answer to one call, in JSON-RPC 1.0 or 2.0. */
import { z } from 'zod';
import type { NodeAddress } from '../../../shared/model/node.ts';
import { say } from '../../../shared/wording/say.ts';
import { readBoundedJson } from './boundedJson.ts';
import { answerTooLarge, notANode } from './connectionErrors.ts';
import { httpError, noWalletSupport, rpcError } from './rpcErrors.ts';

interface SentCall {
  readonly address: NodeAddress;
  readonly method: string;
  readonly path: string;
  readonly id: number;
  readonly sentCredentials: boolean;
  /** Whether the method changes nothing. */
  readonly readOnly: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  readonly text: string;
  /** The `WWW-Authenticate` header; null if there is none. */
  readonly realm: string | null;
}

/**
 * Returns the result, and throws an AppError for every other answer. Releases before 28 answer as JSON-RPC 1.0, with
 * both `result` and `error`, and errors have HTTP status 500 or 404. From 28 on errors have status 200.
 */
export function resultOf(call: SentCall, { status, text, realm }: HttpAnswer): unknown {
  if (status === 401 && !call.sentCredentials && realm !== NODE_REALM) {
    throw notANode(call.address, say('it asks for another kind of login'));
  }
  const refusal = httpError(call.method, status, call.sentCredentials);
  if (refusal !== null && !(status === 503 && !call.readOnly && isPage(text))) throw refusal;
  const json = readBoundedJson(text);
  if (json.is === 'too-many') throw answerTooLarge(call.method);
  if (json.is === 'too-deep') {
    throw notANode(call.address, say('its JSON is nested too deep'));
  }
  if (json.is === 'not-json') {
    // A node built without wallets does not have this path.
    if (status === 404 && call.path.startsWith('/wallet/')) throw noWalletSupport();
    throw notANode(call.address, say('it answered HTTP {status} without JSON', { status }));
  }
  const parsed = answerShape.safeParse(json.value);
  if (!parsed.success) throw notANode(call.address, say('its JSON is not JSON-RPC'));
  const { error, id, result } = parsed.data;
  // The answer to an unreadable request has the id null.
  const isUnreadable = error && id === null;
  if (id !== call.id && !isUnreadable) throw notANode(call.address, say('it answered another call'));
  if (error) throw rpcError(call.method, error.code, error.message);
  if (status !== 200 || result === undefined) {
    throw notANode(call.address, say('it answered HTTP {status} without result or error', { status }));
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

/** A busy node answers in plain text. A page comes from a proxy, which may have forwarded the call. */
function isPage(text: string): boolean {
  return text.trimStart().startsWith('<');
}
