/** `restorewallet`: makes a wallet with a new name from a backup file. */
import { existsSync, mkdirSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  flushFolder,
  makeFolder,
  moveFolder,
  partPath,
  plainPath,
  removePart,
} from '../../files/durableFile.ts';
import { isDiskFull, systemCode } from '../../files/fileError.ts';
import { contentMarkOf } from '../../files/fileMark.ts';
import { identify } from '../migration/moves.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import { FAILED, openWalletFile, readWalletFile, wordsOf } from '../wallets/readWalletFile.ts';
import type { Engine } from '../wallets/wallets.ts';
import { refuseUnsafePath, type WalletPath, walletPathOf } from '../wallets/walletsFolder.ts';
import type { ReadFile, WalletHandle } from '../wallets/work.ts';
import { loadOnStartup, type Method, required, type Table } from './method.ts';
import { loadedResult } from './walletCalls.ts';

export const restoreCalls: Table<Method> = {
  restorewallet: {
    about:
      'Restores and loads a wallet from backup.\n\nThe engine has no blockchain: nothing is rescanned, and balances are as last recorded in the backup.',
    params: [
      required('wallet_name', 'string', 'The name that will be applied to the restored wallet'),
      required('backup_file', 'string', 'The backup file that will be used to restore the wallet.'),
      loadOnStartup,
    ],
    run: ({ engine, args }) => {
      const name = args.text('wallet_name') ?? '';
      const backup = args.text('backup_file') ?? '';
      return engine.wallets.inTurn([name], async () => {
        const { wallet } = engine.wallets.add(name, await restore(engine, name, backup));
        return loadedResult(engine, name, wallet, args.flag('load_on_startup'));
      });
    },
  },
};

async function restore(engine: Engine, name: string, backup: string): Promise<WalletHandle> {
  if (engine.dialect.checksNames) refusePaths(name);
  if (!existsSync(backup)) throw new RpcError('invalidParameter', 'Backup file does not exist');
  const place = walletPathOf(engine.layout.walletsFolder, name);
  if (existsSync(place.path)) throw nameTakenError(engine, place);
  refuseUnsafePath(engine.state, engine.layout.walletsFolder, place.path);
  const { work, stopping } = engine;
  const file = await work.run('read', { path: resolve(backup) }, { stopping }).catch((error) => {
    stopping.throwIfAborted();
    throw new RpcError('wallet', `${wordsOf(error, 'The backup file cannot be read.')} Nothing was changed.`);
  });
  // Open it before writing, so that an unusable backup leaves no file.
  const wallet = await openWalletFile(place, file, engine);
  try {
    stopping.throwIfAborted();
    await writeWalletFolder(engine, place, file);
  } catch (error) {
    wallet.release();
    throw error;
  }
  if (file.bytes !== null) return wallet;
  // The backup's disk may be removed. The wallet is in place even if a virus scanner keeps its file from being opened for a moment.
  const own = await readWalletFile('read', place, engine)
    .then((read) => openWalletFile(place, read, engine))
    .catch(() => null);
  if (own === null) return wallet;
  wallet.release();
  return own;
}

/**
 * Writes the wallet's folder under a hidden name and renames it, so that a killed engine leaves either no wallet of this
 * name or a whole one.
 */
async function writeWalletFolder(engine: Engine, place: WalletPath, file: ReadFile): Promise<void> {
  const { layout, state, work } = engine;
  const { walletsFolder } = layout;
  // Check again: reading took a while, and the next files contain keys.
  refuseUnsafePath(state, walletsFolder, place.path);
  const part = partPath(walletsFolder);
  let above: string | undefined;
  try {
    makeFolder(part);
    const { mark } = await work.run('duplicate', { path: join(part, 'wallet.dat'), file });
    flushFolder(part);
    // The first folder that was created for a name with slashes.
    above = mkdirSync(dirname(place.path), { recursive: true, mode: 0o700 });
    refuseUnsafePath(state, walletsFolder, place.path);
    if (contentMarkOf(identify(join(part, 'wallet.dat'))) !== mark) throw new Error('the new wallet changed');
    moveFolder(part, place.path);
  } catch (error) {
    removePart(part);
    if (above !== undefined) removeEmptyFolders(dirname(place.path), dirname(plainPath(above)));
    if (error instanceof RpcError) throw error;
    if (systemCode(error) === 'EEXIST') throw nameTakenError(engine, place);
    // A backup that is too large for memory is read only now.
    const why = isDiskFull(systemCode(error))
      ? 'There is not enough space in the wallets folder.'
      : wordsOf(error, 'The wallet could not be written.');
    throw new RpcError('wallet', `${why} Nothing was left behind.`);
  }
  for (let folder = dirname(place.path); ; folder = dirname(folder)) {
    flushFolder(folder);
    if (folder === walletsFolder || folder === dirname(folder)) break;
  }
}

function removeEmptyFolders(from: string, to: string): void {
  try {
    for (let folder = from; folder !== to; folder = dirname(folder)) rmdirSync(folder);
  } catch {
    // A folder that is no longer empty stays.
  }
}

function nameTakenError({ dialect }: Engine, { path }: WalletPath): RpcError {
  return new RpcError('walletAlreadyExists', dialect.words.taken(path));
}

/** bitcoin/bitcoin#34544, #34269. */
function refusePaths(name: string): void {
  if (name === '') throw new RpcError('invalidParameter', 'Wallet name cannot be empty');
  if (/^\.\.?\//.test(name)) {
    throw new RpcError(
      'wallet',
      `${FAILED} Wallet name given as a relative path cannot begin with ./ or ../, for wallets not in the walletdir, please use an absolute path.`,
    );
  }
  if (/^\/+$/.test(name)) throw new RpcError('wallet', `${FAILED} Wallet name cannot be the root path`);
}
