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

/** As many for as long as it takes to read what they have sent. */
const MOST_UNREAD = 512;

/**
 * Holds no more than 128 connections of strangers. New ones take the place of the oldest, and are not refused: then a
 * flood would keep everyone out. Who belongs here says so with the first bytes, and none is put out before those were
 * read, however many came with it: at 512 alone, which is more than a system keeps waiting for a process to accept.
 */
export function boundStrangers(server: Server) {
  const strangers = new Set<Socket>();
  let isAboutTo = false;
  const putOut = (most: number) => {
    for (const oldest of strangers) {
      if (strangers.size <= most) return;
      strangers.delete(oldest);
      oldest.destroy();
    }
  };
  server.on('connection', (socket) => {
    strangers.add(socket);
    socket.once('close', () => strangers.delete(socket));
    putOut(MOST_UNREAD);
    if (isAboutTo || strangers.size <= MOST_STRANGERS) return;
    isAboutTo = true;
    // What has come is read once in each turn of the loop: all there is by now, before the end of the next one.
    setImmediate(() =>
      setImmediate(() => {
        isAboutTo = false;
        putOut(MOST_STRANGERS);
      }),
    );
  });
  return {
    /** Whoever sent this has shown that it is no stranger: its connection counts no more. */
    letIn: ({ socket }: IncomingMessage) => void strangers.delete(socket),
  };
}
