/** `loadwallet` and `unloadwallet`. */
import { loadedResult, warningsResult } from './loadResult.ts';
import { loadOnStartup, type Method, optional, required } from './method.ts';
import { namedWallet } from './whichWallet.ts';

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
      engine.wallets.unload(name);
      if (listed !== null) engine.startup.set(name, listed);
      return { ...warningsResult(engine, []) };
    });
  },
};
