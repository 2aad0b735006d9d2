/** The thread for one piece of heavy work: the job comes as a message, the answer goes as one. */
import { parentPort, workerData } from 'node:worker_threads';
import { errorShapeOf } from '../../shared/errors.ts';
import { loadBundledSqlite } from '../wallet/bundledSqlite.ts';
import { doHeavyJob, type HeavyJob, type HeavyResult } from './heavyJob.ts';
import type { HeavyThreadData, ThreadMessage } from './heavyThreads.ts';
import { warmUpMigrating } from './heavyWarmUp.ts';

let isWanted = false;
const ready = prepare(workerData);
parentPort?.once('message', (job: HeavyJob) => {
  isWanted = true;
  void answer(job);
});

async function prepare({ sqlite }: HeavyThreadData): Promise<void> {
  await loadBundledSqlite(sqlite);
  const file = await warmUpMigrating(() => isWanted);
  if (file) tell({ kind: 'warm', file });
}

async function answer(job: HeavyJob): Promise<void> {
  try {
    await ready;
    const result = await doHeavyJob(job);
    tell({ kind: 'done', result }, buffersOf(result));
  } catch (error) {
    tell({ kind: 'failed', error: errorShapeOf(error) });
  }
}

function tell(message: ThreadMessage, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

/** The files of new wallets are handed over instead of copied: a large wallet takes memory enough as it is. */
function buffersOf(done: HeavyResult): ArrayBuffer[] {
  if (done.kind !== 'migrate') return [];
  const { primary, watchonly, solvables } = done.result;
  return [primary, watchonly, solvables].flatMap((wallet) =>
    wallet?.bytes.buffer instanceof ArrayBuffer ? [wallet.bytes.buffer] : [],
  );
}
