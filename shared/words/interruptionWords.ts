/** What is said of a wallet that was left half-made. */
import type { Interruption, WholeCopy } from '../safety.ts';
import { say } from '../text/say.ts';
import { formatTime } from './format/formatTime.ts';
import { listed } from './format/listed.ts';

/** Whether the wallet is safe goes by the copies. */
export function interruptionTitle({ copies }: Pick<Interruption, 'copies'>): string {
  return copies.length > 0 ? say('Interrupted. Your wallet is safe.') : say('Interrupted.');
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
