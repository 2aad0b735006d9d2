/** Handlers of the requests that find, pick and show files. */

import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { findBackups, searchWallets } from '../bitcoind/discovery/searchWallets.ts';
import { knownKinds } from '../files/inspect.ts';
import { nameAndInspect } from '../jobs/plan/walletFiles.ts';
import { browse, searchPlaces } from './browse.ts';
import {
  currentNode,
  type Handlers,
  type RequestDeps,
  searchReporter,
  taskRunner,
  withoutResult,
} from './handlers.ts';
import type { RecentFiles } from './settings.ts';

export function fileRequests(deps: RequestDeps, recentFiles: RecentFiles): Handlers<'files'> {
  const { host, info, connection, tasks, walletWork, writes, emit } = deps;
  const asTask = taskRunner(tasks);

  return {
    'files.inspect': ({ path }) => nameAndInspect(path),
    'files.kinds': async () => ({ kinds: await knownKinds() }),
    'files.backups': async () => {
      const folder = currentNode(connection)?.walletsFolder;
      return { backups: folder ? await findBackups(folder) : [] };
    },
    'files.browse': ({ path }) => {
      const folder = currentNode(connection)?.walletsFolder;
      const extraPlaces = folder ? [{ label: say('Wallets folder'), path: folder }] : [];
      return browse(path, { home: homedir(), extraPlaces });
    },
    'files.pick': async (options) => {
      const path = await host.pickFile(options);
      if (path !== null) writes?.choose(options.purpose, path);
      return { path };
    },
    'files.places': async () => ({ places: await searchPlaces(homedir()) }),
    'files.search': asTask(async ({ task, folders }, signal) =>
      searchWallets({
        folders,
        excluded: [info.dataFolder],
        report: (looked, folder, found) => emit('searched', { task, looked, folder, found }),
        signal,
      }),
    ),
    'files.searchImage': asTask(
      async ({ task, ...search }, signal) => {
        if (search.folder !== null) writes?.refuseFolder(search.folder);
        const { imageSearch } = await import('../workers/imageSearch.ts');
        const searchImage = imageSearch(walletWork, info.dataFolder);
        return searchImage({ ...search, report: searchReporter(deps, task) }, signal);
      },
      { endless: true },
    ),
    'files.recent': async () => ({ files: await recentFiles.list() }),
    'files.forget': withoutResult(({ path }) => recentFiles.forget(path)),
    'files.show': withoutResult(async ({ path }) => {
      await stat(path).catch(() => {
        throw new AppError('file_missing', say('This file is gone.'), say('It may have moved.'));
      });
      await host.showInFolder(path);
    }),
  };
}
