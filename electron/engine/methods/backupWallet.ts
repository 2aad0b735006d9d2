/** `backupwallet`. */
import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isOwnName } from '../../../shared/model/names/walletName.ts';
import { partPath } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { RpcError } from '../rpc/rpcError.ts';
import { calledWallet, type Method, required, type Table } from './method.ts';

export const backupCalls: Table<Method> = {
  backupwallet: {
    about: "Copies the wallet's file to a path, or into a folder. A file that is there is never replaced.",
    params: [required('destination', 'string', 'The path of the copy, or a folder for it.')],
    run: ({ engine, args, endpoint }) => {
      const { name, place } = calledWallet({ engine, endpoint });
      const wanted = resolve(args.text('destination') ?? '');
      const isFolder = orNull(() => statSync(wanted).isDirectory());
      const destination = isFolder ? join(wanted, 'wallet.dat') : wanted;
      return engine.wallets.inTurn([name], async () => {
        if (destination.split(/[\\/]/).some(isOwnName))
          throw failed('That name is kept for files of the engine.');
        try {
          const part = partPath(dirname(destination));
          await engine.work.run('copy', { from: place.file, to: destination, part });
        } catch (error) {
          throw failed(systemCode(error) === 'EEXIST' ? taken(destination) : null);
        }
        return null;
      });
    },
  },
};

/** A node replaces the file. That may be the only copy of another wallet, whatever it is called. */
function taken(destination: string): string {
  return `There is already something at ${destination}, and the engine replaces nothing: choose another name.`;
}

/** A node says no more than the first sentence. */
function failed(why: string | null): RpcError {
  return new RpcError('wallet', `Error: Wallet backup failed!${why === null ? '' : ` ${why}`}`);
}
