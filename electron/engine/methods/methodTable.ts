/** Every call of the engine, by name. */
import type { Dialect } from '../dialect.ts';
import { backupWallet } from './backupWallet.ts';
import { getRpcInfo, makeHelp, stop, uptime } from './control.ts';
import { getAddressInfo } from './getAddressInfo.ts';
import { getBalances } from './getBalances.ts';
import { getWalletInfo } from './getWalletInfo.ts';
import { getAddressesByLabel, listLabels } from './labels.ts';
import { listDescriptors } from './listDescriptors.ts';
import { listTransactions } from './listTransactions.ts';
import { listLockUnspent, listUnspent } from './listUnspent.ts';
import { listWallets, listWalletsInFolder } from './listWallets.ts';
import { loadWallet, unloadWallet } from './loadWallet.ts';
import type { Method } from './method.ts';
import { migrateWallet } from './migrateWallet.ts';
import { getBlockchainInfo, getIndexInfo, getNetworkInfo } from './nodeInfo.ts';
import { walletLock, walletPassphrase } from './passphrase.ts';
import { restoreWallet } from './restoreWallet.ts';

const methods: readonly Method[] = [
  backupWallet,
  getAddressesByLabel,
  getAddressInfo,
  getBalances,
  getBlockchainInfo,
  getIndexInfo,
  getNetworkInfo,
  getRpcInfo,
  getWalletInfo,
  listDescriptors,
  listLabels,
  listLockUnspent,
  listTransactions,
  listUnspent,
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
];

const byName = new Map([...methods, makeHelp(methods)].map((method) => [method.name, method]));

/** The method of a name, or undefined when the release has none of that name. */
export function findMethod(name: string, dialect: Dialect): Method | undefined {
  const method = byName.get(name);
  return method && (method.isIn?.(dialect) ?? true) ? method : undefined;
}
