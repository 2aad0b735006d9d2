/** Checks the paths of files and folders that the page has the app write or use: through one, hostile code could leave its sandbox. */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep, win32 } from 'node:path';
import { AppError } from '../../shared/model/errors.ts';
import { sharedFolderText } from '../../shared/wording/findings/hints.ts';
import { oneOf } from '../../shared/wording/format/perRegion.ts';
import { say } from '../../shared/wording/say.ts';
import { isNetworkPath, isWithin, realPathSoFar } from '../files/openFile.ts';
import { nearestExisting } from '../files/sharedFolder.ts';
import type { PickOptions } from './host.ts';

type Purpose = PickOptions['purpose'];

export type PathGuard = ReturnType<typeof createPathGuard>;

interface PathGuardOptions {
  /** Whether the user chooses in the system's own dialogs. In a browser every path comes from the page. */
  readonly hasDialogs: boolean;
  /** The wallets folders that the app found by itself. */
  readonly knownFolders: () => Promise<readonly string[]>;
  /** The data folders of nodes, which hold their wallets. */
  readonly nodeFolders: () => Promise<readonly string[]>;
  /** The folders of the user and the app, which may lie on another machine. */
  readonly ownFolders: readonly string[];
  readonly platform?: NodeJS.Platform;
}

/**
 * Records the paths that the user chose in the system's dialogs, which the page cannot fake. Any other path comes from
 * the page: refuses it if the system or a program would run or read the new file by itself.
 */
export function createPathGuard({
  hasDialogs,
  knownFolders,
  nodeFolders,
  ownFolders,
  platform = process.platform,
}: PathGuardOptions) {
  const chosen = new Set<string>();
  const trusted = new Set<string>(ownFolders);
  const key = (purpose: Purpose, path: string) => `${purpose} ${path}`;
  return {
    /** Records a path from the system's dialog. */
    recordChoice(purpose: Purpose, path: string): void {
      chosen.add(key(purpose, path));
      trusted.add(path);
    },
    /** Records a file that the system passed to the app. */
    trust: (path: string) => void trusted.add(path),
    /**
     * Throws AppError `bad_input` for a path to another machine, unless it is or lies below a recorded one. Compares text
     * only, because Windows signs in to that machine as soon as a program touches the path.
     */
    refuseNetworkPaths(request: unknown): void {
      for (const text of possiblePathsIn(request))
        if (isNetworkPath(text, platform) && ![...trusted].some((own) => isWithin(text, own, win32)))
          throw new AppError(
            'bad_input',
            say('On another machine.'),
            say('Nothing was read. Give the share a drive letter.'),
          );
    },
    /** Throws AppError `bad_input` for a new file that is neither from a dialog nor harmless by its name and folder. */
    async refuseFile(purpose: Purpose, path: string, endings: readonly string[]): Promise<void> {
      if (chosen.has(key(purpose, path))) return;
      const isInChosenFolder = chosen.has(key('backups-folder', dirname(path)));
      refuseName(path, endings);
      if (!isInChosenFolder) refuse(await folderProblem(dirname(path)));
    },
    /** Like `refuseFile`, for a new backup. On another machine, only its name can be checked. */
    async refuseBackup(path: string, { local }: { local: boolean }): Promise<void> {
      if (local) await this.refuseFile('save-backup', path, BACKUP_ENDINGS);
      else refuseName(path, BACKUP_ENDINGS);
    },
    /** Like `refuseFile`, for a folder in which the app names the new files. */
    async refuseFolder(path: string): Promise<void> {
      if (!chosen.has(key('backups-folder', path))) refuse(await folderProblem(path));
    },
    /** Throws AppError `bad_input` for a wallets folder that the app does not know and no dialog returned. */
    async refuseWalletsFolder(path: string): Promise<void> {
      if (chosen.has(key('wallets-folder', path))) return;
      if ((await knownFolders()).some((known) => resolve(known) === resolve(path))) return;
      if (hasDialogs) refuse(CHOOSE_IN_DIALOG);
      if (!(await nodeFolders()).some((folder) => isReallyWithin(path, folder)))
        refuse(await folderProblem(path));
    },
    /** Throws AppError `not_available_here` for a report whose path is not from the system's dialog. Each path works once. */
    spendReportPath(path: string): void {
      if (chosen.delete(key('save-report', path))) return;
      throw new AppError('not_available_here', say('Nothing was saved.'), CHOOSE_IN_DIALOG);
    },
  };
}

const BACKUP_ENDINGS = ['.bak', '.dat'];

/** Throws AppError `bad_input` for a hidden file, or one of another kind. */
function refuseName(path: string, endings: readonly string[]): void {
  const name = path.replaceAll('\\', '/').split('/').at(-1) ?? '';
  const isGood = !name.startsWith('.') && endings.some((ending) => name.toLowerCase().endsWith(ending));
  if (!isGood)
    refuse(say('End the name with {endings}, and begin without a dot.', { endings: oneOf(endings) }));
}

/** The fields of requests that hold no path. Their text may start with slashes. */
const TEXT_FIELDS: ReadonlySet<string> = new Set([
  ...['passphrase', 'password', 'pieces', 'text'],
  ...['name', 'suggestedName', 'user', 'host', 'id', 'task'],
]);

function possiblePathsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([field, each]) =>
    TEXT_FIELDS.has(field) ? [] : possiblePathsIn(each),
  );
}

/** The system runs files in these folders at login. */
const AUTOSTART_FOLDERS = /^(?:autostart|startup|launchagents|launchdaemons)$/i;

/** Why the page's files are not to be saved in a folder, and what to do; null if they may be. */
async function folderProblem(folder: string): Promise<string | null> {
  // Check the text first: on Windows any access contacts the other machine.
  if (isNetworkPath(folder)) return withFolderAdvice(say('On another machine.'));
  const real = await realPathSoFar(folder);
  if (isNetworkPath(real)) return withFolderAdvice(say('On another machine.'));
  const parts = join(folder, sep, real).split(/[\\/]/);
  // Hidden folders belong to programs.
  const hidden = parts.find((part) => part.startsWith('.') && part !== '.');
  if (hidden !== undefined) return withFolderAdvice(say('{folder} is hidden.', { folder: hidden }));
  const autostart = parts.find((part) => AUTOSTART_FOLDERS.test(part));
  if (autostart !== undefined)
    return withFolderAdvice(say('Files in {folder} run automatically.', { folder: autostart }));
  const nearest = nearestExisting(real);
  const facts = statSync(nearest, { throwIfNoEntry: false });
  if (facts?.isDirectory() !== true) return withFolderAdvice(say('No folder {path}.', { path: folder }));
  const user = process.getuid?.();
  return user === undefined || facts.uid === user
    ? null
    : withFolderAdvice(sharedFolderText({ folder: nearest, how: 'owned-by-another' }));
}

function withFolderAdvice(problem: string): string {
  return `${problem} ${say('Choose another folder.')}`;
}

/** Compares real paths, so that no link leads out of the folder. */
function isReallyWithin(path: string, folder: string): boolean {
  return existsSync(path) && existsSync(folder) && isWithin(realpathSync(path), realpathSync(folder));
}

/** Throws AppError `bad_input` for a problem: what is wrong, and what to do. */
function refuse(problem: string | null): void {
  if (problem !== null) throw new AppError('bad_input', say('The app saves nothing there.'), problem);
}

const CHOOSE_IN_DIALOG = say('Choose it in the system’s dialog.');
