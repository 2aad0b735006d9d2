/** Which of the two ways a backup goes on a node: restored as it is, or restored and migrated in one go. */
import type { FileFacts } from '../../../../shared/files.ts';
import type { NodeStatus } from '../../../../shared/node.ts';

export type RestoreWay = 'restore' | 'restore-migrate';

/** `facts` is null for a file that the app cannot look at: it is restored as it is, and the node decides. */
export function restoreWay(
  facts: Pick<FileFacts, 'kind'> | null,
  { release }: Pick<NodeStatus, 'release'>,
): RestoreWay {
  return facts?.kind === 'legacy-wallet' && !release.loadsLegacy ? 'restore-migrate' : 'restore';
}

/** Whether the app can place a copy where the node looks for its wallets. */
export function canPlace({ local, walletsFolder }: Pick<NodeStatus, 'local' | 'walletsFolder'>): boolean {
  return local && walletsFolder !== null;
}
