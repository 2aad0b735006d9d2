/** `listwallets` and `listwalletdir`. */
import type { Method } from './method.ts';

export const listWallets: Method = {
  name: 'listwallets',
  group: 'wallet',
  about: 'Names of the loaded wallets. The unnamed one is the empty string.',
  params: [],
  run: ({ engine }) => engine.wallets.all().map((open) => open.name),
};

export const listWalletsInFolder: Method = {
  name: 'listwalletdir',
  group: 'wallet',
  about: 'Every wallet in the wallets folder, loaded or not.',
  params: [],
  run: async ({ engine }) => {
    const { dialect, layout, network, fileWork, stopping } = engine;
    const found = await fileWork.list(layout.walletsFolder, network, stopping);
    const wallets = found.map(({ name, kind }) => ({
      name,
      ...(dialect.listsWarnings ? { warnings: kind === 'bdb' ? [LEGACY] : [] } : {}),
    }));
    return { wallets };
  },
};

const LEGACY =
  'This wallet is a legacy wallet and will need to be migrated with migratewallet before it can be loaded';
