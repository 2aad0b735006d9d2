/** Handlers of the requests that find, pick and show files. Lists folders for the app's own file dialog. */
import type { Dirent } from 'node:fs';
import { opendir, readdir, stat } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { dirname, isAbsolute, join, parse } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import type { FolderEntry, FolderListing, SearchPlace } from '../../shared/model/files.ts';
import { FileError } from '../../shared/model/findings/fileError.ts';
import { MAX_PATH_LENGTH } from '../../shared/model/shapes.ts';
import { say } from '../../shared/wording/say.ts';
import { ownDataFolders } from '../bitcoind/discovery/discovery.ts';
import { findBackups, searchWallets } from '../bitcoind/discovery/searchWallets.ts';
import { mapConcurrently, orNullAfter } from '../files/concurrency.ts';
import { fileError, systemCode } from '../files/fileError.ts';
import { inspectFile, knownKinds } from '../files/inspect.ts';
import { existsAs, realPath, realPathSoFar } from '../files/openFile.ts';
import { currentNode } from './nodeRequests.ts';
import { type Handlers, type RequestDeps, searchReporter, taskRunner, withoutResult } from './requests.ts';
import type { RecentFiles } from './settings.ts';

/** `recentFiles`: the files that the user opened last. */
export function fileRequests(deps: RequestDeps, recentFiles: RecentFiles): Handlers<'files'> {
  const { host, info, connection, tasks, walletWork, pathGuard, emit } = deps;
  const asTask = taskRunner(tasks);

  return {
    'files.inspect': ({ path }) => inspectFile(path),
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
      if (path !== null) pathGuard?.recordChoice(options.purpose, path);
      return { path };
    },
    'files.places': async () => ({ places: await searchPlaces(homedir()) }),
    'files.search': asTask(async ({ task, folders }, signal) =>
      searchWallets({
        folders,
        excluded: [info.dataFolder],
        report: (filesRead, folder, found) => emit('searched', { task, filesRead, folder, found }),
        signal,
      }),
    ),
    'files.searchImage': asTask(
      async ({ task, ...search }, signal) => {
        if (search.folder !== null) await pathGuard?.refuseFolder(search.folder);
        const { createImageSearch } = await import('../workers/imageSearch.ts');
        const searchImage = createImageSearch(walletWork, info.dataFolder);
        return searchImage({ ...search, report: searchReporter(deps, task) }, signal);
      },
      { endless: true },
    ),
    'files.recent': async () => ({ files: await recentFiles.list() }),
    'files.forget': withoutResult(({ path }) => recentFiles.forget(path)),
    'files.show': withoutResult(async ({ path }) => {
      await stat(path).catch(async (error) => {
        // Without its disk, the folder is missing too.
        if (systemCode(error) !== 'ENOENT' || !(await existsAs(dirname(path), 'folder')))
          throw fileError(error, path);
        throw new AppError('file_missing', say('This file is gone.'), say('It may have moved.'));
      });
      await host.showInFolder(path);
    }),
  };
}

interface BrowseOptions {
  /** The user's home folder: the default folder and the first starting point. */
  home: string;
  /** More starting points, such as the wallets folder. */
  extraPlaces?: readonly StartFolder[];
  /** The drives of Windows; null on other systems. */
  drives?: Drives | null;
}

const DRIVES = process.platform === 'win32' ? createDrives() : null;

/**
 * Lists a folder (null: the home folder), or the folder of a file. Folders come before files, and hidden entries after the others
 * of their kind; each group is sorted by name. A device or a broken link is `special`.
 *
 * @throws AppError `folder_missing`, also for a drive that does not answer, `file_unreadable`, or `bad_input` for a path that is
 * not absolute.
 */
export async function browse(
  path: string | null,
  { home, extraPlaces = [], drives = DRIVES }: BrowseOptions,
): Promise<FolderListing> {
  const folder = path ?? home;
  if (!isAbsolute(folder)) throw new FileError('bad_input', { code: 'path_not_absolute' });
  if (drives !== null && !(await drives.answers(folder)))
    throw new AppError(
      'folder_missing',
      say('Drive {drive} does not answer.', { drive: folder.slice(0, 2).toUpperCase() }),
      say('Connect the disk, or choose another place.'),
    );
  const [listing, places] = await Promise.all([
    list(folder),
    findStartFolders(home, extraPlaces, { drives }),
  ]);
  return { ...listing, places };
}

