/** What the user set, and the node to go back to, remembered in one file of the app's folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { type NodeIdentity, nodeIdentity } from '../../shared/model/node.ts';
import { type Settings, settings, USUAL_SETTINGS } from '../../shared/model/settings.ts';
import { readJsonFile, tryToWriteJsonFile, writeJsonFile } from '../files/jsonFile.ts';

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
  let { node, ...kept } = readJsonFile(file, stored) ?? { ...USUAL_SETTINGS, node: null };

  return {
    current: () => kept,
    /** Throws the system's error where it cannot be written down; it then holds until the app ends. */
    change(next: Settings): void {
      kept = next;
      writeJsonFile(file, { ...kept, node });
    },
    /** The node that the app was connected to last, and did not leave. */
    lastNode: () => node,
    /** Never throws: to forget it is no reason to stop. */
    rememberNode(next: NodeIdentity | null): void {
      if (JSON.stringify(next) === JSON.stringify(node)) return;
      node = next;
      tryToWriteJsonFile(file, { ...kept, node });
    },
  };
}
