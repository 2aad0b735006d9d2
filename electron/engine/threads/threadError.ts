/** An error on its way from a thread: its words where they are meant to be told, and nothing of any other. */
import { AppError, type AppErrorShape } from '../../../shared/errors.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { RpcError, type RpcErrorName } from '../rpc/rpcError.ts';

export type ThreadError =
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
