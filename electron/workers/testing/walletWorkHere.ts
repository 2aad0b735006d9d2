/** Jobs on wallet files in the caller's own thread: for tests. */
import { preloadSecp256k1 } from '../../walletfile/keys/publicKey.ts';
import { doWalletTask } from '../walletTask.ts';
import type { WalletWork } from '../walletWork.ts';

export const walletWorkHere: WalletWork = async (task, signal) => {
  await preloadSecp256k1();
  const result = await doWalletTask(task);
  signal.throwIfAborted();
  return result;
};
