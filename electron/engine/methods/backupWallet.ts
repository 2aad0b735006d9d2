/** `backupwallet`. */
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { RpcError } from '../rpc/rpcError.ts';
import type { Engine } from '../wallets/engineContext.ts';
import { identityOf, placeOf } from '../wallets/walletPlace.ts';
import { calledWallet, type Method, required } from './method.ts';

export const backupWallet: Method = {
  name: 'backupwallet',
  group: 'wallet',
  about:
    "Copies the wallet's file to a path, or into a folder. A file that is there is replaced, but never one of the wallets of the folder.",
  params: [required('destination', 'string', 'The path of the copy, or a folder for it.')],
  run: ({ engine, args, endpoint }) => {
    const { name, place } = calledWallet(engine, endpoint);
    const wanted = resolve(args.text('destination') ?? '');
    const destination = isFolder(wanted) ? join(wanted, 'wallet.dat') : wanted;
    return engine.wallets.inTurn([name], async () => {
      if (await isOwnWallet(destination, engine)) throw failed();
      try {
        await engine.fileWork.copy(place.file, destination);
      } catch {
        throw failed();
      }
      return null;
    });
  },
};

async function isOwnWallet(
  destination: string,
  { layout, network, fileWork, stopping }: Engine,
): Promise<boolean> {
  if (relative(layout.walletsFolder, destination).startsWith('..')) return false;
  const { walletsFolder } = layout;
  const found = await fileWork.list(walletsFolder, network, stopping);
  const identities = found.map(({ name }) => identityOf(placeOf(walletsFolder, name)));
  return identities.includes(
    identityOf({ name: '', path: destination, file: destination, form: 'file' }) ?? '',
  );
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function failed(): RpcError {
  return new RpcError('wallet', 'Error: Wallet backup failed!');
}
