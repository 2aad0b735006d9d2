/** How far a rescan is, as short sentences. */
import type { Progress } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';

/**
 * `At block 812,345; 5,000 of 12,000 blocks looked at`. `block` is a height, `blocks` how many there are to look
 * at: the two count from different places. Null while neither is known.
 */
export function blocksText({ block, blocks, fraction }: Progress): string | null {
  if (blocks === null) return block === null ? null : say('At block {block, number}', { block });
  const seen = Math.floor(blocks * fraction);
  return block === null
    ? say('{seen, number} of {blocks, number} blocks looked at', { seen, blocks })
    : say('At block {block, number}; {seen, number} of {blocks, number} blocks looked at', {
        block,
        seen,
        blocks,
      });
}

/** Which of the two ways the node goes; null until its log says. */
export function variantText({ fast }: Progress): string | null {
  if (fast === null) return null;
  return fast
    ? say('The fast way, with block filters: only blocks that may concern the wallet are read.')
    : say('The slow way: every block is read.');
}
