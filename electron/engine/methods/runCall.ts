/** Runs one call: finds its method, checks its arguments, keeps it in the list of calls under way. */
import { AppError } from '../../../shared/errors.ts';
import type { RpcCall } from '../rpc/jsonRpc.ts';
import { RpcError } from '../rpc/rpcError.ts';
import type { RpcValue } from '../rpc/rpcJson.ts';
import type { Engine } from '../wallets/engineContext.ts';
import { readArguments } from './callArguments.ts';
import { findMethod } from './methodTable.ts';

/** Throws RpcError. `endpoint` is the wallet of the path, null for the root path; `asker` is aborted once it is gone. */
export async function runCall(
  engine: Engine,
  { method: name, params }: RpcCall,
  endpoint: string | null,
  asker: AbortSignal,
): Promise<RpcValue> {
  const method = findMethod(name, engine.dialect);
  if (!method) throw new RpcError('unknownMethod', 'Method not found');
  const end = engine.activeCalls.begin(name);
  try {
    return await method.run({ engine, args: readArguments(method, params, engine.dialect), endpoint, asker });
  } catch (error) {
    throw error instanceof AppError ? new RpcError('wallet', `Error: ${error.message}`) : error;
  } finally {
    end();
  }
}
