/** Starts one of the engine's threads. */
import { Worker } from 'node:worker_threads';
import { compiledSqlite } from '../../wallet/database/bundledSqlite.ts';
import { MOST_MEMORY } from './askThread.ts';
import type { ThreadData } from './threadMessages.ts';

/** `script` is the bundled `engineThread.ts`. An idle thread does not keep the engine from ending. */
export async function startThread(
  script: URL,
  serves: ThreadData['serves'],
  memory: number = MOST_MEMORY,
): Promise<Worker> {
  const workerData: ThreadData = { sqlite: await compiledSqlite(), serves };
  const thread = new Worker(script, { workerData, resourceLimits: { maxOldGenerationSizeMb: memory } });
  // Who works with the thread is told by its end; without a listener the error would end the engine.
  thread.on('error', () => {});
  thread.unref();
  return thread;
}
