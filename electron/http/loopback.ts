/** The loopback interface: recognises its addresses, listens on both of them, and bounds connections of strangers. */
import { once } from 'node:events';
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import { type AddressInfo, createServer, type Server as NetServer, type Socket } from 'node:net';

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
    const { port } = await listen(server, wanted);
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

/** Listens, and returns the address. Port 0 picks a free port. Throws the system's error, such as EADDRINUSE. */
export async function listen(server: NetServer, port = 0, host = '127.0.0.1'): Promise<AddressInfo> {
  // `once` rejects if the server emits an error first.
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to listen on.');
  return address;
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

/** How long a request may take to arrive, in milliseconds. A client that sends half a request must not keep its connection. */
export const arrivalLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions;

/** Far fewer than half of 1,024 file handles, the usual limit of a process on Linux. */
const MAX_STRANGERS = 128;

/** The limit while the server has not read what they sent. */
const MAX_UNREAD = 512;

/**
 * Keeps at most 128 connections of strangers. A new one replaces the oldest, because refusing new ones would let a flood
 * keep everyone out. A client proves itself with its first bytes, so the server closes no connection before it has read
 * those, unless there are more than 512, which is more than a system queues for a process to accept.
 */
export function boundStrangers(server: Server) {
  const strangers = new Set<Socket>();
  let isScheduled = false;
  const closeOldest = (most: number) => {
    for (const oldest of strangers) {
      if (strangers.size <= most) return;
      strangers.delete(oldest);
      oldest.destroy();
    }
  };
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    closeOldest(MAX_UNREAD);
    if (isScheduled || strangers.size <= MAX_STRANGERS) return;
    isScheduled = true;
    // The event loop reads each connection once a turn: by the end of the next turn it has read all of these.
    setImmediate(() =>
      setImmediate(() => {
        isScheduled = false;
        closeOldest(MAX_STRANGERS);
      }),
    );
  });
  return {
    /** Stops counting the connection of a request that has a session. */
    accept: ({ socket }: IncomingMessage) => void strangers.delete(socket),
  };
}
