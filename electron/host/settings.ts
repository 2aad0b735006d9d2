/** What the user set, and the node to go back to, remembered in one file of the app's folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { type NodeIdentity, nodeIdentity } from '../../shared/node.ts';
import { parseJson } from '../../shared/parseJson.ts';
import { type Settings, settings, USUAL_SETTINGS } from '../../shared/settings.ts';
import { replaceFile } from '../disk/durableFile.ts';
import { readTextOrNull } from '../disk/readTextOrNull.ts';

export type KeptSettings = ReturnType<typeof createSettings>;

/** A setting that a later version of the app added, or that somebody spoilt, is as usual. */
const stored = z.object({
  theme: settings.shape.theme.catch(USUAL_SETTINGS.theme),
  notifications: settings.shape.notifications.catch(USUAL_SETTINGS.notifications),
  reconnect: settings.shape.reconnect.catch(USUAL_SETTINGS.reconnect),
  order: settings.shape.order.catch(USUAL_SETTINGS.order),
  node: nodeIdentity.nullable().catch(null),
});

export function createSettings(dataFolder: string) {
  const file = join(dataFolder, 'settings.json');
  const read = stored.safeParse(parseJson(readTextOrNull(file) ?? '{}'));
  let { node, ...kept } = read.data ?? { ...USUAL_SETTINGS, node: null };

  function write(): void {
    replaceFile(file, Buffer.from(`${JSON.stringify({ ...kept, node })}\n`));
  }

  return {
    current: () => kept,
    /** Throws the system's error where it cannot be written down; it then holds until the app ends. */
    change(next: Settings): void {
      kept = next;
      write();
    },
    /** The node that the app was connected to last, and did not leave. */
    lastNode: () => node,
    /** Never throws: to forget it is no reason to stop. */
    rememberNode(next: NodeIdentity | null): void {
      if (JSON.stringify(next) === JSON.stringify(node)) return;
      node = next;
      try {
        write();
      } catch {
        // See above.
      }
    },
  };
}
