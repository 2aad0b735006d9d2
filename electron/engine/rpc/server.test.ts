import { readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { deferred } from '../../../shared/testing/deferred.ts';
import { onUnix } from '../../files/testing/onUnix.ts';
import { engineForTest, putWallet, type TestEngine } from '../testing/testEngine.ts';
import { workHere } from '../testing/workHere.ts';

const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'listwallets' });
const listed = '{"jsonrpc":"2.0","result":[],"id":1}\n';

describe('the server', () => {
  let test: TestEngine;
  beforeEach(async () => {
    test = await engineForTest({ host: '0.0.0.0', login: { user: 'me', password: 'a:b' } });
  });

  it('accepts both the cookie and the login', async () => {
    const cookie = readFileSync(test.engine.cookie, 'utf8');
    expect(cookie).toMatch(/^__cookie__:[0-9a-f]{64}$/);
    for (const credentials of [cookie, 'me:a:b']) {
      expect(await test.post('/', body, credentials)).toMatchObject({ status: 200, body: listed });
    }
  });

  onUnix('shows the cookie file to its owner only, and removes it at the end', async () => {
    expect(statSync(test.engine.cookie).mode & 0o777).toBe(0o600);
    await test.engine.stop();
    expect(() => statSync(test.engine.cookie)).toThrow('ENOENT');
  });

  it.each([null, '', 'me:wrong', '__cookie__:0', 'me'])(
    'refuses the login %j with 401 and no text',
    async (credentials) => {
      const reply = await test.post('/', body, credentials);
      expect(reply).toMatchObject({ status: 401, body: '' });
      expect(reply.headers.get('www-authenticate')).toBe('Basic realm="jsonrpc"');
    },
  );

  it('logs a wrong password, but not its text', async () => {
    await test.post('/', body, 'me:hunter2');
    expect(test.log()).toMatch(/Z incorrect password attempt from .*127\.0\.0\.1:\d+\n/);
    expect(test.log()).not.toContain('hunter2');
  });

  it('logs many wrong passwords in a few lines', async () => {
    await Promise.all(Array.from({ length: 30 }, () => test.post('/', body, 'me:hunter2')));
    const lines = test.log().match(/incorrect password attempt/g) ?? [];
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThan(4);
  });

  it.each(['/x', '/wallet', '/?a=1'])('answers the path %s with 404', async (path) => {
    expect((await test.post(path, body)).status).toBe(404);
  });

  it('finds the wallet of a path, with or without escapes', async () => {
    for (const [name, ...paths] of [
      ['100%', '/wallet/100%', '/wallet/100%25'],
      ['ünï', '/wallet/%C3%BCn%c3%af', '/wallet/ünï'],
      ['a+b c', '/wallet/a+b%20c'],
    ] as const) {
      putWallet(test.walletsFolder, name, 'descriptor-hd');
      await test.call('loadwallet', [name]);
      for (const path of paths)
        expect((await test.call('getwalletinfo', [], path)).result, path).toMatchObject({ walletname: name });
    }
    for (const path of ['/wallet/%zz', '/wallet/%', '/wallet/%ff', '/wallet/'])
      expect((await test.call('getwalletinfo', [], path)).error?.code, path).toBe(-18);
  });

  it('accepts POST only', async () => {
    const response = await fetch(test.engine.url);
    expect(response.status).toBe(405);
    expect(await response.text()).toBe('JSONRPC server handles only POST requests');
  });

  it('answers a call while many clients have sent half of theirs', async () => {
    const cookie = readFileSync(test.engine.cookie, 'utf8');
    const login = `Authorization: Basic ${Buffer.from(cookie).toString('base64')}`;
    const half = `POST / HTTP/1.1\r\nHost: x\r\n${login}\r\nContent-Length: 100\r\n\r\n{"me`;
    const clients = await Promise.all(
      Array.from({ length: 70 }, async () => {
        const client = connect(Number(new URL(test.engine.url).port), '127.0.0.1');
        await new Promise((written) => client.write(half, written));
        return client;
      }),
    );
    // The server reads this call, on its own connection, after the halves.
    await test.post('/', body);
    expect(await test.post('/', body)).toMatchObject({ status: 200, body: listed });
    for (const client of clients) client.destroy();
  });

  it('refuses a body over 32 MiB, by its header or its bytes', async () => {
    const cookie = readFileSync(test.engine.cookie, 'utf8');
    const headers = { authorization: `Basic ${Buffer.from(cookie).toString('base64')}` };
    const announced = { ...headers, 'content-length': String(0x02000001) };
    expect(await statusOf(test.engine.url, announced, Buffer.alloc(10))).toBe(413);
    expect(await statusOf(test.engine.url, headers, Buffer.alloc(0x02000001, ' '))).toBe(413);
  });

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === 'IPv4')?.address;

  it.runIf(outside)('refuses other computers with 403', async () => {
    const url = new URL(test.engine.url);
    url.hostname = outside ?? '';
    const response = await fetch(url, { method: 'POST', body });
    expect(response.status).toBe(403);
  });

  // SECURITY.md: A flood of connections
  it('keeps few connections of strangers, and answers a client with a login', async () => {
    const { port, hostname } = new URL(test.engine.url);
    const flood = Array.from({ length: 400 }, () => {
      const socket = connect(Number(port), hostname, () => socket.write('POST / HTTP/1.1\r\nHost: '));
      socket.on('error', () => {});
      return socket;
    });
    await expect.poll(() => flood.filter(({ closed }) => !closed).length).toBe(128);
    expect(await test.call('listwallets')).toMatchObject({ result: [] });
    for (const socket of flood) socket.destroy();
  });

  // SECURITY.md: A flood of connections
  it('answers a client with a login during delayed attempts of strangers', async () => {
    const tries = Array.from({ length: 100 }, () => test.post('/', body, 'me:wrong'));
    expect(await test.post('/', body, 'me:a:b')).toMatchObject({ status: 200 });
    expect(new Set((await Promise.all(tries)).map(({ status }) => status))).toEqual(new Set([401]));
  });

  it('aborts the work on an answer when the client is gone', async () => {
    const { promise: aborted, resolve: abort } = deferred();
    const work = workHere({
      open: (open) => async (wallet, stopping) => ({
        ...(await open(wallet, stopping)),
        ask: (_, { caller }) =>
          new Promise((_, reject) => {
            caller?.addEventListener('abort', () => {
              abort();
              reject(new Error('nobody waits'));
            });
            hangUp.abort();
          }),
      }),
    });
    const hangUp = new AbortController();
    test = await engineForTest({ work, copies: { safe: 'descriptor-hd' } });
    await test.call('loadwallet', ['safe']);
    const cookie = readFileSync(test.engine.cookie, 'utf8');
    const headers = { authorization: `Basic ${Buffer.from(cookie).toString('base64')}` };
    const body = JSON.stringify({ method: 'getbalances' });
    const request = fetch(test.engine.url, { method: 'POST', headers, body, signal: hangUp.signal });
    await expect(request).rejects.toThrow('aborted');
    await aborted;
  });

  it('stops on the call stop, after it has answered', async () => {
    expect(await test.call('stop')).toMatchObject({ result: 'Wallet Ferry engine stopping', error: null });
    await test.engine.ended;
    await expect(test.call('uptime')).rejects.toThrow();
  });

  it('lists the running calls and the log', async () => {
    expect(await test.call('getrpcinfo')).toMatchObject({
      result: {
        active_commands: [{ method: 'getrpcinfo', duration: expect.any(Number) }],
        logpath: join(test.dataFolder, 'regtest', 'debug.log'),
      },
    });
  });
});

/** Sends a body until there is an answer. */
function statusOf(
  url: string,
  headers: Record<string, string>,
  content: Buffer,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers }, (response) => {
      resolve(response.statusCode);
      sent.destroy();
    });
    // The server closes the connection of a refused body.
    sent.on('error', reject);
    sent.write(content);
  });
}
