/** The messages to and from the engine's worker threads, and how to send a task to one. */
import {
  errorOfFailure,
  type Failure,
  FileError,
  failureOf,
} from '../../../shared/model/findings/fileError.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import { systemCode, systemError } from '../../files/fileError.ts';
import { askThread, type PoolThread } from '../../workers/threadPool.ts';
import { RpcError, type RpcErrorName } from '../rpc/jsonRpc.ts';
import type { OnWritten, Output, Task, TaskKind } from '../wallets/work.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly sqlite: WebAssembly.Module;
}

/** The thread answers a task. `forget` names wallets that nobody will ask about any more. */
export type ToThread =
  | { readonly kind: 'task'; readonly task: Task }
  | { readonly kind: 'forget'; readonly ids: readonly number[] };

export type ThreadAnswer<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: ThreadError };

/** What a thread posts: progress while it works on a task, then the answer. */
export type FromThread<R> = ThreadAnswer<R> | { readonly kind: 'written'; readonly part: WalletPart };

/** An error as a message. Only the answer to an RPC call carries its text. */
type ThreadError =
  | { readonly is: 'file'; readonly failure: Failure }
  | { readonly is: 'rpc'; readonly kind: RpcErrorName; readonly message: string }
  | { readonly is: 'system'; readonly code: string }
  | { readonly is: 'unforeseen' };

/** Drops the text of an unforeseen error, which may quote a secret. */
export function threadErrorOf(thrown: unknown): ThreadError {
  if (thrown instanceof FileError) return { is: 'file', failure: failureOf(thrown) };
  if (thrown instanceof RpcError) return { is: 'rpc', kind: thrown.kind, message: thrown.message };
  const code = systemCode(thrown);
  return code === null ? { is: 'unforeseen' } : { is: 'system', code };
}

/** The result of a task. Throws the error that the thread threw; a system error keeps its code only. */
export function resultOf<R>(answer: ThreadAnswer<R>): R {
  if (answer.kind === 'done') return answer.result;
  const { error } = answer;
  if (error.is === 'file') throw errorOfFailure(error.failure);
  if (error.is === 'rpc') throw new RpcError(error.kind, error.message);
  if (error.is === 'system') throw systemError(error.code);
  throw new Error('something unforeseen went wrong in a thread');
}

/**
 * Sends a task to a thread and resolves with its answer. Rejects only if the caller must end the thread: with the signal's
 * reason, with FileError `beyond_limits` for a task that takes longer than `limitMs` (null for no limit) or too much memory,
 * and if the thread failed. `onWritten`: see `WorkSignals`.
 */
export async function sendTask<K extends TaskKind>(
  thread: PoolThread<unknown>,
  task: Task<K>,
  signal: AbortSignal,
  limitMs: number | null,
  onWritten: OnWritten = () => {},
): Promise<ThreadAnswer<Output<K>>> {
  const late = new AbortController();
  const timer = limitMs === null ? undefined : setTimeout(() => late.abort(tooLongError(limitMs)), limitMs);
  const message: ToThread = { kind: 'task', task };
  const isAnswer = (news: FromThread<Output<K>>): news is ThreadAnswer<Output<K>> => {
    if (news.kind === 'written') onWritten(news.part);
    return news.kind !== 'written';
  };
  const ending = AbortSignal.any([signal, late.signal]);
  try {
    return await askThread<FromThread<Output<K>>, ThreadAnswer<Output<K>>>(thread, message, ending, isAnswer);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The time limit, in milliseconds, for a task on files of `bytes` bytes. It is many times what a slow computer needs
 * (100 MB of keys take 20 seconds on two cores), so that only a task that hangs reaches it.
 */
export function longestFor(bytes: number): number {
  return 120_000 + Math.ceil(bytes / 2 ** 20) * 5000;
}

function tooLongError(milliseconds: number): FileError {
  return new FileError('beyond_limits', { code: 'work_too_long', seconds: Math.ceil(milliseconds / 1000) });
}
