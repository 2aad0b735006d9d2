/** JSON-RPC 1.0 and 2.0 as the release speaks them: requests in, answers and HTTP codes out. */
import { z } from 'zod';
import { parseJson } from '../../../shared/model/parseJson.ts';
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
  if (Array.isArray(parsed)) {
    const answers: string[] = [];
    for (const request of parsed) {
      const { body } = await answerOne(request, dialect, run);
      if (body !== null) answers.push(body);
    }
    // An empty batch gets an empty list; one of notifications only gets nothing.
    if (answers.length === 0 && parsed.length > 0) return NOTHING;
    return { status: 200, body: `[${answers.join(',')}]\n` };
  }
  if (!isObject(parsed)) {
    const words = parsed === undefined ? 'Parse error' : 'Top-level object parse error';
    const error = new RpcError('parse', words);
    return { status: statusOf(error), body: `${answerText(null, false, { error: shown(error) })}\n` };
  }
  const answer = await answerOne(parsed, dialect, run);
  return answer.body === null ? answer : { ...answer, body: `${answer.body}\n` };
}

const NOTHING: Reply = { status: 204, body: null };

const idShape = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Without the end of its line. */
async function answerOne(
  request: unknown,
  dialect: Dialect,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<Reply> {
  const fields = isObject(request) ? request : {};
  const id = idShape.catch(null).parse(fields.id ?? null);
  const isSecond = dialect.jsonRpc2 && fields.jsonrpc === '2.0';
  let isCalled = false;
  let reply: Reply;
  try {
    if (dialect.jsonRpc2) refuseVersion(fields.jsonrpc);
    const call = readCall(request);
    isCalled = true;
    reply = { status: 200, body: answerText(id, isSecond, { result: await run(call) }) };
  } catch (thrown) {
    // The text of an unforeseen error may quote what a call was given, and that may be a passphrase.
    const error =
      thrown instanceof RpcError
        ? thrown
        : new RpcError('internal', 'Something went wrong inside the engine.');
    const status = isSecond && isCalled ? 200 : statusOf(error);
    reply = { status, body: answerText(id, isSecond, { error: shown(error) }) };
  }
  return isSecond && !('id' in fields) ? NOTHING : reply;
}

function refuseVersion(asked: unknown): void {
  if (asked === undefined || asked === null || asked === '1.0' || asked === '2.0') return;
  const words =
    typeof asked === 'string' ? 'JSON-RPC version not supported' : 'jsonrpc field must be a string';
  throw new RpcError('invalidRequest', words);
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
function answerText(id: RpcValue, isSecond: boolean, told: Readonly<Record<string, RpcValue>>): string {
  return writeRpcJson(
    isSecond ? { jsonrpc: '2.0', ...told, id } : { result: null, error: null, ...told, id },
  );
}

function shown({ code, message }: RpcError): RpcValue {
  return { code, message };
}

function statusOf({ code }: RpcError): number {
  if (code === rpcErrorNumbers.invalidRequest) return 400;
  return code === rpcErrorNumbers.unknownMethod ? 404 : 500;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
