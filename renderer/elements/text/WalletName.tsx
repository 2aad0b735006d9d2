/** A wallet's name as it is shown everywhere; the unnamed wallet has one too. */
import { say } from '../../../shared/text/say.ts';
import { UNNAMED } from '../../../shared/words/walletLabel.ts';
import { SafeText } from './SafeText.tsx';

/** Where its file lies, for beside its name. */
export const UNNAMED_HINT = say('wallet.dat in the wallets folder');

export function WalletName({ name }: { name: string }) {
  if (name === '') return <span title={UNNAMED_HINT}>{UNNAMED}</span>;
  return <SafeText text={name} />;
}
