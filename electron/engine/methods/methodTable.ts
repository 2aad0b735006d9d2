/** Every call of the engine, by name. */
import type { Dialect } from '../rpc/dialect.ts';
import { WrittenJson } from '../rpc/rpcJson.ts';
import { backupWallet } from './backupWallet.ts';
import { getRpcInfo, makeHelp, stop, uptime } from './control.ts';
import { listWallets, listWalletsInFolder } from './listWallets.ts';
import { loadWallet, unloadWallet } from './loadWallet.ts';
import type { Method, Question } from './method.ts';
import { calledWallet } from './method.ts';
import { migrateWallet } from './migrateWallet.ts';
import { getBlockchainInfo, getIndexInfo, getNetworkInfo } from './nodeInfo.ts';
import { walletLock, walletPassphrase } from './passphrase.ts';
import { questions } from './questionTable.ts';
import { restoreWallet } from './restoreWallet.ts';

const methods: readonly Method[] = [
  backupWallet,
  getBlockchainInfo,
  getIndexInfo,
  getNetworkInfo,
  getRpcInfo,
  listWallets,
  listWalletsInFolder,
  loadWallet,
  migrateWallet,
  restoreWallet,
  stop,
  unloadWallet,
  uptime,
  walletLock,
  walletPassphrase,
  ...questions.map(asked),
];

const byName = new Map([...methods, makeHelp(methods)].map((method) => [method.name, method]));

/** The method of a name, or undefined when the release has none of that name. */
export function findMethod(name: string, dialect: Dialect): Method | undefined {
  const method = byName.get(name);
  return method && (method.isIn?.(dialect) ?? true) ? method : undefined;
}

/** A question is answered where the wallet is open: this thread only sends it there, with the key of an unlocked one. */
function asked(question: Question): Method {
  return {
    ...question,
    run: async ({ engine, args: { given }, endpoint, asker }) => {
      const { name, wallet, lock } = calledWallet(engine, endpoint);
      const signals = { stopping: engine.stopping, asker };
      const ask = {
        method: question.name,
        given,
        release: engine.dialect.release,
        name,
        masterKey: question.usesKey ? (lock.masterKey()?.slice() ?? null) : null,
        unlockedUntil: lock.until(),
        now: engine.now(),
      };
      return new WrittenJson(await wallet.ask(ask, signals));
    },
  };
}
