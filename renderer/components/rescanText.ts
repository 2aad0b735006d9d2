/** How far a rescan is, as short sentences. */
import type { Progress } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import { formatCount } from '../words/formatCount.ts';

/**
 * `At block 812,345; 5,000 of 12,000 blocks looked at`. `block` is a height, `blocks` how many there are to look
 * at: the two count from different places. Null while neither is known.
 */
export function blocksText({ block, blocks, fraction }: Progress): string | null {
  const at = block === null ? null : say('At block {block}', { block: formatCount(block) });
  const seen =
    blocks === null
      ? null
      : say('{count} of {blocks} blocks looked at', {
          count: formatCount(Math.floor(blocks * fraction)),
          blocks: formatCount(blocks),
        });
  const parts = [at, seen].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join('; ');
}

/** Which of the two ways the node goes; null until its log says. */
export function variantText({ fast }: Progress): string | null {
  if (fast === null) return null;
  return fast
    ? say('The fast way, with block filters: only blocks that may concern the wallet are read.')
    : say('The slow way: every block is read.');
}
