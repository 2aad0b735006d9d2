/** The user's settings with the last node, and the recently opened wallet files: each in one file of the data folder. */
import { join } from 'node:path';
import { z } from 'zod/mini';
import { DEFAULT_SETTINGS, type Settings, settings } from '../../shared/contract.ts';
import type { FileFacts } from '../../shared/model/files.ts';
import { type NodeIdentity, nodeIdentity } from '../../shared/model/node.ts';
import { path } from '../../shared/model/shapes.ts';
import { readJsonFile, tryToWriteJsonFile, writeJsonFile } from '../files/durableFile.ts';
import { inspectFile } from '../files/inspect.ts';
import { isNetworkPath } from '../files/openFile.ts';

export type SettingsStore = ReturnType<typeof createSettings>;

/** An unknown or damaged value falls back to its default, such as after a newer version of the app. */
const stored = z.object({
  theme: z.catch(settings.shape.theme, DEFAULT_SETTINGS.theme),
  notifications: z.catch(settings.shape.notifications, DEFAULT_SETTINGS.notifications),
  reconnect: z.catch(settings.shape.reconnect, DEFAULT_SETTINGS.reconnect),
  order: z.catch(settings.shape.order, DEFAULT_SETTINGS.order),
  node: z.catch(z.nullable(nodeIdentity), null),
});

export function createSettings(dataFolder: string) {
  const file = join(dataFolder, 'settings.json');
  let { node, ...current } = readJsonFile(file, stored) ?? { ...DEFAULT_SETTINGS, node: null };

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

const MAX_RECENT_FILES = 8;
const recentFiles = z.object({ version: z.literal(1), files: z.array(path) });

export type RecentFiles = ReturnType<typeof createRecentFiles>;

/** The recently opened wallet files, kept by their paths in one file of the data folder. */
export function createRecentFiles(dataFolder: string) {
  const file = join(dataFolder, 'recent.json');
  const read = () => readJsonFile(file, recentFiles)?.files ?? [];
  const write = (files: readonly string[]) => tryToWriteJsonFile(file, { version: 1, files });

  return {
    /** Lists the files that still exist, the last opened first. */
    async list(): Promise<FileFacts[]> {
      // Do not contact another machine before the user chooses a file there.
      const facts = await Promise.all(
        read()
          .filter((each) => !isNetworkPath(each))
          .map((each) => inspectFile(each).catch(() => null)),
      );
      return facts.filter((each) => each !== null);
    },
    /** Adds a file. Never throws, because the app works without it. */
    add: (opened: string) =>
      write([opened, ...read().filter((each) => each !== opened)].slice(0, MAX_RECENT_FILES)),
    /** Removes one path, or all (null). Leaves the files alone. */
    forget: (opened: string | null) => write(opened === null ? [] : read().filter((each) => each !== opened)),
  };
}
