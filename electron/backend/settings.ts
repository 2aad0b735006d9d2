/** The user's settings and the last node, kept in one file of the data folder. */
import { join } from 'node:path';
import { z } from 'zod';
import { type NodeIdentity, nodeIdentity } from '../../shared/model/node.ts';
import { type Settings, settings, USUAL_SETTINGS } from '../../shared/model/settings.ts';
import { readJsonFile, tryToWriteJsonFile, writeJsonFile } from '../files/jsonFile.ts';

export type SettingsStore = ReturnType<typeof createSettings>;

/** An unknown or damaged value falls back to its default, such as after a newer version of the app. */
const stored = z.object({
  theme: settings.shape.theme.catch(USUAL_SETTINGS.theme),
  notifications: settings.shape.notifications.catch(USUAL_SETTINGS.notifications),
  reconnect: settings.shape.reconnect.catch(USUAL_SETTINGS.reconnect),
  order: settings.shape.order.catch(USUAL_SETTINGS.order),
  node: nodeIdentity.nullable().catch(null),
});

export function createSettings(dataFolder: string) {
  const file = join(dataFolder, 'settings.json');
  let { node, ...current } = readJsonFile(file, stored) ?? { ...USUAL_SETTINGS, node: null };

  return {
    current: () => current,
    /** Throws the system's error if it cannot write the file. The settings then last until the app ends. */
    change(next: Settings): void {
      current = next;
      writeJsonFile(file, { ...current, node });
    },
    /** The node of the last connection; null if the user disconnected from it. */
    lastNode: () => node,
    /** Never throws, because the app works without it. */
    rememberNode(next: NodeIdentity | null): void {
      if (JSON.stringify(next) === JSON.stringify(node)) return;
      node = next;
      tryToWriteJsonFile(file, { ...current, node });
    },
  };
}
