/** The recently opened wallet files, kept by their paths in one file of the data folder. */
import { join } from 'node:path';
import { z } from 'zod';
import type { FileFacts } from '../../shared/model/files.ts';
import { path } from '../../shared/model/shapes.ts';
import { inspectFile } from '../files/inspect.ts';
import { isNetworkPath } from '../files/isNetworkPath.ts';
import { readJsonFile, tryToWriteJsonFile } from '../files/jsonFile.ts';

const MOST = 8;
const stored = z.object({ version: z.literal(1), files: z.array(path) });

export type RecentFiles = ReturnType<typeof createRecentFiles>;

export function createRecentFiles(dataFolder: string) {
  const file = join(dataFolder, 'recent.json');
  const read = () => readJsonFile(file, stored)?.files ?? [];
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
    note: (opened: string) => write([opened, ...read().filter((each) => each !== opened)].slice(0, MOST)),
    /** Removes one path, or all (null). Leaves the files alone. */
    forget: (opened: string | null) => write(opened === null ? [] : read().filter((each) => each !== opened)),
  };
}
