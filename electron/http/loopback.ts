/** The loopback interface: recognises its addresses, and listens on both of them. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import { createServer, isIPv4, type Server as NetServer } from 'node:net';

/** How often to try another port if a free one is free at one address only. */
const TRIES = 20;

/**
 * Listens on 127.0.0.1 and on ::1 at the same port. Browsers try ::1 first, so another user's server there would receive
 * requests for this one. A machine without IPv6 has only 127.0.0.1. Port 0 picks a free port. `close` resolves when all
 * connections are closed. Throws the system's error, such as EADDRINUSE, if it cannot have either address.
 */
export async function listenOnLoopback(server: Server, wanted: number) {
  const ipv6 = createServer({ allowHalfOpen: true, noDelay: true }, (socket) =>
    server.emit('connection', socket),
  );
  for (let tried = 1; ; tried++) {
    const port = await listen(server, wanted, '127.0.0.1');
    try {
      await listen(ipv6, port, '::1');
      return { port, close: () => closeAll([server, ipv6]) };
    } catch (error) {
      if (isMissingAddress(error)) return { port, close: () => closeAll([server]) };
      await closeAll([server]);
      if (wanted !== 0 || tried === TRIES) throw error;
    }
  }
}

async function listen(server: NetServer, port: number, host: string): Promise<number> {
  // `once` rejects if the server emits an error first.
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  return address.port;
}

function isMissingAddress(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(String(error.code))
  );
}

async function closeAll(servers: readonly NetServer[]): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
}

/** Whether it is 127.0.0.0/8 (also in IPv6 notation), ::1 or localhost. A tunnel to another machine looks the same. */
export function isLoopback(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/^::ffff:/, '');
  if (name === 'localhost' || name === '::1') return true;
  return isIPv4(name) && name.startsWith('127.');
}
