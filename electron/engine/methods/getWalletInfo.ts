/** `getwalletinfo`. */
import type { LoadedWallet } from '../view/loadedWallet.ts';
import type { Question } from './method.ts';

export const getWalletInfo: Question = {
  name: 'getwalletinfo',
  group: 'wallet',
  about:
    'What a loaded wallet is. Balances are what its file last knew. The file names its last block and not the height: lastprocessedblock is left out where the height is not certain.',
  params: [],
  answer: async ({ wallet, name, dialect, unlockedUntil, now }) => {
    const { summary } = wallet;
    const shown = dialect.walletInfo;
    const height = summary.lastBlock?.height ?? null;
    return {
      walletname: name,
      walletversion: summary.version,
      format: wallet.kind === 'legacy' ? 'bdb' : 'sqlite',
      ...(shown.balances ? await balancesOf(wallet) : {}),
      txcount: summary.transactions,
      // A legacy wallet with an empty pool says now.
      keypoololdest: wallet.kind === 'legacy' ? (summary.keypool.oldest ?? now) : undefined,
      keypoolsize: summary.keypool.external,
      hdseedid: summary.hdSeedId ?? undefined,
      keypoolsize_hd_internal: summary.keypool.internal ?? undefined,
      unlocked_until: wallet.encryption ? unlockedUntil : undefined,
      paytxfee: 0n,
      private_keys_enabled: summary.privateKeys,
      avoid_reuse: summary.avoidReuse,
      scanning: false,
      descriptors: wallet.kind === 'descriptor',
      external_signer: summary.externalSigner,
      ...(shown.birth
        ? {
            blank: summary.blank,
            birthtime: summary.birthTime ?? undefined,
            flags: shown.flags ? summary.flags : undefined,
            lastprocessedblock:
              summary.lastBlock && height !== null ? { hash: summary.lastBlock.hash, height } : undefined,
          }
        : {}),
    };
  },
};

async function balancesOf(wallet: LoadedWallet) {
  const { mine } = (await wallet.ledger()).balances;
  return { balance: mine.trusted, unconfirmed_balance: mine.pending, immature_balance: mine.immature };
}
