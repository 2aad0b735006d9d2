/** Reads wallet files in a thread for each job, which is ended soon after: a passphrase does not outlive its use by long. */
import { Worker } from 'node:worker_threads';
import { AppError, type AppErrorShape, appErrorShape } from '../../shared/errors.ts';
import { say } from '../../shared/text/say.ts';
import { systemCode } from '../disk/systemCode.ts';
import type { WalletJob, WalletJobKind, WalletJobResults } from './walletJob.ts';

/** Throws AppError for what goes wrong with the job, and rejects with the signal's reason when it is aborted. */
export type WalletWork = <K extends WalletJobKind>(
  job: WalletJob<K>,
  signal: AbortSignal,
) => Promise<WalletJobResults[K]>;

/** What a thread is started with: SQLite as an earlier one compiled it, null where none has needed it so far. */
export interface ThreadData {
  sqlite: WebAssembly.Module | null;
}

/** What comes of the job. */
export type ThreadAnswer<K extends WalletJobKind> =
  | { readonly ok: true; readonly result: WalletJobResults[K] }
  | { readonly ok: false; readonly error: AppErrorShape };

/** What the thread tells: its answer, with SQLite where it is compiled by then. */
export type ThreadMessage<K extends WalletJobKind> = ThreadAnswer<K> & ThreadData;

/** `script` is the bundled `walletThread.ts`, `memory` how many MiB a job may take beside the bytes of files. */
export function walletWork(script: URL, memory = MOST_MEMORY): WalletWork {
  const shared: ThreadData = { sqlite: null };
  return async <K extends WalletJobKind>(job: WalletJob<K>, signal: AbortSignal) => {
    signal.throwIfAborted();
    const resourceLimits = { maxOldGenerationSizeMb: memory };
    const thread = new Worker(script, { workerData: shared, resourceLimits });
    return answerOf(thread, job, signal, shared);
  };
}

/** By then SQLite is compiled. */
const SETTLED_MS = 2000;

/** Leaves room for the app itself: in Electron all threads of a process share 4 GiB. */
const MOST_MEMORY = 3072;

function answerOf<K extends WalletJobKind>(
  thread: Worker,
  job: WalletJob<K>,
  signal: AbortSignal,
  shared: ThreadData,
): Promise<WalletJobResults[K]> {
  return new Promise((resolve, reject) => {
    let settled = false;
    const settle = (tell: () => void) => {
      if (settled) return;
      settled = true;
      signal.removeEventListener('abort', giveUp);
      tell();
    };
    const endThen = (tell: () => void) => void thread.terminate().then(tell, tell);
    const giveUp = () => settle(() => endThen(() => reject(signal.reason)));
    signal.addEventListener('abort', giveUp, { once: true });
    thread.once('message', (answer: ThreadMessage<K>) =>
      settle(() => {
        shared.sqlite ??= answer.sqlite;
        const end = () => void thread.terminate();
        // Not at once: the process can stand still for good where a thread ends while SQLite is still being compiled
        // beside it.
        if (answer.sqlite) setTimeout(end, SETTLED_MS).unref();
        else end();
        if (answer.ok) resolve(answer.result);
        else reject(AppError.fromShape(appErrorShape.parse(answer.error)));
      }),
    );
    // The error's own text may quote what was read.
    thread.on('error', (error) =>
      settle(() =>
        endThen(() => reject(systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? tooLarge() : stopped())),
      ),
    );
    thread.once('exit', () => settle(() => reject(stopped())));
    thread.postMessage(job);
  });
}

function tooLarge(): AppError {
  return new AppError(
    'beyond_limits',
    say('The wallet needs more memory than there is.'),
    say('Nothing was changed. Close other programs and try again.'),
  );
}

function stopped(): AppError {
  return new AppError(
    'internal',
    say('Reading the file stopped unexpectedly.'),
    say('Nothing was changed. Try again.'),
  );
}
