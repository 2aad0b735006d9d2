/** The thread for one job on a wallet's file: the job comes as a message, the answer goes as one. */
import './setLanguage.ts';
import { parentPort, workerData } from 'node:worker_threads';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { sqliteSoFar, takeBundledSqlite } from '../walletfile/database/bundledSqlite.ts';
import { makeLibraryReady } from '../walletfile/keys/publicKey.ts';
import { doWalletJob, type WalletJob, type WalletJobKind } from './walletJob.ts';
import type { ThreadAnswer, ThreadData, ThreadMessage } from './walletWork.ts';

const { sqlite }: ThreadData = workerData;
takeBundledSqlite(sqlite ?? undefined);
const ready = makeLibraryReady();
// Listening on keeps the thread until it is ended from outside: see `walletWork`.
parentPort?.on('message', (job: WalletJob) => void answer(job));

async function answer<K extends WalletJobKind>(job: WalletJob<K>): Promise<void> {
  const send = async (told: ThreadAnswer<K>) => {
    const message: ThreadMessage<K> = { ...told, sqlite: await sqliteSoFar() };
    parentPort?.postMessage(message);
  };
  await ready;
  try {
    await send({ ok: true, result: await doWalletJob(job) });
  } catch (error) {
    await send({ ok: false, error: errorShapeOf(error) });
  }
}
