/** A worker thread of the app: it receives tasks on wallet files as messages, and posts one answer to each. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../shared/model/findings/fileError.ts';
import { sqliteSoFar, takeBundledSqlite } from '../walletfile/database/sqliteDatabase.ts';
import { makeLibraryReady } from '../walletfile/keys/publicKey.ts';
import { optimiseLater } from './threadPool.ts';
import { doWalletTask, type WalletTask, type WalletTaskKind } from './walletTask.ts';
import type { ThreadAnswer, ThreadData, ThreadMessage } from './walletWork.ts';

optimiseLater();
const { sqlite }: ThreadData = workerData;
takeBundledSqlite(sqlite ?? undefined);
const ready = makeLibraryReady();
// The listener keeps the thread running until `walletWork` ends it.
parentPort?.on('message', (task: WalletTask) => void answer(task));

async function answer<K extends WalletTaskKind>(task: WalletTask<K>): Promise<void> {
  const send = async (outcome: ThreadAnswer<K>) => {
    const message: ThreadMessage<K> = { ...outcome, sqlite: await sqliteSoFar() };
    parentPort?.postMessage(message);
  };
  await ready;
  try {
    await send({ ok: true, result: await doWalletTask(task) });
  } catch (error) {
    await send({ ok: false, error: failureOf(error) });
  }
}
