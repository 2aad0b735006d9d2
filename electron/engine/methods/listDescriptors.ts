/** `listdescriptors`. */
import { RpcError } from '../rpc/rpcError.ts';
import { optional, type Question } from './method.ts';

export const listDescriptors: Question = {
  name: 'listdescriptors',
  group: 'wallet',
  about: 'Every descriptor of a descriptor wallet.',
  params: [optional('private', 'bool', 'Show private descriptors. The wallet must be unlocked.')],
  usesKey: true,
  answer: ({ wallet, name, args, masterKey }) => {
    const secrets = args.flag('private') === true;
    if (wallet.kind === 'legacy') {
      throw new RpcError('wallet', 'listdescriptors is not available for non-descriptor wallets');
    }
    if (secrets && !wallet.summary.privateKeys) {
      throw new RpcError('wallet', "Can't get private descriptor string for watch-only wallets");
    }
    if (secrets && wallet.encryption && masterKey === null) throw locked();
    const listed = wallet.descriptors(secrets ? 'private' : 'public', masterKey);
    return {
      wallet_name: name,
      descriptors: listed.map((each) => ({
        desc: each.text,
        timestamp: each.timestamp,
        active: each.active,
        internal: each.internal ?? undefined,
        range: each.range ?? undefined,
        next: each.next ?? undefined,
        next_index: each.next ?? undefined,
      })),
    };
  },
};

function locked(): RpcError {
  return new RpcError(
    'unlockNeeded',
    'Error: Please enter the wallet passphrase with walletpassphrase first.',
  );
}
