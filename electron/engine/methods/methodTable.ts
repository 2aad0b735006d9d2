/** All methods of the engine by name, and the function that runs a call. */
import { AppError } from '../../../shared/model/errors.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { type RpcCall, RpcError, type RpcValue, WrittenJson } from '../rpc/jsonRpc.ts';
import type { Engine } from '../wallets/wallets.ts';
import {
  calledWallet,
  helpText,
  type Method,
  optional,
  type Question,
  readArguments,
  type Table,
} from './method.ts';
import { migrateCalls } from './migrateWallet.ts';
import { nodeCalls } from './nodeCalls.ts';
import { renameCalls } from './renameWallet.ts';
import { restoreCalls } from './restoreWallet.ts';
import { backupCalls, walletCalls } from './walletCalls.ts';
import { questions } from './walletQuestions.ts';

const table: Table<Method> = {
  ...nodeCalls,
  ...walletCalls,
  ...backupCalls,
  ...migrateCalls,
  ...renameCalls,
  ...restoreCalls,
  ...Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [name, methodFor(name, question)]),
  ),
  help: {
    group: 'control',
    about: 'Lists all calls, or describes one.',
    params: [optional('command', 'string', 'The call to describe.')],
    run: ({ engine, args }) => helpText(methodsOf(engine.dialect), args.text('command')),
  },
};

const methods = Object.entries(table).map(
  ([name, method]): Method => ({ group: 'wallet', params: [], ...method, name }),
);

/** The methods of a release. */
function methodsOf(dialect: Dialect): readonly Method[] {
  return methods
    .filter(({ isIn }) => isIn?.(dialect) ?? true)
    .map((method) => ({ ...method, params: method.params.filter(({ isIn }) => isIn?.(dialect) ?? true) }));
}

/** Throws RpcError. `endpoint`: the wallet of the path, null for the root path. `caller`: aborts when nobody waits. */
export async function runCall(
  engine: Engine,
  { method: name, params }: RpcCall,
  endpoint: string | null,
  caller: AbortSignal,
): Promise<RpcValue> {
  const { activeCalls, dialect } = engine;
  const method = methodsOf(dialect).find((each) => each.name === name);
  if (!method) throw new RpcError('unknownMethod', 'Method not found');
  const call = { method: name, since: performance.now() };
  activeCalls.add(call);
  try {
    return await method.run({ engine, args: readArguments(method, params, dialect), endpoint, caller });
  } catch (error) {
    throw error instanceof AppError
      ? new RpcError('wallet', error.node?.message ?? `Error: ${errorShapeOf(error).message}`)
      : error;
  } finally {
    activeCalls.delete(call);
  }
}

/** Sends a question to the thread that has opened the wallet, with the key of an unlocked one. */
function methodFor(method: string, question: Table<Question>[string]): Table<Method>[string] {
  return {
    ...question,
    run: async ({ engine, args, endpoint, caller }) => {
      const { name, wallet, lock } = calledWallet({ engine, endpoint });
      const ask = {
        method,
        params: args.all,
        release: engine.dialect.release,
        name,
        masterKey: question.usesKey ? (lock.masterKey()?.slice() ?? null) : null,
        unlockedUntil: lock.until(),
        now: engine.now(),
      };
      return new WrittenJson(await wallet.ask(ask, { stopping: engine.stopping, caller }));
    },
  };
}
