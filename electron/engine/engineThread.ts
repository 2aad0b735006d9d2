/** The thread for one piece of heavy work: the job comes as a message, the answer goes as one. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorShapeOf } from '../../shared/errors.ts';
import { readySqlite } from '../wallet/readySqlite.ts';
import { doHeavyJob, type HeavyJob, type HeavyResult } from './heavyJob.ts';
import type { HeavyThreadData } from './heavyThreads.ts';
import { warmUp } from './heavyWarmUp.ts';
import type { ThreadAnswer } from './heavyWorkInThread.ts';

let isWanted = false;
const ready = prepare(workerData);
parentPort?.once('message', (job: HeavyJob) => {
  isWanted = true;
  void answer(job);
});

async function prepare({ sqlite }: HeavyThreadData): Promise<void> {
  await readySqlite(sqlite);
  await warmUp(() => isWanted);
}

async function answer(job: HeavyJob): Promise<void> {
  const say = (message: ThreadAnswer, moved: ArrayBuffer[]) => parentPort?.postMessage(message, moved);
  try {
    await ready;
    const result = await doHeavyJob(job);
    say({ ok: true, result }, buffersOf(result));
  } catch (error) {
    say({ ok: false, error: errorShapeOf(error) }, []);
  }
}

/** The files of new wallets are handed over instead of copied: of a large wallet the copy would not fit in memory. */
function buffersOf(done: HeavyResult): ArrayBuffer[] {
  if (done.kind !== 'migrate') return [];
  const { primary, watchonly, solvables } = done.result;
  return [primary, watchonly, solvables].flatMap((wallet) =>
    wallet?.bytes.buffer instanceof ArrayBuffer ? [wallet.bytes.buffer] : [],
  );
}
