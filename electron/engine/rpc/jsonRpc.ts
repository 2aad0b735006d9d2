/** JSON-RPC 1.0 and 2.0 of each release: requests, answers, HTTP codes, errors, and amounts as JSON. */
import { FileError } from '../../../shared/model/findings/fileError.ts';
import { readBoundedJson, utf8TextOrNull } from '../../http/boundedBody.ts';
import type { Dialect } from './dialect.ts';
import type { Reply } from './server.ts';

export type RawParams = readonly unknown[] | Readonly<Record<string, unknown>>;

export interface RpcCall {
  readonly method: string;
  readonly params: RawParams;
}

/**
 * Answers the body of one HTTP request: a call or a batch. Errors in 1.0 set the HTTP code (400, 404, 500), in 2.0
 * it is 200; a batch is always 200. A 2.0 call without id is run and not answered.
 */
export async function answerBody(
  body: Uint8Array,
  dialect: Dialect,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<Reply> {
  const parsed = parseBody(body);
  if (Array.isArray(parsed)) {
    const answers: string[] = [];
    for (const request of parsed) {
      const { reply, isNotification } = await answerOne(request, dialect, run);
      if (!isNotification && reply.body !== null) answers.push(reply.body);
    }
    // An empty batch gets an empty list; a batch of notifications gets nothing.
    if (answers.length === 0 && parsed.length > 0) return NOTHING;
    return { status: 200, body: `[${answers.join(',')}]\n` };
  }
  if (!isObject(parsed)) {
    const error = new RpcError(
      'parse',
      parsed === undefined ? 'Parse error' : 'Top-level object parse error',
    );
    return { status: statusOf(error), body: `${answerText(null, false, { error: errorObject(error) })}\n` };
  }
  const { reply, isNotification, isValid } = await answerOne(parsed, dialect, run);
  // A node answers an invalid request even without an id, but not in a batch.
  return isNotification && isValid ? NOTHING : { ...reply, body: `${reply.body}\n` };
}

/** The deepest nesting that a node parses. */
const MAX_LEVELS = 512;

/** Undefined for what a node does not parse: bytes that are not UTF-8, unpaired surrogates, and deeper nesting than `MAX_LEVELS`. */
function parseBody(body: Uint8Array): unknown {
  const text = utf8TextOrNull(body);
  const read = text === null ? null : readBoundedJson(text, MAX_LEVELS);
  if (text === null || read?.is !== 'json') return undefined;
  return /\\ud[89a-f]/i.test(text) && hasUnpairedSurrogate(text) ? undefined : read.value;
}

function hasUnpairedSurrogate(text: string): boolean {
  let found = false;
  JSON.parse(text, (name, value: unknown) => {
    if (UNPAIRED_SURROGATE.test(name) || (typeof value === 'string' && UNPAIRED_SURROGATE.test(value)))
      found = true;
    return value;
  });
  return found;
}

const UNPAIRED_SURROGATE = /\p{Cs}/u;

const NOTHING: Reply = { status: 204, body: null };

interface AnsweredCall {
  /** Without its final line break. */
  readonly reply: Reply;
  /** Whether it is a 2.0 call without id. */
  readonly isNotification: boolean;
  /** Whether it could be run. */
  readonly isValid: boolean;
}

async function answerOne(
  request: unknown,
  dialect: Dialect,
  run: (call: RpcCall) => Promise<RpcValue>,
): Promise<AnsweredCall> {
  const fields = isObject(request) ? request : {};
  // Nodes send back any value. Since they support 2.0, they do not answer a missing id with null.
  const hasId = 'id' in fields || !dialect.jsonRpc2 || !isObject(request);
  const id = hasId ? new WrittenJson(JSON.stringify(fields.id ?? null)) : undefined;
  const isVersion2 = dialect.jsonRpc2 && fields.jsonrpc === '2.0';
  let isValid = false;
  let reply: Reply;
  try {
    if (dialect.jsonRpc2) refuseVersion(fields.jsonrpc);
    const call = readCall(request);
    isValid = true;
    reply = { status: 200, body: answerText(id, isVersion2, { result: await run(call) }) };
  } catch (thrown) {
    // The text of an unexpected error may quote the call's arguments, such as a passphrase.
    const error =
      thrown instanceof RpcError
        ? thrown
        : new RpcError('internal', 'Something went wrong inside the engine.');
    const status = isVersion2 && isValid ? 200 : statusOf(error);
    reply = { status, body: answerText(id, isVersion2, { error: errorObject(error) }) };
  }
  return { reply, isNotification: isVersion2 && !hasId, isValid };
}

function refuseVersion(version: unknown): void {
  if (version === undefined || version === null || version === '1.0' || version === '2.0') return;
  throw new RpcError(
    'invalidRequest',
    typeof version === 'string' ? 'JSON-RPC version not supported' : 'jsonrpc field must be a string',
  );
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

/** Version 1.0 has both `result` and `error`, one of them null; 2.0 has one of them. */
function answerText(
  id: RpcValue | undefined,
  isVersion2: boolean,
  fields: Readonly<Record<string, RpcValue>>,
): string {
  return writeRpcJson(
    isVersion2 ? { jsonrpc: '2.0', ...fields, id } : { result: null, error: null, ...fields, id },
  );
}

function errorObject({ code, message }: RpcError): RpcValue {
  return { code, message };
}

function statusOf({ code }: RpcError): number {
  if (code === rpcErrorNumbers.invalidRequest) return 400;
  return code === rpcErrorNumbers.unknownMethod ? 404 : 500;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON text from a thread, which need not be parsed and written again. */
export class WrittenJson {
  constructor(readonly text: string) {}
}

/** A value of an answer. A bigint is an amount in satoshi; undefined members are omitted. */
export type RpcValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | WrittenJson
  | readonly RpcValue[]
  | { readonly [name: string]: RpcValue | undefined };

/** Writes `859997180n` as `8.59997180`; JSON.stringify would drop the final zero. */
export function writeRpcJson(value: RpcValue): string {
  if (typeof value === 'bigint') return bitcoinText(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (value instanceof WrittenJson) return value.text;
  if (isList(value)) return `[${value.map(writeRpcJson).join(',')}]`;
  const members = Object.entries(value).flatMap(([name, member]) =>
    member === undefined ? [] : [`${JSON.stringify(name)}:${writeRpcJson(member)}`],
  );
  return `{${members.join(',')}}`;
}

const SATOSHI_PER_BITCOIN = 100_000_000n;

function bitcoinText(satoshi: bigint): string {
  const absolute = satoshi < 0n ? -satoshi : satoshi;
  const decimals = (absolute % SATOSHI_PER_BITCOIN).toString().padStart(8, '0');
  return `${satoshi < 0n ? '-' : ''}${absolute / SATOSHI_PER_BITCOIN}.${decimals}`;
}

function isList(value: object): value is readonly RpcValue[] {
  return Array.isArray(value);
}

/** Numbers of `src/rpc/protocol.h`. */
const rpcErrorNumbers = {
  misc: -1,
  typeError: -3,
  wallet: -4,
  invalidAddress: -5,
  outOfMemory: -7,
  invalidParameter: -8,
  invalidLabel: -11,
  unlockNeeded: -13,
  wrongPassphrase: -14,
  wrongEncryptionState: -15,
  walletNotFound: -18,
  walletNotSpecified: -19,
  walletAlreadyLoaded: -35,
  walletAlreadyExists: -36,
  invalidRequest: -32600,
  unknownMethod: -32601,
  internal: -32603,
  parse: -32700,
} as const;

export type RpcErrorName = keyof typeof rpcErrorNumbers;

/** The error that answers a call. Its message must never contain a passphrase, a key or a cookie. */
export class RpcError extends Error {
  readonly code: number;

  constructor(
    readonly kind: RpcErrorName,
    message: string,
  ) {
    super(message);
    this.name = 'RpcError';
    this.code = rpcErrorNumbers[kind];
  }
}

/** The answer to a call whose task exceeded the engine's limits of time or memory. Other errors stay as they are. */
export function limitErrorOf(error: unknown): unknown {
  const finding = error instanceof FileError ? error.finding : null;
  if (finding?.code === 'work_too_long') {
    const minutes = Math.ceil(finding.seconds / 60);
    return new RpcError(
      'wallet',
      `The work on this wallet was stopped after ${minutes} minutes: its file may be built to take forever. No wallet file was changed. Try another copy of it, or a faster computer.`,
    );
  }
  if (finding?.code === 'work_too_large') {
    return new RpcError(
      'outOfMemory',
      'The work on this wallet needs more memory than the engine may use. No wallet file was changed. Try a computer with more memory.',
    );
  }
  return error;
}
