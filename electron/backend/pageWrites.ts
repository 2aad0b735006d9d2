/** Checks every path that the page sends. Through a path, hostile code in the page could leave its sandbox. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep, win32 } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import { isNetworkPath } from '../files/isNetworkPath.ts';
import type { PickOptions } from './host.ts';

type Purpose = PickOptions['purpose'];

export type PageWrites = ReturnType<typeof createPageWrites>;

interface PageWritesOptions {
  /** Whether the user chooses in the system's own dialogs. In a browser every path comes from the page. */
  readonly hasDialogs: boolean;
  /** Folders of wallets that the app has found itself. */
  readonly knownFolders: () => Promise<readonly string[]>;
  /** Nodes keep their wallets below these. */
  readonly nodeFolders: readonly string[];
  /** Folders of the user and the app. The system may keep them on another machine. */
  readonly ownFolders: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/**
 * Remembers the paths from the system's own dialogs, where the page cannot reach them: the user chose these. Any other
 * path comes from the page, and is refused where a system or program would run or read the new file by itself.
 */
export function createPageWrites({
  hasDialogs,
  knownFolders,
  nodeFolders,
  ownFolders,
  platform = process.platform,
}: PageWritesOptions) {
  const chosen = new Set<string>();
  const given = new Set<string>(ownFolders);
  const key = (purpose: Purpose, path: string) => `${purpose} ${path}`;
  return {
    /** The system's dialog gave this path. */
    choose(purpose: Purpose, path: string): void {
      chosen.add(key(purpose, path));
      given.add(path);
    },
    /** The system had the app open this file. */
    open: (path: string) => void given.add(path),
    /**
     * Throws AppError `bad_input` for a path to another machine, unless it is in or below one that the system gave.
     * Compares text only: even a look at such a path makes Windows sign in there.
     */
    refuseElsewhere(request: unknown): void {
      for (const text of textsIn(request))
        if (isNetworkPath(text, platform) && ![...given].some((own) => isBelow(text, own))) throw elsewhere();
    },
    /** Throws AppError `bad_input` for a new file that neither a dialog gave nor is harmless by its name and place. */
    refuseFile(purpose: Purpose, path: string, endings: readonly string[]): void {
      if (chosen.has(key(purpose, path))) return;
      const inChosen = chosen.has(key('backups-folder', dirname(path)));
      const name = path.replaceAll('\\', '/').split('/').at(-1) ?? '';
      const fits = !name.startsWith('.') && endings.some((ending) => name.toLowerCase().endsWith(ending));
      if (!fits || !(inChosen || isHarmless(dirname(path)))) throw notThere(endings);
    },
    /** The same for a new backup. */
    refuseBackup(path: string): void {
      this.refuseFile('save-backup', path, ['.bak', '.dat']);
    },
    /** The same for a folder of new files, whose names the app gives. */
    refuseFolder(path: string): void {
      if (!chosen.has(key('backups-folder', path)) && !isHarmless(path)) throw notThere([]);
    },
    /** The same for a folder of wallets, in which the app works: one that the app knows, or that the dialog gave. */
    async refuseWalletsFolder(path: string): Promise<void> {
      if (chosen.has(key('wallets-folder', path))) return;
      if ((await knownFolders()).some((known) => resolve(known) === resolve(path))) return;
      const mayBe = !hasDialogs && (isHarmless(path) || nodeFolders.some((folder) => isWithin(path, folder)));
      if (!mayBe) throw notThere([]);
    },
    /** Throws AppError `not_available_here` for a path that the system's dialog did not give; it is used up. */
    takeChosen(purpose: Purpose, path: string): void {
      if (chosen.delete(key(purpose, path))) return;
      throw new AppError(
        'not_available_here',
        say('Nothing was saved.'),
        say('Choose the place in the system’s dialog.'),
      );
    },
  };
}

/** Fields of requests that hold no path. Their text may begin with slashes. */
const WORDS: ReadonlySet<string> = new Set([
  ...['passphrase', 'password', 'pieces', 'text'],
  ...['name', 'suggestedName', 'user', 'host', 'id', 'task'],
]);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, each]) => (WORDS.has(field) ? [] : textsIn(each)));
}

/** Compares the text of the paths, as Windows reads them. */
function isBelow(path: string, folder: string): boolean {
  const inside = win32.relative(folder, path);
  return !win32.isAbsolute(inside) && inside.split('\\')[0] !== '..';
}

function elsewhere(): AppError {
  return new AppError(
    'bad_input',
    say('This path leads to another machine.'),
    say('Nothing was read. Give the share a drive letter, and choose the file there.'),
  );
}

/** The system runs what lies in these folders when somebody logs in. Hidden folders are for programs. */
const STARTS = /^(?:autostart|startup|launchagents|launchdaemons)$/i;

function isHarmless(folder: string): boolean {
  // Before it is looked at: on Windows a look alone goes out to the other machine.
  if (isNetworkPath(folder)) return false;
  const isThere = existsSync(folder);
  const real = realWay(folder);
  if (isNetworkPath(real)) return false;
  const parts = join(folder, sep, real).split(/[\\/]/);
  if (parts.some((part) => (part.startsWith('.') && part !== '.') || STARTS.test(part))) return false;
  const user = process.getuid?.();
  // Of a pipe without a name there is nothing at its real path.
  return user === undefined || !isThere || statSync(real, { throwIfNoEntry: false })?.uid === user;
}

/** The real path of a folder, or of what is there of it with the rest, which may yet be made. */
function realWay(folder: string): string {
  if (existsSync(folder)) return realpathSync(folder);
  const above = dirname(folder);
  return above === folder ? folder : join(realWay(above), basename(folder));
}

/** By its real path: no link leads out. */
function isWithin(path: string, folder: string): boolean {
  if (!existsSync(path) || !existsSync(folder)) return false;
  const inside = relative(realpathSync(folder), realpathSync(path));
  return !isAbsolute(inside) && inside.split(sep)[0] !== '..';
}

function notThere(endings: readonly string[]): AppError {
  const named =
    endings.length === 0 ? '' : say('The name must end in {endings}.', { endings: endings.join(', ') });
  return new AppError(
    'bad_input',
    say('The app saves nothing there.'),
    [named, say('Choose a visible folder of yours.')].filter((each) => each !== '').join(' '),
  );
}
