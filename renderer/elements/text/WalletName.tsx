/** A wallet's name as it is shown everywhere; the unnamed wallet has one too. */
import { say } from '../../../shared/text/say.ts';
import { visibleText } from '../../../shared/text/visibleText.ts';
import { SafeText } from './SafeText.tsx';

/** What the unnamed wallet is called. */
export const UNNAMED = say('Unnamed wallet');
/** Where its file lies, for beside its name. */
export const UNNAMED_HINT = say('wallet.dat in the wallets folder');

interface WalletNameProps {
  name: string;
  /** One line that ends in an ellipsis. */
  truncate?: boolean;
}

export function WalletName({ name, truncate = false }: WalletNameProps) {
  if (name === '') return <span title={UNNAMED_HINT}>{UNNAMED}</span>;
  return <SafeText text={name} truncate={truncate} />;
}

/** The same where only a string will do: accessible names, titles. */
export function walletLabel(name: string): string {
  return name === '' ? UNNAMED : visibleText(name);
}
