/** The wallet files that were opened lately, remembered by their paths in one file of the app's folder. */
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
    /** Those that are still there, the last opened first. */
    async list(): Promise<FileFacts[]> {
      // A share of another machine is not asked for without being chosen.
      const facts = await Promise.all(
        read()
          .filter((each) => !isNetworkPath(each))
          .map((each) => inspectFile(each).catch(() => null)),
      );
      return facts.filter((each) => each !== null);
    },
    /** Notes that a file was opened. Never throws: to forget one is no reason to stop. */
    note: (opened: string) => write([opened, ...read().filter((each) => each !== opened)].slice(0, MOST)),
    /** Forgets one, or all. The files themselves are not touched. */
    forget: (opened: string | null) => write(opened === null ? [] : read().filter((each) => each !== opened)),
  };
}
