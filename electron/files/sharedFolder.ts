/** Finds out whether other users of this computer can change a folder or read a file. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import nodeModule from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type NodeStatus, ROOT_USER, UNIDENTIFIED_USER } from '../../shared/model/node.ts';
import { orNull } from '../walletfile/bytes/once.ts';
import { systemCode } from './fileError.ts';

type Sharing = 'owned-by-another' | 'writable-by-others';

/** A folder that other users can change, and how. */
export interface SharedFolder {
  readonly folder: string;
  readonly how: Sharing;
}

/**
 * The first folder that other users can change: this one, or one above it, because users who can rename a folder can replace all
 * below it. A folder above may belong to the system (root), and be open to all with the sticky bit, as `/tmp` is. Null if there is
 * none. Ignores access control lists.
 *
 * @throws the system's error for a missing folder.
 */
export function findSharedFolder(folder: string): SharedFolder | null {
  const real = realpathSync(folder);
  const own = sharingOf(real);
  if (own !== null) return { folder: real, how: own };
  // Users who can replace a link on the path could lead it elsewhere.
  return firstSharedAbove(dirname(real)) ?? firstSharedAbove(dirname(resolve(folder)));
}

/** Like `findSharedFolder`, but the folder may be missing: the app would then create it in the nearest existing folder above. */
export function findSharedFolderOnPath(folder: string): SharedFolder | null {
  if (process.getuid === undefined) return null;
  const wanted = resolve(folder);
  const nearest = nearestExisting(wanted);
  if (nearest === wanted) return findSharedFolder(nearest);
  return firstSharedAbove(realpathSync(nearest)) ?? firstSharedAbove(nearest);
}

/** `folder`: the first one above the folder in question. */
function firstSharedAbove(folder: string): SharedFolder | null {
  for (let above = folder; ; above = dirname(above)) {
    const how = sharingOf(above, true);
    if (how !== null) return { folder: above, how };
    if (above === dirname(above)) return null;
  }
}

/**
 * The first folder that other users can change, of the data folder, those above it, and the app's folders in it. Files of others
 * there could pass as the app's own.
 */
export function findSharedDataFolder(dataFolder: string): SharedFolder | null {
  const above = findSharedFolderOnPath(dataFolder);
  if (above !== null) return above;
  for (const name of Object.values(APP_FOLDERS)) {
    const folder = join(dataFolder, name);
    const how = sharingOf(folder);
    if (how !== null) return { folder, how };
  }
  return null;
}

/**
 * How other users can change the folder itself. Follows links. Null if they cannot, if the folder is missing (the app creates it for
 * this user only), if this user may not look there (the app cannot use it then), and always on Windows, which has no such bits.
 * `isAbove`: whether the folder is only above the one in question.
 */
export function sharingOf(folder: string, isAbove = false): Sharing | null {
  const user = process.getuid?.();
  const facts = orNull(() => statSync(folder));
  if (user === undefined || facts === null) return null;
  const isOfSystem = () => facts.uid === ROOT_USER || facts.uid === outsideUser();
  if (facts.uid !== user && !(isAbove && isOfSystem())) return 'owned-by-another';
  const onlyOwnersRename = isAbove && (facts.mode & STICKY) !== 0;
  return othersWrite(facts) && !onlyOwnersRename ? 'writable-by-others' : null;
}

/** See `overflowUserId`. Null except on Linux. */
function outsideUser(): number | null {
  if (process.platform !== 'linux') return null;
  return orNull(() =>
    overflowUserId(
      readFileSync('/proc/self/uid_map', 'latin1'),
      readFileSync('/proc/sys/kernel/overflowuid', 'latin1'),
    ),
  );
}

/**
 * The id that Linux shows for every user unknown in this process's user namespace, such as root in a sandbox
 * (`user_namespaces(7)`). Null if all users are known.
 */
export function overflowUserId(uidMap: string, overflowUser: string): number | null {
  const mapsEveryUser = uidMap.split('\n').some((line) => /^\s*0\s+0\s+4294967295\s*$/.test(line));
  return mapsEveryUser ? null : Number(overflowUser);
}

function othersWrite({ mode, gid }: Stats): boolean {
  return (mode & OTHERS_WRITE) !== 0 || ((mode & GROUP_WRITES) !== 0 && !isOwnGroup(gid));
}

/** Many systems give each user a group of their own, if possible with the user's number. On others, all users have one primary group. */
function isOwnGroup(group: number): boolean {
  const user = process.getuid?.();
  if (user === undefined || group !== process.getgid?.()) return false;
  const read = (path: string) => readFileSync(path, 'utf8');
  const systemFiles = () => ({
    passwd: read('/etc/passwd'),
    group: read('/etc/group'),
    nsswitch: read('/etc/nsswitch.conf'),
  });
  return group === user || (isOutsideContainers() && hasOneUser(group, user, orNull(systemFiles)));
}

