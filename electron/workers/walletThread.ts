/** The thread for one task on a wallet's file: the task comes as a message, the answer goes as one. */
import { parentPort, workerData } from 'node:worker_threads';
import { failureOf } from '../../shared/model/findings/fileError.ts';
import { sqliteSoFar, takeBundledSqlite } from '../walletfile/database/bundledSqlite.ts';
import { makeLibraryReady } from '../walletfile/keys/publicKey.ts';
import { doWalletTask, type WalletTask, type WalletTaskKind } from './walletTask.ts';
import type { ThreadAnswer, ThreadData, ThreadMessage } from './walletWork.ts';

const { sqlite }: ThreadData = workerData;
takeBundledSqlite(sqlite ?? undefined);
const ready = makeLibraryReady();
// Listening on keeps the thread until it is ended from outside: see `walletWork`.
parentPort?.on('message', (task: WalletTask) => void answer(task));

async function answer<K extends WalletTaskKind>(task: WalletTask<K>): Promise<void> {
  const send = async (told: ThreadAnswer<K>) => {
    const message: ThreadMessage<K> = { ...told, sqlite: await sqliteSoFar() };
    parentPort?.postMessage(message);
  };
  await ready;
  try {
    await send({ ok: true, result: await doWalletTask(task) });
  } catch (error) {
    await send({ ok: false, error: failureOf(error) });
  }
}
