/** Jobs on wallet files in the caller's own thread: for tests. */
import { makeLibraryReady } from '../../walletfile/keys/publicKey.ts';
import { doWalletTask } from '../walletTask.ts';
import type { WalletWork } from '../walletWork.ts';

export const walletWorkHere: WalletWork = async (task, signal) => {
  await makeLibraryReady();
  const result = await doWalletTask(task);
  signal.throwIfAborted();
  return result;
};
