/** Keeps who was not let in from taking the connections, and with them the file handles, that the process needs. */
import type { IncomingMessage, Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';

/** How long a request may take to arrive, in milliseconds: who sends half of one is not waited for. */
export const arrivalLimits = {
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  connectionsCheckingInterval: 2_000,
} as const satisfies ServerOptions;

/** Of 1,024 file handles, the usual limit of a process on Linux, far fewer than half. */
const MOST_STRANGERS = 128;

export interface Strangers {
  /** Whoever sent this has shown that it is no stranger: its connection counts no more. */
  letIn(request: IncomingMessage): void;
}

/**
 * Holds no more than 128 connections of strangers. A new one takes the place of the oldest, and is not refused: then
 * a flood would keep everyone out. Who belongs here says so with the first bytes, long before 128 others have come.
 */
export function boundStrangers(server: Server): Strangers {
  const strangers = new Set<Socket>();
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    if (strangers.size <= MOST_STRANGERS) return;
    const [oldest] = strangers;
    if (oldest === undefined) return;
    strangers.delete(oldest);
    oldest.destroy();
  });
  return { letIn: ({ socket }) => void strangers.delete(socket) };
}
