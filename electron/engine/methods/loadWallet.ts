/** `loadwallet` and `unloadwallet`. */
import { loadedResult, warningsResult } from '../loadResult.ts';
import { RpcError } from '../rpcError.ts';
import { namedWallet } from '../whichWallet.ts';
import { type Method, optional, required } from './method.ts';

const loadOnStartup = optional(
  'load_on_startup',
  'bool',
  'Save wallet name to persistent settings and load on startup. True to add wallet to startup list, false to remove, null to leave unchanged.',
);

export const loadWallet: Method = {
  name: 'loadwallet',
  group: 'wallet',
  about: 'Loads a wallet from the wallets folder.',
  params: [
    required('filename', 'string', 'The name of the wallet: its folder, or its .dat file.'),
    loadOnStartup,
  ],
  run: ({ engine, args }) => {
    const name = args.text('filename') ?? '';
    const listed = args.flag('load_on_startup');
    return engine.wallets.inTurn([name], async () => {
      const { wallet } = await engine.wallets.load(name);
      if (listed !== null) engine.startup.set(name, listed);
      return loadedResult(engine, name, wallet);
    });
  },
};

export const unloadWallet: Method = {
  name: 'unloadwallet',
  group: 'wallet',
  about: 'Unloads the wallet of the path or of the argument. Its file stays as it is.',
  params: [
    optional(
      'wallet_name',
      'string',
      'The name of the wallet to unload. Must be the one of the path if both are given.',
    ),
    loadOnStartup,
  ],
  run: ({ engine, args, endpoint }) => {
    const name = namedWallet(engine, endpoint, args.text('wallet_name'));
    const listed = args.flag('load_on_startup');
    return engine.wallets.inTurn([name], async () => {
      if (!engine.wallets.get(name)) {
        throw new RpcError('walletNotFound', 'Requested wallet does not exist or is not loaded');
      }
      engine.wallets.unload(name);
      if (listed !== null) engine.startup.set(name, listed);
      return { ...warningsResult(engine, []) };
    });
  },
};
