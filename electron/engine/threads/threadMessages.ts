/** What goes to the engine's threads, and what comes back. */
import { AppError, type AppErrorShape } from '../../../shared/errors.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { RpcError, type RpcErrorName } from '../rpc/rpcError.ts';
import type { Job } from './threadJob.ts';

/** What a thread is started with. */
export interface ThreadData {
  readonly sqlite: WebAssembly.Module;
  /** `secrets`: one piece of heavy work, and the thread is ended with it. `files`: one job after the other. */
  readonly serves: 'secrets' | 'files';
}

/** `forget`: wallets that are not asked about any more. It is not answered; all others are. */
export type ToThread =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'forget'; readonly ids: readonly number[] };

/** `warm`: a thread for secrets is ready, and this is what it made of a made-up wallet. */
export type FromThread<R> =
  | { readonly kind: 'warm'; readonly file: Uint8Array }
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'failed'; readonly error: ThreadError };

/** An error on its way: its words where they are meant to be told, and nothing of any other. */
type ThreadError =
  | { readonly is: 'app'; readonly shape: AppErrorShape }
  | { readonly is: 'rpc'; readonly kind: RpcErrorName; readonly message: string }
  | { readonly is: 'system'; readonly code: string }
  | { readonly is: 'unforeseen' };

/** The text of an unforeseen error stays behind: it may quote a secret. */
export function threadErrorOf(thrown: unknown): ThreadError {
  if (thrown instanceof AppError) return { is: 'app', shape: thrown.toShape() };
  if (thrown instanceof RpcError) return { is: 'rpc', kind: thrown.kind, message: thrown.message };
  const code = systemCode(thrown);
  return code === null ? { is: 'unforeseen' } : { is: 'system', code };
}

/** The error as it was thrown there. One of the system has its code. */
export function errorOf(error: ThreadError): Error {
  if (error.is === 'app') return AppError.fromShape(error.shape);
  if (error.is === 'rpc') return new RpcError(error.kind, error.message);
  if (error.is === 'system') return Object.assign(new Error('the system refused it'), { code: error.code });
  return new Error('something unforeseen went wrong in a thread');
}
