/** A thread of the engine: what it is to do comes as a message, the answer goes as one. */
import { parentPort, workerData } from 'node:worker_threads';
import { takeBundledSqlite } from '../../wallet/database/bundledSqlite.ts';
import { doFileJob, type OpenHere } from './fileJob.ts';
import { doHeavyJob } from './heavyJob.ts';
import { warmUpMigrating } from './heavyWarmUp.ts';
import { threadErrorOf } from './threadError.ts';
import type { FromThread, ThreadData, ToThread } from './threadMessages.ts';

const open: OpenHere = new Map();
let isWanted = false;
const ready = prepare(workerData);
parentPort?.on('message', (message: ToThread) => {
  isWanted = true;
  if (message.kind !== 'forget') void answer(message);
  else for (const id of message.ids) open.delete(id);
});

async function prepare({ sqlite, serves }: ThreadData): Promise<void> {
  takeBundledSqlite(sqlite);
  if (serves === 'files') return;
  const file = await warmUpMigrating(() => isWanted);
  if (file) tell({ kind: 'warm', file });
}

async function answer(message: Exclude<ToThread, { kind: 'forget' }>): Promise<void> {
  try {
    await ready;
    const result = message.kind === 'file' ? await doFileJob(message.job, open) : await doHeavyJob(message);
    tell({ kind: 'done', result }, buffersOf(result));
  } catch (error) {
    tell({ kind: 'failed', error: threadErrorOf(error) });
  }
}

function tell(message: FromThread<unknown>, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}

/** The files of new wallets are handed over instead of copied: a large wallet takes memory enough as it is. */
function buffersOf(done: Awaited<ReturnType<typeof doFileJob | typeof doHeavyJob>>): ArrayBuffer[] {
  if (done === null || typeof done !== 'object' || !('kind' in done) || done.kind !== 'migrate') return [];
  const { primary, watchonly, solvables } = done.result;
  return [primary, watchonly, solvables].flatMap((wallet) =>
    wallet?.bytes.buffer instanceof ArrayBuffer ? [wallet.bytes.buffer] : [],
  );
}
