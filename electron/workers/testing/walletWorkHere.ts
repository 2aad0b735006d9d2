/** Jobs on wallet files in the caller's own thread: for tests. */
import { makeLibraryReady } from '../../walletfile/keys/publicKey.ts';
import { doWalletJob } from '../walletJob.ts';
import type { WalletWork } from '../walletWork.ts';

export const walletWorkHere: WalletWork = async (job, signal) => {
  await makeLibraryReady();
  const result = await doWalletJob(job);
  signal.throwIfAborted();
  return result;
};
