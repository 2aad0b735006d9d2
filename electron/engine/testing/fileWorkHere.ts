/** Work on files in the caller's own thread: for tests. */

import {
  doFileJob,
  type FileJob,
  type FileJobKind,
  type FileResults,
  type OpenHere,
} from '../threads/fileJob.ts';
import type { FileWork } from '../wallets/fileWork.ts';

export function fileWorkHere(): FileWork {
  const open: OpenHere = new Map();
  let opened = 0;
  const here = <K extends FileJobKind>(job: FileJob<K>): Promise<FileResults[K]> => doFileJob(job, open);
  return {
    read: (path) => here({ is: 'read', given: { path } }),
    write: (path, bytes) => here({ is: 'write', given: { path, bytes } }),
    copy: async (from, to, part) => void (await here({ is: 'copy', given: { from, to, part } })),
    holds: (path, bytes) => here({ is: 'holds', given: { path, bytes } }),
    list: (folder, network) => here({ is: 'list', given: { folder, network } }),
    open: async (bytes, stopping) => {
      opened += 1;
      const wallet = { ...bytes, id: opened };
      const facts = await here({ is: 'open', given: { wallet } });
      stopping.throwIfAborted();
      return {
        ...facts,
        ask: (question) => here({ is: 'ask', given: { wallet, question } }),
        release: () => open.delete(wallet.id),
      };
    },
  };
}
