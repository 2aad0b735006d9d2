import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundStrangers } from './loopback.ts';

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

  // SECURITY.md: Another user of this computer
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

  // SECURITY.md: Another user of this computer
  it('are never more than 512, and the oldest close first', async () => {
    const { sockets, open } = accept(1000);
    expect(open()).toEqual(sockets.slice(488));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(open()).toEqual(sockets.slice(872));
  });
});
