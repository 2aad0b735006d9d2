import { once } from 'node:events';
import { createServer, get, IncomingMessage } from 'node:http';
import { createServer as createNetServer, Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback } from '../../shared/model/node.ts';
import { boundStrangers, listen, listenOnLoopback } from './loopback.ts';

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
);

it.each([
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['::1', true],
  ['[::1]', true],
  ['LocalHost', true],
  ['::ffff:127.0.0.1', true],
  ['127.evil.example', false],
  ['127.0.0.256', false],
  ['127.0.0.1.example.org', false],
  ['localhost.example', false],
  ['::2', false],
  ['', false],
  ['192.168.1.20', false],
  ['node.local', false],
])('%s is loopback: %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

describe.runIf(hasIpv6)('a server on loopback', () => {
  const ends: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });

  const answering = () => createServer((_, response) => response.end('ours'));

  async function textFrom(host: string, port: number): Promise<string> {
    const [response] = await once(get({ host, port, agent: false }), 'response');
    return String(await once(response.setEncoding('utf8'), 'data'));
  }

  async function takeIpv6(port: number): Promise<number> {
    const other = createNetServer();
    const address = await listen(other, port, '::1');
    ends.push(() => other.close());
    return address.port;
  }

  // SECURITY.md: A server that takes over the app's port
  it('answers at both addresses, and leaves neither to another server', async () => {
    const server = answering();
    const { port, close } = await listenOnLoopback(server, 0);
    expect(await textFrom('127.0.0.1', port)).toBe('ours');
    expect(await textFrom('::1', port)).toBe('ours');
    await expect(takeIpv6(port)).rejects.toThrow('EADDRINUSE');
    server.closeAllConnections();
    await close();
    // Both are free again.
    await (await listenOnLoopback(answering(), port)).close();
  });

  // SECURITY.md: A server that takes over the app's port
  it('refuses a port that another server has at ::1, where a browser looks first', async () => {
    const taken = await takeIpv6(0);
    const server = answering();
    await expect(listenOnLoopback(server, taken)).rejects.toThrow('EADDRINUSE');
    expect(server.listening).toBe(false);
  });
});

describe('the connections of strangers', () => {
  /** Connects all in one turn of the event loop, as the system hands them over. */
  function accept(count: number) {
    const server = createServer();
    server.removeAllListeners('connection');
    const strangers = boundStrangers(server);
    const sockets = Array.from({ length: count }, () => new Socket());
    for (const socket of sockets) server.emit('connection', socket);
    return { strangers, sockets, open: () => sockets.filter(({ destroyed }) => !destroyed) };
  }

  // SECURITY.md: A flood of connections
  it('stay open until the server has read their first bytes, however many there are', async () => {
    const { strangers, sockets, open } = accept(400);
    const [first] = sockets;
    expect(open()).toHaveLength(400);
    // In the same turn and in the next one.
    await setImmediate();
    expect(open()).toContain(first);
    if (first) strangers.accept(new IncomingMessage(first));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(open()).toHaveLength(129);
    expect(open()).toContain(first);
  });

  // SECURITY.md: A flood of connections
  it('are never more than 512, and the oldest close first', async () => {
    const { sockets, open } = accept(1000);
    expect(open()).toEqual(sockets.slice(488));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(open()).toEqual(sockets.slice(872));
  });
});
