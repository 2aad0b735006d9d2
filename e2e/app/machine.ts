/** This machine: its free ports, its addresses, and the programs that tests start. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { listen } from '../../electron/http/loopback.ts';

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const { port } = await listen(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** An address of this machine that belongs to another machine for the app; undefined if there is only the loopback. */
export const otherAddress = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address;

/**
 * Ends a program and every program that it started, because npm passes no signal on to its scripts. `leader` must be
 * spawned with `detached` and with a pipe for its output. Resolves once all have ended.
 */
export async function endGroup(leader: ChildProcess): Promise<void> {
  const { pid, stdout, stderr } = leader;
  if (pid === undefined || stdout?.closed) return;
  const closed = once(leader, 'close');
  // The output closes once all have ended and it is read to its end.
  stdout?.resume();
  stderr?.resume();
  process.kill(-pid, 'SIGTERM');
  await closed;
}
