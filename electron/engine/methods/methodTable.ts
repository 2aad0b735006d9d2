/** All methods of the engine by name, those about the engine itself, and the function that runs a call. */
import { AppError } from '../../../shared/model/errors.ts';
import { chainOfNetwork } from '../../../shared/model/network.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { type RpcCall, RpcError, type RpcValue, WrittenJson } from '../rpc/jsonRpc.ts';
import type { Engine } from '../wallets/wallets.ts';
import {
  calledWallet,
  helpText,
  type Method,
  optional,
  type ReadMethod,
  readArguments,
  type Table,
} from './method.ts';
import { migrateCalls } from './migrateWallet.ts';
import { renameCalls } from './renameWallet.ts';
import { restoreCalls } from './restoreWallet.ts';
import { backupCalls, walletCalls } from './walletCalls.ts';
import { readMethods } from './walletReadMethods.ts';

/** The calls about the engine itself. */
const nodeCalls: Table<Method> = {
  getnetworkinfo: {
    group: 'network',
    about: 'The release whose calls the engine speaks. It has no network.',
    run: ({ engine }) => ({
      version: engine.dialect.version,
      subversion: `/Wallet Ferry engine:${engine.dialect.versionText}/`,
      protocolversion: 70016,
      localservices: '0000000000000000',
      localservicesnames: [],
      localrelay: false,
      timeoffset: 0,
      ...(engine.dialect.sendRate ? { tx_send_rate: 0, inv_buckets: NO_BUCKETS } : {}),
      networkactive: false,
      connections: 0,
      connections_in: 0,
      connections_out: 0,
      networks: [],
      relayfee: 0n,
      incrementalfee: 0n,
      localaddresses: [],
      warnings: warningsOf(engine),
    }),
  },
  getblockchaininfo: {
    group: 'blockchain',
    about:
      'The network, and the newest block that the loaded wallets know; zeros if their files contain none. The engine has no chain, so there is nothing to sync.',
    run: ({ engine }) => {
      const newest = newestBlock(engine);
      return {
        chain: chainOfNetwork(engine.network),
        blocks: newest.height,
        headers: newest.height,
        bestblockhash: newest.hash,
        // Since release 29.
        ...(engine.dialect.release >= 30 ? { bits: '0'.repeat(8), target: NO_BLOCK } : {}),
        difficulty: 0,
        time: newest.time,
        mediantime: newest.time,
        verificationprogress: 1,
        initialblockdownload: false,
        chainwork: '0'.repeat(64),
        size_on_disk: 0,
        pruned: false,
        warnings: warningsOf(engine),
      };
    },
  },
  getindexinfo: {
    group: 'util',
    about: 'The indexes of the chain: the engine has none.',
    params: [optional('index_name', 'string', 'Only this index.')],
    run: () => ({}),
  },
  getrpcinfo: {
    group: 'control',
    about: 'The running calls, and the log.',
    run: ({ engine: { activeCalls, log } }) => ({
      // Microseconds.
      active_commands: [...activeCalls].map(({ method, since }) => ({
        method,
        duration: Math.round((performance.now() - since) * 1000),
      })),
      logpath: log.path,
    }),
  },
  uptime: {
    group: 'control',
    about: 'Whole seconds since the engine started.',
    run: ({ engine }) => engine.uptime(),
  },
  stop: {
    group: 'control',
    about: 'Stops the engine after it has answered the running calls.',
    params: [optional('wait', 'number', 'Not used.')],
    run: ({ engine }) => {
      engine.stop();
      return 'Wallet Ferry engine stopping';
    },
  },
};

const table: Table<Method> = {
  ...nodeCalls,
  ...walletCalls,
  ...backupCalls,
  ...migrateCalls,
  ...renameCalls,
  ...restoreCalls,
  ...Object.fromEntries(
    Object.entries(readMethods).map(([name, question]) => [name, methodFor(name, question)]),
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
function methodFor(method: string, question: Table<ReadMethod>[string]): Table<Method>[string] {
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

const NO_BUCKET = { backlog: 0, count_tok: 0, size_tok: 0 };
const NO_BUCKETS = { inbound: NO_BUCKET, outbound: NO_BUCKET };

function newestBlock({ wallets }: Engine): { height: number; hash: string; time: number } {
  const known = wallets
    .all()
    .map(({ wallet: { summary } }) => ({
      height: summary.lastBlock?.height ?? 0,
      hash: summary.lastBlock?.hash ?? NO_BLOCK,
      time: summary.lastActivity ?? 0,
    }))
    .sort((a, b) => b.height - a.height || b.time - a.time);
  return known[0] ?? { height: 0, hash: NO_BLOCK, time: 0 };
}

const NO_BLOCK = '0'.repeat(64);
const OFFLINE =
  "This is the Wallet Ferry engine. It works offline, without a blockchain: balances and transactions are as last recorded in each wallet's file.";

function warningsOf({ dialect }: Engine) {
  return dialect.nodeWarnings === 'list' ? [OFFLINE] : OFFLINE;
}
