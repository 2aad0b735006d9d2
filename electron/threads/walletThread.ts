/** The thread for one job on a wallet's file: the job comes as a message, the answer goes as one. */
import './ownLanguage.ts';
import { parentPort } from 'node:worker_threads';
import { errorShapeOf } from '../../shared/errors.ts';
import { loadBundledSqlite } from '../wallet/database/bundledSqlite.ts';
import { doWalletJob, type WalletJob, type WalletJobKind } from './walletJob.ts';
import type { ThreadAnswer } from './walletWork.ts';

// Listening on keeps the thread until it is ended from outside: see `walletWork`.
parentPort?.on('message', (job: WalletJob) => void answer(job));

async function answer<K extends WalletJobKind>(job: WalletJob<K>): Promise<void> {
  const send = (message: ThreadAnswer<K>) => parentPort?.postMessage(message);
  try {
    await loadBundledSqlite();
    send({ ok: true, result: await doWalletJob(job) });
  } catch (error) {
    send({ ok: false, error: errorShapeOf(error) });
  }
}
