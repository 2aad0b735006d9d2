import { describe, expect, it } from 'vitest';
import { dialects } from './dialect.ts';
import { answerBody, type RpcCall, RpcError, type RpcValue, writeRpcJson } from './jsonRpc.ts';

async function run({ method, params }: RpcCall): Promise<RpcValue> {
  if (method === 'fail') throw new RpcError('wallet', 'no');
  if (method === 'missing') throw new RpcError('unknownMethod', 'Method not found');
  if (method === 'break') throw new Error('secret words');
  return JSON.stringify(params);
}

async function ask(body: unknown, release: 23 | 25 | 28 | 30 = 30) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = body instanceof Uint8Array ? body : Buffer.from(text);
  const reply = await answerBody(bytes, dialects[release], run);
  return { status: reply.status, body: reply.body === null ? null : JSON.parse(reply.body) };
}

describe('answerBody', () => {
  it('answers 1.0 with result and error, and 2.0 with one of them', async () => {
    expect(await ask({ method: 'echo', params: [1], id: 7 })).toEqual({
      status: 200,
      body: { result: '[1]', error: null, id: 7 },
    });
    expect(await ask({ jsonrpc: '2.0', method: 'echo', id: 'x' })).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', result: '[]', id: 'x' },
    });
    expect(await ask({ jsonrpc: '2.0', method: 'fail', id: 1 })).toEqual({
      status: 200,
      body: { jsonrpc: '2.0', error: { code: -4, message: 'no' }, id: 1 },
    });
  });

  it.each([
    ['fail', 500],
    ['missing', 404],
    ['break', 500],
  ])('answers the error of %s in 1.0 with HTTP %i', async (method, status) => {
    const reply = await ask({ jsonrpc: '1.0', method, id: 1 });
    expect(reply.status).toBe(status);
    expect(reply.body.result).toBeNull();
  });

  it.each([23, 25] as const)('answers 2.0 as 1.0 in release %i', async (release) => {
    expect(await ask({ jsonrpc: '2.0', method: 'missing', id: 1 }, release)).toEqual({
      status: 404,
      body: { result: null, error: { code: -32601, message: 'Method not found' }, id: 1 },
    });
    expect((await ask({ jsonrpc: '3.0', method: 'echo', id: 1 }, release)).status).toBe(200);
  });

  it('keeps the text of an unforeseen error to itself', async () => {
    const { body } = await ask({ method: 'break', id: 1 });
    expect(body.error.code).toBe(-32603);
    expect(JSON.stringify(body)).not.toContain('secret');
  });

  it.each([
    ['not json', 500, -32700],
    ['', 500, -32700],
    ['"text"', 500, -32700],
    ['{"id":1}', 400, -32600],
    ['{"id":1,"method":5}', 400, -32600],
    ['{"id":1,"method":"echo","params":"x"}', 400, -32600],
    ['{"id":1,"method":"echo","jsonrpc":"3.0"}', 400, -32600],
    ['{"id":1,"method":"echo","jsonrpc":2.0}', 400, -32600],
  ])('refuses %s', async (body, status, code) => {
    const reply = await ask(body);
    expect(reply.status).toBe(status);
    expect(reply.body.error.code).toBe(code);
  });

  // What 29.3, 30.0 and 31.0 answer to the same bytes.
  it.each([
    ['bytes that are not UTF-8', Buffer.from('{"method":"echo","params":["caf\xe9"],"id":1}', 'latin1')],
    ['an unpaired surrogate', String.raw`{"method":"echo","params":["\ud800"],"id":1}`],
    ['an unpaired surrogate in a name', String.raw`{"method":"echo","params":{"\uDEAD":1},"id":1}`],
    ['513 levels', `{"method":"echo","params":${'['.repeat(512)}${']'.repeat(512)},"id":1}`],
  ])('does not parse %s', async (_, body) => {
    expect(await ask(body)).toEqual({
      status: 500,
      body: { result: null, error: { code: -32700, message: 'Parse error' }, id: null },
    });
  });

  it('parses surrogate pairs however they are written, and 512 levels', async () => {
    const written = String.raw`{"method":"echo","params":["\ud83d\udcb0 \\ud800 💰"],"id":1}`;
    expect((await ask(written)).body.result).toBe(String.raw`["💰 \\ud800 💰"]`);
    expect((await ask(`{"method":"echo","params":${'['.repeat(511)}${']'.repeat(511)}}`)).status).toBe(200);
  });

  it('sends back any id', async () => {
    for (const id of ['x', 1, 1.5, true, null, [1, ['a']], { a: { b: 1 } }])
      expect((await ask({ method: 'echo', id })).body.id).toEqual(id);
  });

  it('sends no id for a missing one, and null before release 28', async () => {
    expect(await ask({ method: 'echo' })).toEqual({ status: 200, body: { result: '[]', error: null } });
    expect(await ask([{}])).toEqual({
      status: 200,
      body: [{ result: null, error: { code: -32600, message: 'Missing method' } }],
    });
    expect((await ask({ method: 'echo' }, 25)).body.id).toBeNull();
  });

  it('runs a 2.0 notification without answering it', async () => {
    expect(await ask({ jsonrpc: '2.0', method: 'echo' })).toEqual({ status: 204, body: null });
    expect(await ask({ jsonrpc: '2.0', method: 'fail' })).toEqual({ status: 204, body: null });
  });

  it('refuses an invalid 2.0 call without id, except in a batch', async () => {
    const invalid = { jsonrpc: '2.0', method: 5 };
    expect(await ask(invalid)).toEqual({
      status: 400,
      body: { jsonrpc: '2.0', error: { code: -32600, message: 'Method must be a string' } },
    });
    expect(await ask([invalid])).toEqual({ status: 204, body: null });
  });

  it('answers a batch in order, errors and versions mixed, with HTTP 200', async () => {
    const reply = await ask([
      { jsonrpc: '2.0', method: 'echo', id: 1 },
      { jsonrpc: '2.0', method: 'echo' },
      { method: 'fail', id: 2 },
      5,
    ]);
    expect(reply).toEqual({
      status: 200,
      body: [
        { jsonrpc: '2.0', result: '[]', id: 1 },
        { result: null, error: { code: -4, message: 'no' }, id: 2 },
        { result: null, error: { code: -32600, message: 'Invalid Request object' }, id: null },
      ],
    });
    expect(await ask([])).toEqual({ status: 200, body: [] });
    expect(await ask([{ jsonrpc: '2.0', method: 'echo' }])).toEqual({ status: 204, body: null });
  });
});

describe('writeRpcJson', () => {
  it('writes satoshi as bitcoin with eight decimals, exactly', () => {
    const amounts = [0n, 1n, 859997180n, -10n, 2_100_000_000_000_000n];
    expect(writeRpcJson(amounts)).toBe('[0.00000000,0.00000001,8.59997180,-0.00000010,21000000.00000000]');
  });

  it('leaves out members that are undefined and keeps those that are null', () => {
    expect(writeRpcJson({ a: undefined, b: null, c: { d: [] } })).toBe('{"b":null,"c":{"d":[]}}');
  });

  it('escapes text as JSON does', () => {
    expect(JSON.parse(writeRpcJson({ 'a"b': 'line\nbreak 💰' }))).toEqual({ 'a"b': 'line\nbreak 💰' });
  });
});
