/** What is said of a wallet that was left half-made. */
import type { Interruption, WholeCopy } from '../safety.ts';
import { say } from '../text/say.ts';
import { formatTime } from './format/formatTime.ts';
import { listed } from './format/listed.ts';

/** Whether the wallet is safe goes by the copies. */
export function interruptionTitle({ copies }: Pick<Interruption, 'copies'>): string {
  return copies.length > 0 ? say('Interrupted. Your wallet is safe.') : say('Interrupted.');
}

/** What to do. A node opens its unnamed wallet when it starts, and ends where it cannot (`VerifyWallets` in `load.cpp`). */
export function interruptionHint({ wallet, copies }: Pick<Interruption, 'wallet' | 'copies'>): string[] {
  const whatToDo =
    copies.length > 0
      ? say('The wallet in its place is half-made. Put the old one back, then try again.')
      : say('No whole copy was found. Keep this file, and look for one that ends in .legacy.bak.');
  return wallet === ''
    ? [whatToDo, say('If Bitcoin Core does not start, start it with -nowallet.')]
    : [whatToDo];
}

const COPY_NAMES: Readonly<Record<WholeCopy['from'], string>> = {
  'legacy-backup': say('The node’s backup'),
  'safety-copy': say('Safety copy'),
  backup: say('Your backup'),
};

/** `The node’s backup, 20 Nov 2026, 13:06`, and whether the app knows its hash. */
export function copyWords({ from, made, matches }: WholeCopy): string {
  return listed([
    COPY_NAMES[from],
    formatTime(made),
    matches ? say('whole, with the hash that was written down') : say('whole'),
  ]);
}

export function copyLine(copy: WholeCopy): string {
  return `${copy.path} (${copyWords(copy)})`;
}
