/** Refuses names that a new wallet cannot have at the node. */
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { checkWalletName } from '../../../shared/walletName.ts';
import { thisPlatform } from '../../disk/isNetworkPath.ts';
import { listWalletDir, listWallets } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';

/** Gives the names that the node has. Throws AppError `name_invalid` and `name_taken`. */
export async function refuseName({ client, status }: Session, name: string): Promise<string[]> {
  const [loaded, onDisk] = await Promise.all([listWallets(client), listWalletDir(client)]);
  const taken = [...loaded, ...onDisk.map((wallet) => wallet.name)];
  const verdict = checkWalletName(name, { taken, platform: status.local ? thisPlatform() : 'other' });
  if (verdict.ok) return taken;
  throw nameRefused(verdict.reason === 'taken' ? 'name_taken' : 'name_invalid', verdict.message);
}

export function nameRefused(code: 'name_taken' | 'name_invalid', message: string): AppError {
  return new AppError(code, message, say('Nothing was changed. Choose another name.'));
}
