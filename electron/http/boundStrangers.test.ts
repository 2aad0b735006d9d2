import { createServer, IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { boundStrangers } from './boundStrangers.ts';

describe('of the connections of strangers', () => {
  /** As the system hands them over: all that came, in one turn of the loop. */
  function accept(count: number) {
    const server = createServer();
    server.removeAllListeners('connection');
    const strangers = boundStrangers(server);
    const sockets = Array.from({ length: count }, () => new Socket());
    for (const socket of sockets) server.emit('connection', socket);
    return { strangers, sockets, open: () => sockets.filter(({ destroyed }) => !destroyed) };
  }

  // SECURITY.md: Another user of this computer
  it('none is put out before its first words were read, however many came with it', async () => {
    const { strangers, sockets, open } = accept(400);
    const [first] = sockets;
    expect(open()).toHaveLength(400);
    // In the same turn, or in the one after it.
    await setImmediate();
    expect(open()).toContain(first);
    if (first) strangers.letIn(new IncomingMessage(first));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(open()).toHaveLength(129);
    expect(open()).toContain(first);
  });

  // SECURITY.md: Another user of this computer
  it('no more than 512 are held even so, and the oldest go first', async () => {
    const { sockets, open } = accept(1000);
    expect(open()).toEqual(sockets.slice(488));
    for (let turn = 0; turn < 3; turn++) await setImmediate();
    expect(open()).toEqual(sockets.slice(872));
  });
});
