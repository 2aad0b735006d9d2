/** Ends a program with all that it has started: npm does not hand a signal on to the programs of its scripts. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** `leader` was spawned with `detached`, and with a pipe for its output. Returns when the last of them is gone. */
export async function endGroup(leader: ChildProcess): Promise<void> {
  const { pid, stdout, stderr } = leader;
  if (pid === undefined || stdout?.closed) return;
  const closed = once(leader, 'close');
  // Its output, which all of them hold, is only seen to close when it is read.
  stdout?.resume();
  stderr?.resume();
  process.kill(-pid, 'SIGTERM');
  await closed;
}
