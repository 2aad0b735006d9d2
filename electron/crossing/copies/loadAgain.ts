/** Loads a wallet again that was unloaded for a copy which then could not be made. */
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { listWallets, loadWallet } from '../../node/calls/walletCalls.ts';
import type { Session } from '../../node/rpc/session.ts';

/** The error to tell: `cause` where the wallet is loaded as before, else one that says that it is not. Never throws. */
export async function loadAgain({ client }: Session, name: string, cause: unknown): Promise<unknown> {
  try {
    if (!(await listWallets(client)).includes(name)) await loadWallet(client, name);
    return cause;
  } catch (thrown) {
    const { code, message } = errorShapeOf(cause);
    return new AppError(
      code,
      message,
      say(
        'Nothing was migrated. But the wallet was unloaded for the copy: load it in the list of wallets, or migrate it as it is.',
      ),
      errorShapeOf(thrown).node,
    );
  }
}
