/** `renamewallet`, which only the engine has: it frees a wallet's name for another wallet. */
import { realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { areSameFile, flushFolder, moveFile, moveFolder, pathExists } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { hotJournalsBeside } from '../../files/walletJournals.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import type { Engine } from '../wallets/wallets.ts';
import { refuseUnsafePath, type WalletPath, walletPathOf } from '../wallets/walletsFolder.ts';
import { type Method, required, type Table } from './method.ts';
import { updateStartupList, warningsResult } from './walletCalls.ts';

export const renameCalls: Table<Method> = {
  renamewallet: {
    about:
      'Renames a wallet. The new name must be free. Only this engine has this call.\n\nUnloads the wallet first. Everything in its folder moves with it.',
    params: [
      required('wallet_name', 'string', 'The name of the wallet.'),
      required('new_name', 'string', 'Its new name, in the same folder.'),
    ],
    run: ({ engine, args }) => {
      const name = args.text('wallet_name') ?? '';
      const newName = args.text('new_name') ?? '';
      // Waits for a migration of either wallet.
      return engine.wallets.inTurn([name, newName], () => rename(engine, name, newName));
    },
  },
};

async function rename(engine: Engine, name: string, newName: string): Promise<RpcValue> {
  const { wallets, log, stopping } = engine;
  const { walletsFolder } = engine.layout;
  const from = walletPathOf(walletsFolder, name);
  const to = newPlace(from, newName, walletsFolder);
  await refuse(engine, from, to);
  stopping.throwIfAborted();
  if (wallets.get(name) !== undefined) wallets.unload(name);
  try {
    // One step of the system: after a crash, the wallet has one of the two names.
    if (from.form === 'file') moveFile(from.path, to.path);
    else moveFolder(from.path, to.path);
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes(systemCode(error) ?? '')) throw nameTakenError(to);
    throw new RpcError('wallet', 'The wallet could not be renamed. It is unloaded and keeps its old name.');
  }
  flushFolder(dirname(from.path));
  log.ofWallet(name, `Renamed to ${newName}`);
  return { name: newName, ...warningsResult(engine, renameOnStartupList(engine, name, newName)) };
}

/** Throws RpcError -8 if the new name is in another folder, or one of the names is empty. */
function newPlace(from: WalletPath, newName: string, walletsFolder: string): WalletPath {
  const to = walletPathOf(walletsFolder, newName);
  const isPlain = relative(walletsFolder, to.path).split(sep).join('/') === newName;
  const isInSameFolder = dirname(from.path) === dirname(to.path) && newName !== '';
  if (from.path === walletsFolder || !isInSameFolder || !isPlain) {
    throw new RpcError('invalidParameter', 'The new name must name a wallet in the same folder.');
  }
  return to;
}

async function refuse(engine: Engine, from: WalletPath, to: WalletPath): Promise<void> {
  const { layout, state, wallets, network, work, stopping } = engine;
  if (!pathExists(from.file)) throw new RpcError('walletNotFound', `There is no wallet at ${from.path}.`);
  // A crash may have left a bare file under both names.
  if (pathExists(to.path) && !(from.form === 'file' && areSameFile(from.path, to.path)))
    throw nameTakenError(to);
  if (state.journals().length > 0) {
    throw new RpcError(
      'wallet',
      'A migration is unfinished: start the engine again, which finishes it. Nothing was changed.',
    );
  }
  wallets.refuseAlias(from);
  if (from.form === 'folder') {
    if (realpathSync.native(from.path) !== join(state.walletsFolder, from.name)) {
      throw new RpcError(
        'wallet',
        `${from.path} has another spelling in the folder, or is a link. Nothing was changed.`,
      );
    }
    const inside = `${from.name}/`;
    const all = await work.run('list', { folder: layout.walletsFolder, network }, { stopping });
    if (all.some((one) => one.name.replaceAll('\\', '/').startsWith(inside))) {
      throw new RpcError('wallet', `${from.path} contains other wallets. Nothing was changed.`);
    }
  }
  // Checked after the list, which took a while.
  refuseUnsafePath(state, layout.walletsFolder, from.file, to.file);
  // A rename of a bare file would separate it from its journal, or give it another file's.
  if (from.form === 'file' && (hotJournalsBeside(from.path) || hotJournalsBeside(to.path))) {
    throw new RpcError('wallet', 'A journal is next to the wallet’s file. Nothing was changed.');
  }
  if (isInUse(from.file))
    throw new RpcError('wallet', 'Another program has the wallet open. Nothing was changed.');
}

function nameTakenError({ path }: WalletPath): RpcError {
  return new RpcError('walletAlreadyExists', `${path} already exists. Nothing was changed.`);
}

/** Renames the wallet on the startup list. Returns warnings. */
function renameOnStartupList(engine: Engine, name: string, newName: string): readonly string[] {
  const isListed = orNull(() => engine.startup.names().includes(name)) ?? false;
  if (!isListed) return [];
  return [
    ...new Set([...updateStartupList(engine, name, false), ...updateStartupList(engine, newName, true)]),
  ];
}
