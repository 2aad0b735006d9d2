/** What it means for a wallet that its node has not caught up with the chain. */
import type { NodeStatus } from '../../shared/model.ts';
import { formatCount } from '../words/formatCount.ts';
import { formatShare } from '../words/formatShare.ts';
import type { Remark } from './remark.ts';

/** Null when the node is in step with the chain. */
export function syncingRemark(
  node: Pick<NodeStatus, 'initialBlockDownload' | 'blocks' | 'headers' | 'syncProgress'>,
): Remark | null {
  if (!node.initialBlockDownload && node.headers - node.blocks <= BEHIND) return null;
  return {
    key: 'syncing',
    tone: 'read',
    stops: false,
    title: 'This node is still catching up with the chain',
    text: [
      `It is at block ${formatCount(node.blocks)} of ${formatCount(node.headers)} (${formatShare(node.syncProgress)}). The balance shown will be what arrived up to there; it becomes complete as the node goes on.`,
    ],
  };
}

/** Blocks that a node may lack for a moment without being behind. */
const BEHIND = 3;
