/** JSON-RPC 1.0 and 2.0 as the release speaks them: requests in, answers and HTTP codes out. */
import { z } from 'zod';
import { parseJson } from '../../../shared/parseJson.ts';
import type { Dialect } from './dialect.ts';
import { RpcError, rpcErrorNumbers } from './rpcError.ts';
import { type RpcValue, writeRpcJson } from './rpcJson.ts';
import type { Reply } from './server.ts';

export type RawParams = readonly unknown[] | Readonly<Record<string, unknown>>;

/** One call as it is to be run. */
export interface RpcCall {
  readonly method: string;
  readonly params: RawParams;
}

/**
 * Answers the body of one HTTP request: a call or a batch. Errors in 1.0 set the HTTP code (400, 404, 500), in 2.0
 * it is 200; a batch is always 200. A 2.0 call without id is run and not answered.
 */
export async function answerBody(
  body: string,
  dialect: Dialect,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<Reply> {
  const parsed = parseJson(body);
  if (Array.isArray(parsed)) return answerBatch(parsed, dialect, run);
  if (!isObject(parsed)) {
    const words = parsed === undefined ? 'Parse error' : 'Top-level object parse error';
    return failedReply(new RpcError('parse', words));
  }
  const envelope = readEnvelope(parsed, dialect);
  const outcome = await outcomeOf(parsed, envelope, run);
  if (envelope.kind === 'notification') return { status: 204, body: null };
  const quiet = envelope.version === 2 && !('invalid' in outcome);
  const status = outcome.error === undefined || quiet ? 200 : statusOf(outcome.error);
  return { status, body: `${answerText(outcome, envelope)}\n` };
}

async function answerBatch(
  requests: readonly unknown[],
  dialect: Dialect,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<Reply> {
  const answers: string[] = [];
  for (const request of requests) {
    const envelope = readEnvelope(isObject(request) ? request : {}, dialect);
    const outcome = await outcomeOf(request, envelope, run);
    if (envelope.kind === 'call') answers.push(answerText(outcome, envelope));
  }
  // An empty batch gets an empty list; one of notifications only gets nothing.
  if (answers.length === 0 && requests.length > 0) return { status: 204, body: null };
  return { status: 200, body: `[${answers.join(',')}]\n` };
}

/** Which version a request speaks and whether and to whom it is answered. */
interface Envelope {
  readonly kind: 'call' | 'notification';
  readonly version: 1 | 2;
  readonly id: RpcValue;
  /** What is wrong with the version it asks for. */
  readonly refusal: RpcError | null;
}

interface Outcome {
  readonly result?: RpcValue;
  readonly error?: RpcError;
  /** The request itself is wrong: it did not come to a call. */
  readonly invalid?: true;
}

const idShape = z.union([z.string(), z.number(), z.boolean(), z.null()]);

function readEnvelope(request: Readonly<Record<string, unknown>>, dialect: Dialect): Envelope {
  const id = idShape.catch(null).parse(request.id ?? null);
  const asked = request.jsonrpc;
  if (!dialect.jsonRpc2 || asked === undefined || asked === null || asked === '1.0') {
    return { kind: 'call', version: 1, id, refusal: null };
  }
  if (asked === '2.0') {
    return { kind: 'id' in request ? 'call' : 'notification', version: 2, id, refusal: null };
  }
  const words =
    typeof asked === 'string' ? 'JSON-RPC version not supported' : 'jsonrpc field must be a string';
  return { kind: 'call', version: 1, id, refusal: new RpcError('invalidRequest', words) };
}

async function outcomeOf(
  request: unknown,
  envelope: Envelope,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<Outcome> {
  let call: RpcCall;
  try {
    if (envelope.refusal) throw envelope.refusal;
    call = readCall(request);
  } catch (error) {
    return { error: rpcErrorOf(error), invalid: true };
  }
  try {
    return { result: await run(call) };
  } catch (error) {
    return { error: rpcErrorOf(error) };
  }
}

function readCall(request: unknown): RpcCall {
  if (!isObject(request)) throw new RpcError('invalidRequest', 'Invalid Request object');
  const { method, params } = request;
  if (method === undefined || method === null) throw new RpcError('invalidRequest', 'Missing method');
  if (typeof method !== 'string') throw new RpcError('invalidRequest', 'Method must be a string');
  if (params === undefined || params === null) return { method, params: [] };
  if (!Array.isArray(params) && !isObject(params)) {
    throw new RpcError('invalidRequest', 'Params must be an array or object');
  }
  return { method, params };
}

/** 1.0 always has `error`, null when all is well; 2.0 has either `result` or `error`. */
function answerText({ result, error }: Outcome, { version, id }: Envelope): string {
  const shown = error ? { code: error.code, message: error.message } : null;
  if (version === 1) return writeRpcJson({ result: error ? null : (result ?? null), error: shown, id });
  return writeRpcJson({ jsonrpc: '2.0', ...(shown ? { error: shown } : { result: result ?? null }), id });
}

function failedReply(error: RpcError): Reply {
  const envelope: Envelope = { kind: 'call', version: 1, id: null, refusal: null };
  return { status: statusOf(error), body: `${answerText({ error }, envelope)}\n` };
}

function statusOf({ code }: RpcError): number {
  if (code === rpcErrorNumbers.invalidRequest) return 400;
  return code === rpcErrorNumbers.unknownMethod ? 404 : 500;
}

/** The text of an unforeseen error may quote what a call was given, and that may be a passphrase. */
function rpcErrorOf(error: unknown): RpcError {
  return error instanceof RpcError
    ? error
    : new RpcError('internal', 'Something went wrong inside the engine.');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
