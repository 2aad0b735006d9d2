/** A thread of the engine: what it is to do comes as a message, the answer goes as one. */
import { parentPort, workerData } from 'node:worker_threads';
import { takeBundledSqlite } from '../../wallet/database/bundledSqlite.ts';
import { warmUpMigrating } from './heavyWarmUp.ts';
import { doJob, type Job, type JobKind, type OpenHere, type Results } from './threadJob.ts';
import { type FromThread, type ThreadData, type ToThread, threadErrorOf } from './threadMessages.ts';

const open: OpenHere = new Map();
let isWanted = false;
const ready = prepare(workerData);
parentPort?.on('message', (message: ToThread) => {
  isWanted = true;
  if (message.kind === 'job') void answer(message.job);
  else for (const id of message.ids) open.delete(id);
});

async function prepare({ sqlite, serves }: ThreadData): Promise<void> {
  takeBundledSqlite(sqlite);
  if (serves === 'files') return;
  const file = await warmUpMigrating(() => isWanted);
  if (file) tell({ kind: 'warm', file });
}

async function answer(job: Job): Promise<void> {
  try {
    await ready;
    const result = await doJob(job, open);
    tell({ kind: 'done', result }, buffersOf(result));
  } catch (error) {
    tell({ kind: 'failed', error: threadErrorOf(error) });
  }
}

function tell(message: FromThread<unknown>, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

/** The files of new wallets are handed over instead of copied: a large wallet takes memory enough as it is. */
function buffersOf(result: Results[JobKind]): ArrayBuffer[] {
  if (result === null || typeof result !== 'object' || !('primary' in result)) return [];
  const { primary, watchonly, solvables } = result;
  return [primary, watchonly, solvables].flatMap((wallet) =>
    wallet?.bytes.buffer instanceof ArrayBuffer ? [wallet.bytes.buffer] : [],
  );
}
