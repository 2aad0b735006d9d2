/** What is known of a wallet before its migration, in words. */
import { formatBitcoin } from '../../../../shared/money.ts';
import type { Network } from '../../../../shared/network.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { listed } from '../../../words/format/listed.ts';

type Known = Pick<Wallet, 'kind' | 'loaded' | 'encrypted' | 'balance'>;

export function kindText({ kind, loaded }: Pick<Known, 'kind' | 'loaded'>): string {
  if (kind === 'unknown') return loaded ? say('Kind not known') : say('Not loaded, so its kind is not known');
  return kind === 'legacy' ? say('Legacy wallet') : say('Descriptor wallet');
}

export function encryptedText({ encrypted }: Pick<Known, 'encrypted'>): string {
  if (encrypted === null) return say('Not known');
  return encrypted ? say('Yes') : say('No');
}

/** One line: `Legacy wallet, encrypted, 1.234 567 89 BTC`. What is not known is left out. */
export function walletLine(wallet: Known, network: Network): string {
  const { encrypted, balance } = wallet;
  const facts = [kindText(wallet)];
  if (encrypted !== null) facts.push(encrypted ? say('encrypted') : say('not encrypted'));
  if (balance !== null) facts.push(formatBitcoin(balance, network));
  return listed(facts);
}
