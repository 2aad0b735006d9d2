/** This very machine: whether a name means it, and a server that listens at both its addresses. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, isIPv4, type Server as NetServer } from 'node:net';

/** For a free port that is free at one address only, another one is taken, so many times. */
const TRIES = 20;

/**
 * Listens on 127.0.0.1 and on ::1, at the same port: browsers try ::1 first, and there another user would be given what
 * is meant for this server. Where the machine has no IPv6, 127.0.0.1 is all there is, for others too. Port 0 is a free
 * one. `close` ends it once all connections are closed. Throws the system's error, such as EADDRINUSE, where either
 * address cannot be had.
 */
export async function listenOnLoopback(server: Server, wanted: number) {
  const sixth = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  for (let tried = 1; ; tried++) {
    const port = await listen(server, wanted, '127.0.0.1');
    try {
      await listen(sixth, port, '::1');
      return { port, close: () => closeAll([server, sixth]) };
    } catch (error) {
      if (hasNoSuchAddress(error)) return { port, close: () => closeAll([server]) };
      await closeAll([server]);
      if (wanted !== 0 || tried === TRIES) throw error;
    }
  }
}

async function listen(server: NetServer, port: number, host: string): Promise<number> {
  // Rejects with an error that is emitted meanwhile.
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  return address.port;
}

function hasNoSuchAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
  );
}

async function closeAll(servers: readonly NetServer[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
}

/** 127.0.0.0/8, also as IPv6 writes it, ::1 and localhost. A tunnel to another machine cannot be told from it. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '');
  if (name === 'localhost' || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}