interface SystemFiles {
  readonly passwd: string;
  readonly group: string;
  readonly nsswitch: string;
}

/**
 * Whether a user's primary group has no other user, by the system's lists. False where those are not all users, such as with a
 * directory server (`nsswitch.conf(5)`).
 */
export function hasOneUser(group: number, user: number, files: SystemFiles | null): boolean {
  if (files === null) return false;
  const sources = [...files.nsswitch.matchAll(/^(?:passwd|group|initgroups):([^#\n]*)/gm)];
  const areLocal = sources.every(([, list = '']) => /^(?:\s+(?:files|systemd|\[[^\]]*\]))+\s*$/.test(list));
  if (sources.length < 2 || !areLocal) return false;
  const entriesOf = (text: string) => text.split('\n').map((line) => line.split(':'));
  const [own, ...others] = entriesOf(files.passwd).filter(([, , , primary]) => primary === String(group));
  if (own?.[2] !== String(user) || others.length > 0) return false;
  return entriesOf(files.group)
    .filter(([, , number]) => number === String(group))
    .flatMap(([, , , members = '']) => members.split(','))
    .every((name) => name === '' || name === own[0]);
}

/** Whether this process sees all users and programs of the computer. On Linux only. */
export function isOutsideContainers(): boolean {
  return orNull(() => readlinkSync('/proc/self/ns/pid')) === HOST_PID_NAMESPACE;
}

/** The PID namespace of the computer itself (`PROC_PID_INIT_INO` of the kernel's `proc_ns.h`). */
const HOST_PID_NAMESPACE = 'pid:[4026531836]';

const STICKY = 0o1000;
const GROUP_WRITES = 0o020;
const OTHERS_WRITE = 0o002;

/** The folders of the app and its engine in the data folder. */
export const APP_FOLDERS = {
  journal: 'journal',
  safetyCopies: 'safety copies',
  /** Copies of wallets while they are read, and while new ones are compared. */
  reading: 'reading',
  comparing: 'comparing',
  offline: 'offline',
  /** The engine's journals. */
  engineState: join('offline', 'state'),
  /** What V8 compiled: whoever can write here decides what the app does. */
  compiled: 'compiled',
} as const;

/**
 * Makes this process, and the threads and programs that it starts later, keep their compiled code in the data folder, so that the
 * next start need not compile it again. Does nothing before Node 22.1, or if the folder cannot be made.
 */
export function keepCompiledCode(dataFolder: string): void {
  if (!('enableCompileCache' in nodeModule)) return;
  const folder = join(dataFolder, APP_FOLDERS.compiled);
  if (orNull(() => mkdirSync(folder, { recursive: true, mode: 0o700 })) === null) return;
  nodeModule.enableCompileCache(folder);
  process.env.NODE_COMPILE_CACHE ??= folder;
}

/**
 * Whether the user with this id certainly cannot read the file at this real path: not as owner, group or other, or
 * because of a folder above it. False if unsure, as where a group may read, and for root, who may read everything.
 */
export function isUnreadableBy(user: number, path: string): boolean {
  if (user === ROOT_USER) return false;
  return isRefused(user, path, READ) || foldersAbove(path).some((folder) => isRefused(user, folder, PASS));
}

/** The first of these paths that the node cannot write to, as far as the app sees; null also if unknown. */
export function findUnwritable(
  { local, offline, listener }: NodeStatus,
  paths: readonly (string | null)[],
): string | null {
  const known = listener?.user === UNIDENTIFIED_USER ? null : listener?.user;
  // The mode of a file refuses root nothing.
  const user = (offline ? process.getuid?.() : known) ?? ROOT_USER;
  return paths.find((path) => local && path !== null && isUnwritableBy(user, path)) ?? null;
}

/** Whether that user certainly cannot write to what is at this real path, as on a disk that is mounted read-only. False if unsure. */
function isUnwritableBy(user: number, path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    if (systemCode(error) === 'EROFS') return true;
  }
  return user !== ROOT_USER && isRefused(user, path, WRITE);
}

/** Access control lists never grant more than the group bits. */
function isRefused(user: number, path: string, right: number): boolean {
  const facts = orNull(() => statSync(path));
  if (facts === null) return false;
  const bits = facts.uid === user ? right << OWNER : (right << GROUP) | right;
  return (facts.mode & bits) === 0;
}

/** The nearest first. */
export function foldersAbove(path: string): string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...foldersAbove(above)];
}

/** The path itself, or the nearest folder above it that exists. */
export function nearestExisting(path: string): string {
  return [path, ...foldersAbove(path)].find((each) => existsSync(each)) ?? path;
}

const READ = 4;
const WRITE = 2;
const PASS = 1;
const OWNER = 6;
const GROUP = 3;
