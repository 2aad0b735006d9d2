/** `getbalances`: what the wallet's file last knew. */
import type { BalanceParts } from '../view/loadedWallet.ts';
import type { Question } from './method.ts';

export const getBalances: Question = {
  name: 'getbalances',
  group: 'wallet',
  about: "Balances as the wallet's file last knew them: the engine holds no chain to ask.",
  params: [],
  answer: async ({ wallet, dialect }) => {
    const { mine, used, watched } = (await wallet.ledger()).balances;
    const { lastBlock } = wallet.summary;
    const tellsBlock = dialect.walletInfo.birth && lastBlock !== null && lastBlock.height !== null;
    return {
      mine: { ...partsOf(mine), used: used ?? undefined },
      watchonly: watched ? partsOf(watched) : undefined,
      lastprocessedblock: tellsBlock ? { hash: lastBlock.hash, height: lastBlock.height } : undefined,
    };
  },
};

function partsOf({ trusted, pending, immature }: BalanceParts) {
  return { trusted, untrusted_pending: pending, immature };
}
