/** Which way across the guide proposes for a wallet file, by the file and by the node in use. */
import type { FileFacts } from '../../../shared/files.ts';
import type { NodeStatus } from '../../../shared/node.ts';

export type GuideWay =
  /** The file is no wallet: there is none. */
  | 'none'
  /** No node yet: one has to be chosen, or the work is done without. */
  | 'choose-node'
  /** The node is of another network than the wallet. */
  | 'other-network'
  /** The node cannot take this wallet from here: it goes without a node. */
  | 'without-node'
  /** Restored as it is; a legacy wallet is migrated later. */
  | 'restore'
  /** Restored and migrated in one go. */
  | 'restore-migrate';

type File = Pick<FileFacts, 'kind' | 'network'>;
type Node = Pick<NodeStatus, 'network' | 'release' | 'local' | 'walletsFolder'>;

export function guideWay(file: File, node: Node | null): GuideWay {
  if (file.kind === 'other') return 'none';
  if (node === null) return 'choose-node';
  if (file.network !== null && file.network !== node.network) return 'other-network';
  if (file.kind !== 'legacy-wallet' || node.release.loadsLegacy) return 'restore';
  return node.local && node.walletsFolder !== null ? 'restore-migrate' : 'without-node';
}
