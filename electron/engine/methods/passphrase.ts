/** `walletpassphrase` and `walletlock`. */
import { RpcError } from '../rpc/rpcError.ts';
import { calledWallet, type Method, required } from './method.ts';

/** A node's own limit, in seconds. */
const LONGEST_UNLOCK = 100_000_000;

export const walletPassphrase: Method = {
  name: 'walletpassphrase',
  group: 'wallet',
  about: 'Unlocks an encrypted wallet for a while, so that its private descriptors can be listed.',
  params: [
    required('passphrase', 'string', 'The wallet passphrase.'),
    required('timeout', 'number', 'For how many seconds; at most 100000000.'),
  ],
  run: ({ engine, args, endpoint }) => {
    const { name, wallet } = calledWallet(engine, endpoint);
    if (!wallet.encryption) throw unencrypted('walletpassphrase');
    const { encryption } = wallet;
    const seconds = args.integer('timeout') ?? 0;
    if (seconds < 0) throw new RpcError('invalidParameter', 'Timeout cannot be negative.');
    const passphrase = args.text('passphrase') ?? '';
    if (passphrase === '') throw new RpcError('invalidParameter', 'passphrase cannot be empty');
    return engine.wallets.inTurn([name], async () => {
      const unlocked = await engine.heavyWork.unlock({ encryption, passphrase }, engine.stopping);
      if ('wrong' in unlocked) {
        throw new RpcError('wrongPassphrase', 'Error: The wallet passphrase entered was incorrect.');
      }
      engine.wallets.get(name)?.lock.open(unlocked.masterKey, Math.min(seconds, LONGEST_UNLOCK));
      return null;
    });
  },
};

export const walletLock: Method = {
  name: 'walletlock',
  group: 'wallet',
  about: 'Locks an unlocked wallet and forgets its key.',
  params: [],
  run: ({ engine, endpoint }) => {
    const { wallet, lock } = calledWallet(engine, endpoint);
    if (!wallet.encryption) throw unencrypted('walletlock');
    lock.close();
    return null;
  },
};

function unencrypted(method: string): RpcError {
  return new RpcError(
    'wrongEncryptionState',
    `Error: running with an unencrypted wallet, but ${method} was called.`,
  );
}
