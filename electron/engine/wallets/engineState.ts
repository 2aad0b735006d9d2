/** What the engine has to know of a wallets folder and must not learn from it: it lies in a folder of the engine's own. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import {
  flushFolder,
  partsBegin,
  readJsonFile,
  removeQuietly,
  writeWholeFile,
} from '../../files/durableFile.ts';
import { sharedWayTo } from '../../files/owned/sharedFolder.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { EngineError } from './engineError.ts';

export type EngineState = ReturnType<typeof openEngineState>;

/**
 * A wallets folder may have been filled by somebody else, such as one out of an archive: nothing that lies in it is
 * obeyed. `folder` is made when it is not there, for this user alone. Throws EngineError where it cannot be used.
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
    /** The engine's own folder. */
    folder,
    /** Whether a path leads, by now, to the very wallets folder that was opened: by its device and inode. */
    isItsFolder: (path: string) => identityOf(path) === opened,
    /** Paths of the journals of moves in this wallets folder. Call it only while holding the folder's lock. */
    journals: () =>
      readdirSync(folder)
        .filter((name) => name.startsWith(`${key}-`) && name.endsWith('.moves'))
        .map((name) => join(folder, name)),
    /** A path for a new one. */
    newJournal: () => join(folder, `${key}-${randomBytes(8).toString('hex')}.moves`),
    /**
     * How the names begin of what an engine may have left half-made that was at work on this very folder, and was killed.
     * Null where it ended in good order, and where none is known to have been at work.
     */
    cutOff: () => {
      const left = readJsonFile(atWork, atWorkShape);
      return left?.inode === inodeOf(walletsFolder) ? left.partsBegin : null;
    },
    /** Writes down that this engine is at work there, and how the names begin of what it makes half. */
    begin: () => {
      rmSync(atWork, { force: true });
      const text = JSON.stringify({ inode: inodeOf(walletsFolder), partsBegin });
      writeWholeFile(atWork, new TextEncoder().encode(text));
      flushFolder(folder);
    },
    /** It ended in good order. */
    end: () => removeQuietly(atWork),
  };
}

/** Where the engine's own folder is when none is named, as each system has it. */
export function usualStateFolder(): string {
  const home = homedir();
  const named = { linux: process.env.XDG_STATE_HOME, win32: process.env.LOCALAPPDATA };
  const given = process.platform === 'win32' ? named.win32 : named.linux;
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', NAME);
  // The rules of XDG: a path that is not absolute is not heeded.
  if (given && isAbsolute(given)) return join(given, NAME);
  return process.platform === 'win32'
    ? join(home, 'AppData', 'Local', NAME)
    : join(home, '.local', 'state', NAME);
}

const NAME = 'wallet-ferry-engine';

const atWorkShape = z.object({
  inode: z.string(),
  partsBegin: z.string().regex(/^\.wallet-ferry-[0-9a-f]{8}$/),
});

/** Another folder in the place of one has another. Not the device: its number may change whenever a disk is connected. */
function inodeOf(walletsFolder: string): string {
  return String(statSync(walletsFolder, { bigint: true }).ino);
}

/** Of what is there while one engine runs. Links are followed. */
function identityOf(folder: string): string | null {
  const facts = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return facts ? `${facts.dev}:${facts.ino}` : null;
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch {
    throw new EngineError(
      `The engine’s own folder ${folder} is not there and cannot be made.`,
      'Nothing was changed. Name another one with --state DIR.',
    );
  }
}

/** Who fills the wallets folder would fill that one too, or could lead the way to it elsewhere, be it by a link in it. */
function refuseWithin(walletsFolder: string, folder: string): void {
  if (!stepsTo(folder).some((step) => isWithin(walletsFolder, step))) return;
  throw new EngineError(
    `The engine’s own folder ${folder} lies in the wallets folder.`,
    'Nothing was changed. Name another one with --state DIR, or choose another wallets folder.',
  );
}

function isWithin(walletsFolder: string, path: string): boolean {
  const way = relative(walletsFolder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Every path that is passed on the way to a folder, each link on it followed by itself. */
function stepsTo(folder: string): string[] {
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
    // As many as Linux follows: then it cannot be used either.
    if (links > 40) break;
    const to = resolve(dirname(at), target);
    at = parse(to).root;
    names.unshift(...to.slice(at.length).split(sep));
  }
  return steps;
}

/**
 * Whoever can write to a folder of wallets, or to one above it, can put a link, or another wallet, in the place of one
 * that the engine is about to write. `what` names the folder in the sentence: "the wallets folder". Of one that is not
 * there yet those above it are looked at.
 *
 * @throws EngineError with what to do, before anything was read or changed.
 */
export function refuseSharedByOthers(what: string, folder: string): void {
  const shared = sharedWayTo(folder);
  if (shared === null) return;
  const isAbove = !existsSync(folder) || realpathSync(folder) !== shared.folder;
  const words = isAbove
    ? `${shared.folder}, in which ${what} ${folder} lies, and could put another one in its place.`
    : `${what}, ${folder}, and could put other files in the place of yours.`;
  throw shared.how === 'owned-by-another'
    ? new EngineError(
        `Another user of this computer owns ${words}`,
        'Nothing was read or changed. Make the folder yours, or copy your wallets to a folder of yours and choose that.',
      )
    : new EngineError(
        `Other users of this computer may write to ${words}`,
        `Nothing was read or changed. Take that right from them (chmod go-w ${inShell(shared.folder)}), or copy your wallets to a folder of yours and choose that.`,
      );
}

function inShell(path: string): string {
  return `'${path.replaceAll("'", `'\\''`)}'`;
}
