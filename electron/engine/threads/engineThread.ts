/** A worker thread of the engine: it receives tasks as messages and posts one answer to each. */
import { parentPort, workerData } from 'node:worker_threads';
import { loadSqlite, registerBundledSqlite } from '../../walletfile/database/sqliteDatabase.ts';
import { preloadSecp256k1 } from '../../walletfile/keys/publicKey.ts';
import type { Task } from '../wallets/work.ts';
import { type FromThread, type ThreadData, type ToThread, threadErrorOf } from './threadMessages.ts';
import { doTask, type OpenedWalletCache } from './threadTask.ts';

const open: OpenedWalletCache = new Map();
const ready = prepare(workerData);
// The pool gives a thread its next task after the answer to the one before.
parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'task') void answer(message.task);
  else for (const id of message.ids) open.delete(id);
});

async function prepare({ sqlite }: ThreadData): Promise<void> {
  registerBundledSqlite(sqlite);
  // Only some tasks need it, and wait for it themselves.
  loadSqlite().catch(() => {});
  await preloadSecp256k1();
}

async function answer(task: Task): Promise<void> {
  await ready;
  try {
    post({ kind: 'done', result: await doTask(task, open, (part) => post({ kind: 'written', part })) });
  } catch (error) {
    post({ kind: 'failed', error: threadErrorOf(error) });
  }
}

function post(message: FromThread<unknown>): void {
  parentPort?.postMessage(message);
}
