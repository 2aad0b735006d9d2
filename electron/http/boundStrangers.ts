/** Limits connections without a session, so that they cannot use up the process's file handles. */
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to arrive, in milliseconds. A client that sends half a request must not keep its connection. */
export const arrivalLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions;

/** Far fewer than half of 1,024 file handles, the usual limit of a process on Linux. */
const MOST_STRANGERS = 128;

/** The limit while the server has not read what they sent. */
const MOST_UNREAD = 512;

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
    closeOldest(MOST_UNREAD);
    if (isScheduled || strangers.size <= MOST_STRANGERS) return;
    isScheduled = true;
    // The event loop reads each connection once a turn: by the end of the next turn it has read all of these.
    setImmediate(() =>
      setImmediate(() => {
        isScheduled = false;
        closeOldest(MOST_STRANGERS);
      }),
    );
  });
  return {
    /** Stops counting the connection of a request that has a session. */
    accept: ({ socket }: IncomingMessage) => void strangers.delete(socket),
  };
}