const MAX_ENTRIES = 5000;
/** The most names that a listing reads, so that a folder with millions takes a second at most. */
const MAX_NAMES = 50_000;
const AT_ONCE = 64;

async function list(path: string): Promise<Omit<FolderListing, 'places'>> {
  try {
    const real = await realPath(path);
    const isFile = (await stat(real)).isFile();
    const folder = isFile ? dirname(real) : real;
    const { names, complete } = await readNames(folder);
    const kinds = await mapConcurrently(names, AT_ONCE, async (entry) => ({
      name: entry.name,
      path: join(folder, entry.name),
      kind: await kindOf(entry, folder),
    }));
    const sorted = kinds.sort(
      (a, b) => rank(a) - rank(b) || BY_NAME.compare(a.name, b.name) || (a.name < b.name ? -1 : 1),
    );
    const parent = dirname(folder);
    return {
      path: folder,
      file: isFile ? real : null,
      parent: parent === folder ? null : parent,
      entries: await mapConcurrently(sorted.slice(0, MAX_ENTRIES), AT_ONCE, withDetails),
      truncated: !complete || sorted.length > MAX_ENTRIES,
    };
  } catch (error) {
    throw folderError(error, path);
  }
}

async function readNames(folder: string): Promise<{ names: Dirent[]; complete: boolean }> {
  const names: Dirent[] = [];
  // Leaving the loop closes the folder.
  for await (const entry of await opendir(folder)) {
    if (names.length === MAX_NAMES) return { names, complete: false };
    if (join(folder, entry.name).length <= MAX_PATH_LENGTH) names.push(entry);
  }
  return { names, complete: true };
}

type Kind = FolderEntry['kind'];

async function kindOf(entry: Dirent, folder: string): Promise<Kind> {
  const isPlain = entry.isDirectory() || entry.isFile();
  const target = isPlain ? entry : await stat(join(folder, entry.name)).catch(() => null);
  if (target?.isDirectory()) return 'folder';
  return target?.isFile() ? 'file' : 'special';
}

async function withDetails(entry: { name: string; path: string; kind: Kind }): Promise<FolderEntry> {
  const facts = await stat(entry.path).catch(() => null);
  return {
    ...entry,
    size: facts && entry.kind === 'file' ? facts.size : null,
    modified: facts && Math.max(0, facts.mtimeMs / 1000),
  };
}

const BY_NAME = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

function rank({ name, kind }: { name: string; kind: Kind }): number {
  return (kind === 'folder' ? 0 : 2) + (name.startsWith('.') ? 1 : 0);
}

function folderError(error: unknown, path: string): AppError {
  const code = systemCode(error);
  if (code !== 'ENOENT' && code !== 'ENOTDIR') return fileError(error, path);
  return new FileError('folder_missing', { code: 'folder_missing', folder: path });
}

type StartFolder = FolderListing['places'][number];

interface StartOptions {
  /** Folders that contain the mount points of disks. */
  readonly mountFolders?: readonly string[];
  readonly drives?: Drives | null;
  /** Leaves out drives that do not answer. */
  readonly answering?: boolean;
}

/** Finds the existing starting points, each path once, and the drives that do not answer, whose labels say so. */
export async function findStartFolders(
  home: string,
  extra: readonly StartFolder[],
  { mountFolders = systemMountFolders(), drives = DRIVES, answering = false }: StartOptions = {},
): Promise<StartFolder[]> {
  const [roots, ...mounted] = await Promise.all([
    drives === null ? [{ label: say('This computer'), path: '/' }] : drivesOf(drives, answering),
    ...mountFolders.map(foldersIn),
  ]);
  const all = [{ label: say('Home'), path: home }, ...extra, ...roots, ...mounted.flat()];
  return all.filter(({ path }, at) => all.findIndex((other) => other.path === path) === at);
}

/**
 * The folders that may hold the user's wallets, each once: the data folders of nodes that are there, home, this system's disk,
 * mounted disks and sticks, and the other drives of Windows.
 */
