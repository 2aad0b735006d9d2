/** The engine's own folder: facts about a wallets folder that the engine must not trust the wallets folder for. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { z } from 'zod/mini';
import { shellQuoted } from '../../../shared/model/names/visibleText.ts';
import {
  flushFolder,
  partPrefix,
  readJsonFile,
  removeQuietly,
  writeWholeFile,
} from '../../files/durableFile.ts';
import { isWithin } from '../../files/openFile.ts';
import { findSharedFolderOnPath } from '../../files/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { EngineError } from './engineError.ts';

export type EngineState = ReturnType<typeof openEngineState>;

/**
 * Somebody else may have filled a wallets folder, such as one from an archive, so the engine obeys nothing in it.
 * Creates `folder` if it is missing, for this user only. Throws EngineError if it cannot be used.
 */
export function openEngineState(folder: string, wallets: string) {
  const walletsFolder = realpathSync.native(wallets);
  const opened = identityOf(walletsFolder);
  refuseWithin(walletsFolder, folder);
  makeFolder(folder);
  refuseSharedByOthers('the engine’s own folder', folder);
  refuseWithin(walletsFolder, realpathSync.native(folder));
  const key = createHash('sha256').update(walletsFolder).digest('hex').slice(0, 16);
  const atWork = join(folder, `${key}.at-work`);
  return {
    /** The real path of the wallets folder. */
    walletsFolder,
    folder,
    /** For the engine's files where it cannot write around the wallets folder. */
    ownFolder: join(folder, key),
    /** Whether a path still leads to the wallets folder that was opened, by device and inode. */
    isWalletsFolder: (path: string) => identityOf(path) === opened,
    /** Paths of the journals of moves in this wallets folder. Call it only while holding the folder's lock. */
    journals: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith(`${key}-`) && name.endsWith('.moves'))
        .map((name) => join(folder, name)),
    newJournal: () => join(folder, `${key}-${randomBytes(8).toString('hex')}.moves`),
    /**
     * The prefix of the unfinished files of an engine that was killed while it used this folder. Null if the last engine
     * ended cleanly, or none is known.
     */
    unfinishedPrefix: () => {
      const left = readJsonFile(atWork, atWorkShape);
      return left?.inode === inodeOf(walletsFolder) ? left.partsBegin : null;
    },
    /** Records that this engine uses the folder, and the prefix of its unfinished files. */
    recordRunning: () => {
      rmSync(atWork, { force: true });
      const text = JSON.stringify({ inode: inodeOf(walletsFolder), partsBegin: partPrefix });
      writeWholeFile(atWork, new TextEncoder().encode(text));
      flushFolder(folder);
    },
    /** Records that the engine ended cleanly. */
    recordStopped: () => removeQuietly(atWork),
  };
}

/** The default for the engine's own folder on this system. */
export function defaultStateFolder(): string {
  const home = homedir();
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', NAME);
  const isWindows = process.platform === 'win32';
  const folder = isWindows ? process.env.LOCALAPPDATA : process.env.XDG_STATE_HOME;
  // XDG ignores a relative path.
  if (folder && isAbsolute(folder)) return join(folder, NAME);
  return join(home, ...(isWindows ? ['AppData', 'Local'] : ['.local', 'state']), NAME);
}

const NAME = 'wallet-ferry-engine';

const atWorkShape = z.object({
  inode: z.string(),
  partsBegin: z.string().check(z.regex(/^\.wallet-ferry-[0-9a-f]{8}$/)),
});

/** Identifies the folder in the next run. Without the device, whose number may change when a disk is connected again. */
function inodeOf(walletsFolder: string): string {
  return String(statSync(walletsFolder, { bigint: true }).ino);
}

/** Identifies a folder during one run. Follows links. */
function identityOf(folder: string): string | null {
  const facts = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.dev}:${facts.ino}` : null;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw new EngineError(
      `The engine’s own folder ${folder} does not exist and cannot be created.`,
      'Nothing was changed. Name another one with --state DIR.',
    );
  }
}

/** Whoever fills the wallets folder must not control the engine's own folder too, not even by a link on its path. */
function refuseWithin(walletsFolder: string, folder: string): void {
  if (!pathsVisited(folder).some((step) => isWithin(step, walletsFolder))) return;
  throw new EngineError(
    `The engine’s own folder ${folder} is inside the wallets folder.`,
    'Nothing was changed. Name another one with --state DIR, or choose another wallets folder.',
  );
}

/** Every path that the system visits on the way to a folder, link by link. */
function pathsVisited(folder: string): string[] {
  const { root } = parse(resolve(folder));
  const names = resolve(folder).slice(root.length).split(sep);
  const steps = [root];
  let at = root;
  for (let links = 0; names.length > 0; ) {
    at = join(at, names.shift() ?? '');
    steps.push(at);
    const target = orNull(() => readlinkSync(at));
    if (target === null) continue;
    links += 1;
    // Linux follows no more either.
    if (links > 40) break;
    const to = resolve(dirname(at), target);
    at = parse(to).root;
    names.unshift(...to.slice(at.length).split(sep));
  }
  return steps;
}

/**
 * Refuses a folder if other users can write to it or to a folder above it: they could replace a wallet that the engine
 * is about to write, or put a link there. `what`: the folder's name in the message, such as "the wallets folder". For a
 * missing folder, checks those above it. Throws EngineError, which says what to do.
 */
export function refuseSharedByOthers(what: string, folder: string): void {
  const shared = findSharedFolderOnPath(folder);
  if (shared === null) return;
  const isAbove = !existsSync(folder) || realpathSync(folder) !== shared.folder;
  const where = isAbove
    ? `${shared.folder}, which contains ${what} ${folder}, and could replace it.`
    : `${what}, ${folder}, and could replace your files.`;
  throw shared.how === 'owned-by-another'
    ? new EngineError(
        `Another user of this computer owns ${where}`,
        'Nothing was read or changed. Become the owner of that folder, or copy your wallets to a folder of yours and choose that.',
      )
    : new EngineError(
        `Other users of this computer may write to ${where}`,
        `Nothing was read or changed. Take that permission from them (chmod go-w ${shellQuoted(shared.folder, false, 'DIR')}), or copy your wallets to a folder of yours and choose that.`,
      );
}
