/** What a wallet is called where only a string will do. */
import { say } from '../text/say.ts';
import { visibleText } from '../text/visibleText.ts';

export const UNNAMED = say('Unnamed wallet');

/** For accessible names and titles. */
export function walletLabel(name: string): string {
  return name === '' ? UNNAMED : visibleText(name, { spaces: true });
}

/** Within a sentence or a line: `“savings”`. */
export function quotedWallet(name: string): string {
  return name === '' ? UNNAMED : `“${visibleText(name, { spaces: true })}”`;
}