export async function searchPlaces(
  home: string,
  mountFolders = [...systemMountFolders(), ...(process.platform === 'linux' ? ['/mnt'] : [])],
): Promise<SearchPlace[]> {
  const nodes: SearchPlace[] = [];
  for (const path of await ownDataFolders())
    if (await existsAs(path, 'folder')) nodes.push({ path, kind: 'node' });
  const folders = await findStartFolders(home, [], { mountFolders, answering: true });
  const kindOfPlace = (path: string) =>
    path === parse(home).root ? 'system' : path === home ? 'home' : 'disk';
  const all = [...nodes, ...folders.map(({ path }): SearchPlace => ({ path, kind: kindOfPlace(path) }))];
  const reals = await Promise.all(all.map(({ path }) => realPathSoFar(path)));
  // macOS has a link to its own disk among the mounted ones.
  return all.filter((_, at) => reals.indexOf(reals[at] ?? '') === at);
}

function systemMountFolders(): string[] {
  if (process.platform === 'win32') return [];
  if (process.platform === 'darwin') return ['/Volumes'];
  try {
    const { username } = userInfo();
    return [join('/media', username), join('/run/media', username)];
  } catch {
    // In a container the user may be missing from the system's list.
    return [];
  }
}

async function foldersIn(path: string): Promise<StartFolder[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
    .map(({ name }) => ({ label: name, path: join(path, name) }))
    .sort((a, b) => a.label.localeCompare(b.label));
}

async function drivesOf(drives: Drives, answering: boolean): Promise<StartFolder[]> {
  const found = await drives.list();
  return found
    .filter(({ answers }) => answers || !answering)
    .map(({ root, answers }) => {
      const drive = root.slice(0, 2);
      return { label: answers ? drive : say('{drive} (no answer)', { drive }), path: root };
    });
}

export type Drives = ReturnType<typeof createDrives>;

interface DrivesOptions {
  /** Such as `C:\`. */
  readonly roots?: readonly string[];
  /** Whether a drive is there. May take a minute. Never rejects. */
  readonly look?: (root: string) => Promise<boolean>;
  /** Milliseconds to wait for a drive: in a list, and when the user opens it, because its disk may have to spin up. */
  readonly limits?: { readonly listMs?: number; readonly openMs?: number };
}

/**
 * Finds the drives of Windows. If the server of a mapped network drive is off, every access to the drive blocks one of
 * Node's four file threads for up to a minute.
 */
export function createDrives({
  roots = [...'CDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`),
  look = (root) => existsAs(root, 'folder'),
  limits: { listMs = 1000, openMs = 30_000 } = {},
}: DrivesOptions = {}) {
  const present = new Set<string>();
  /** Drives that did not answer in time. They are looked at again only when the user opens them. */
  const silent = new Set<string>();
  const looks = new Map<string, Promise<boolean>>();

  /** Resolves with true once the look has ended. */
  function lookAt(root: string): Promise<boolean> {
    const known = looks.get(root);
    if (known !== undefined) return known;
    const ended = look(root).then((isPresent) => {
      looks.delete(root);
      if (isPresent) silent.delete(root);
      if (isPresent) present.add(root);
      else present.delete(root);
      return true;
    });
    looks.set(root, ended);
    return ended;
  }

  return {
    /** The drives that are there, and those that do not answer. */
    async list(): Promise<{ root: string; answers: boolean }[]> {
      const left = roots.filter((root) => !silent.has(root)).values();
      const worker = async () => {
        for (const root of left) {
          if (await orNullAfter(lookAt(root), listMs)) continue;
          silent.add(root);
          // The access still blocks its thread.
          return;
        }
      };
      const unanswered = [...looks.keys()].filter((root) => silent.has(root)).length;
      await Promise.all(Array.from({ length: Math.max(0, LOOKS_AT_ONCE - unanswered) }, worker));
      return roots
        .filter((root) => present.has(root) || silent.has(root))
        .map((root) => ({ root, answers: !silent.has(root) }));
    },

    /** Whether the drive of this path answers. True for a path without one. */
    async answers(path: string): Promise<boolean> {
      const letter = /^([A-Za-z]):/.exec(path)?.[1];
      return (
        letter === undefined || (await orNullAfter(lookAt(`${letter.toUpperCase()}:\\`), openMs)) !== null
      );
    },
  };
}

/** Leaves two threads for other files. */
const LOOKS_AT_ONCE = 2;
