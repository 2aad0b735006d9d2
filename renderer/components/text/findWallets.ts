/** The wallets whose name holds what is looked for. */
import type { Wallet } from '../../../shared/model/wallet.ts';
import { UNNAMED } from '../../../shared/wording/format/walletLabel.ts';

/** Upper and lower case and accents written in one or two characters are the same; the order stays. */
export function findWallets(wallets: readonly Wallet[], sought: string): readonly Wallet[] {
  const wanted = folded(sought.trim());
  if (wanted === '') return wallets;
  return wallets.filter(({ name }) => folded(name === '' ? UNNAMED : name).includes(wanted));
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
