/** The thread for one piece of heavy work: the job comes as a message, the answer goes as one. */
import { parentPort } from 'node:worker_threads';
import { errorShapeOf } from '../../shared/errors.ts';
import { doHeavyJob, type HeavyJob } from './heavyJob.ts';
import type { ThreadAnswer } from './heavyWorkInThread.ts';
import { readySqlite } from './readySqlite.ts';

parentPort?.once('message', (job: HeavyJob) => void answer(job));

async function answer(job: HeavyJob): Promise<void> {
  const say = (message: ThreadAnswer) => parentPort?.postMessage(message);
  try {
    if (job.kind === 'migrate') await readySqlite();
    say({ ok: true, result: await doHeavyJob(job) });
  } catch (error) {
    say({ ok: false, error: errorShapeOf(error) });
  }
}
