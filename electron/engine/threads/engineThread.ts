/** A thread of the engine: what it is to do comes as a message, the answer goes as one. */
import { setImmediate } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { takeBundledSqlite } from '../../walletfile/database/bundledSqlite.ts';
import { makeLibraryReady } from '../../walletfile/keys/publicKey.ts';
import { openWallet } from '../view/openWallet.ts';
import type { Task } from '../wallets/work.ts';
import { warmUpMigrating } from './heavyWarmUp.ts';
import {
  buffersOf,
  type FromThread,
  type ThreadData,
  type ToThread,
  threadErrorOf,
} from './threadMessages.ts';
import { doTask, type OpenHere } from './threadTask.ts';

const open: OpenHere = new Map();
let isWanted = false;
let last: Promise<unknown> = prepare(workerData);
parentPort?.on('message', (message: ToThread) => {
  isWanted = true;
  if (message.kind === 'task') void inTurn(() => answer(message.task));
  else if (message.kind === 'warm') void warmUpReading(message.file);
  else for (const id of message.ids) open.delete(id);
});

async function prepare({ sqlite, serves }: ThreadData): Promise<void> {
  takeBundledSqlite(sqlite);
  await makeLibraryReady();
  if (serves === 'files') return;
  const file = await warmUpMigrating(() => isWanted);
  if (file) tell({ kind: 'warm', file });
}

function inTurn(work: () => Promise<unknown>): Promise<unknown> {
  last = last.then(work, work);
  return last;
}

/** With half of them a load after a migration takes a fifth longer. */
const WARM_ROUNDS = 7;

/** A task that comes meanwhile waits for one round. */
async function warmUpReading(file: Uint8Array): Promise<void> {
  for (let round = 0; round < WARM_ROUNDS; round += 1) {
    await inTurn(() => openWallet(file, 'sqlite', 'regtest').catch(() => {}));
    await setImmediate();
  }
}

async function answer(task: Task): Promise<void> {
  try {
    const result = await doTask(task, open);
    const moved =
      typeof result === 'object' && result !== null && 'primary' in result
        ? buffersOf([result.primary, result.watchonly, result.solvables])
        : [];
    tell({ kind: 'done', result }, moved);
  } catch (error) {
    tell({ kind: 'failed', error: threadErrorOf(error) });
  }
}

function tell(message: FromThread<unknown>, moved: ArrayBuffer[] = []): void {
  parentPort?.postMessage(message, moved);
}
