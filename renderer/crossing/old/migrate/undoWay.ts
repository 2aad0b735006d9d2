/** How a migration can be undone from where the user is now. */
import type { NodeStatus } from '../../../../shared/node.ts';

interface Standing {
  /** The one in use; null without one. */
  node: Pick<NodeStatus, 'local' | 'offline' | 'release'> | null;
  /** Whether it is the one that the migration was done on. */
  here: boolean;
  /** Whether the app saw the legacy wallet's backup; null for one on another machine. */
  backupSeen: boolean | null;
}

/**
 * `restore`: here and now. `by-path`: the same, with a file that only the node sees. `no-loader`: the backup is here,
 * but what the app is connected to loads no legacy wallet. `not-here`: the backup has to be brought here first.
 */
type UndoWay = 'restore' | 'by-path' | 'no-loader' | 'not-here';

export function undoWay({ node, here, backupSeen }: Standing): UndoWay {
  const loads = node !== null && (node.offline || node.release.loadsLegacy);
  if (backupSeen === true) return loads && node.local ? 'restore' : 'no-loader';
  return loads && here ? 'by-path' : 'not-here';
}
