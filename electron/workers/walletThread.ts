/**
 * A worker thread of the app: it receives tasks on wallet files as messages, and posts one answer to each. For a wallet with many keys,
 * it starts threads of the same program that only derive keys.
 */
import { availableParallelism } from 'node:os';
import { parentPort, Worker, workerData } from 'node:worker_threads';
import { failureOf } from '../../shared/model/findings/fileError.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { registerBundledSqlite, sqliteModuleIfCompiled } from '../walletfile/database/sqliteDatabase.ts';
import { preloadSecp256k1 } from '../walletfile/keys/publicKey.ts';
import { fitShared, type SharedKeys } from '../walletfile/legacy/legacyKeys.ts';
import { setV8Flags, YOUNG_MEMORY } from './threadPool.ts';
import { doWalletTask, type WalletTask, type WalletTaskKind } from './walletTask.ts';
import type { ThreadAnswer, ThreadData, ThreadMessage } from './walletWork.ts';

const { sqlite, keys }: ThreadData & { keys?: SharedKeys } = workerData;
const ready = preloadSecp256k1();
if (keys) void ready.then(() => fitShared(keys));
else {
  setV8Flags();
  registerBundledSqlite(sqlite ?? undefined);
  // The listener keeps the thread running until `createWalletWork` ends it.
  parentPort?.on('message', (task: WalletTask) => void answer(task));
}

async function answer<K extends WalletTaskKind>(task: WalletTask<K>): Promise<void> {
  const send = async (outcome: ThreadAnswer<K>) => {
    const message: ThreadMessage<K> = { ...outcome, sqlite: await sqliteModuleIfCompiled() };
    parentPort?.postMessage(message);
  };
  await ready;
  try {
    await send({ ok: true, result: await doWalletTask(task, help) });
  } catch (error) {
    await send({ ok: false, error: failureOf(error) });
  }
}

/** Such a thread ends when no key is left. Without it, the work only takes longer. */
function help(shared: SharedKeys): void {
  const count = Math.min(availableParallelism() - 1, MAX_HELPERS);
  for (let at = 0; at < count; at += 1) {
    const worker = orNull(
      () => new Worker(new URL(import.meta.url), { workerData: { keys: shared }, resourceLimits: LIMITS }),
    );
    worker?.on('error', () => {}).unref();
  }
}

/** Each needs 30 MB of memory. */
const MAX_HELPERS = 3;
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: YOUNG_MEMORY };
