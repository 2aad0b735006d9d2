/** Compares node identities: the only place that decides whether a node is the same as before. */
import { type FolderMark, type Listener, type NodeIdentity, sameNode, UNIDENTIFIED_USER } from './node.ts';

/** Whether two start times mean one start. Clock corrections and slow answers allow a tolerance. */
export function isSameStart(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= START_TOLERANCE;
}

/** Seconds. */
const START_TOLERANCE = 10;

/**
 * Whether this can be the known node, possibly restarted or at another port, as the offline engine always is. It needs the
 * same network and the same wallets folder (not just its path) or, if that is unknown, the same log at the same address.
 * It must not belong to another user of this machine. Unknown facts decide nothing.
 */
export function isSameNode(known: NodeIdentity, now: NodeIdentity): boolean {
  if (now.network !== known.network || now.offline !== known.offline) return false;
  if (isOtherUser(known, now) || isOtherFolder(known, now)) return false;
  const sameLog = known.logTold === now.logTold;
  if (known.walletsFolder !== null && now.walletsFolder !== null) {
    return known.walletsFolder === now.walletsFolder;
  }
  return sameNode(known.address, now.address) && (sameLog || known.logTold === null);
}

/** Whether both are one run of a node: same start, release, listening socket and log. */
export function isSameRun(known: NodeIdentity, now: NodeIdentity): boolean {
  const { walletsFolder, walletsFolderMark } = known;
  return findDifference(known, { ...now, walletsFolder, walletsFolderMark }) === null;
}

export type NodeDifference =
  | 'address'
  | 'user'
  | 'network'
  | 'release'
  | 'data_folder'
  | 'start_time'
  | 'listener';

/**
 * The first difference from the node of before, or null. A fact that was known before must be known now; other facts
 * decide nothing.
 */
export function findDifference(seen: NodeIdentity, now: NodeIdentity): NodeDifference | null {
  if (!sameNode(seen.address, now.address)) return 'address';
  if (isOtherUser(seen, now)) return 'user';
  if (seen.network !== now.network) return 'network';
  if (seen.offline !== now.offline || (seen.release !== null && seen.release !== now.release))
    return 'release';
  // An unproved folder counts as the same if the log is still at its place.
  const [folder, folderNow] = [seen.walletsFolder, now.walletsFolder];
  const isElsewhere = folder !== null && folderNow !== null && folder !== folderNow;
  const hasOtherLog = seen.logTold !== null && seen.logTold !== now.logTold;
  if (hasOtherLog || isElsewhere || isOtherFolder(seen, now)) return 'data_folder';
  if (seen.started !== null && !isSameStart(seen.started, now.started)) return 'start_time';
  if (seen.listener !== null && seen.listener.socket !== now.listener?.socket) return 'listener';
  return null;
}

/** Whether another folder has taken the path of the wallets folder. Unknown facts decide nothing. */
function isOtherFolder(known: NodeIdentity, now: NodeIdentity): boolean {
  const [mark, markNow] = [known.walletsFolderMark, now.walletsFolderMark];
  return mark !== null && markNow !== null && !isSameFolder(mark, markNow);
}

/** A restart may change a disk's number or a folder's inode, but never its creation time. */
function isSameFolder(one: FolderMark, other: FolderMark): boolean {
  const birthKnown = one.born !== null && other.born !== null;
  if (birthKnown && one.born === other.born) return true;
  return one.ino === other.ino && (one.dev === other.dev || !birthKnown);
}

/** Root may listen for a container. If the system maps several users to one id, another socket means another user. */
export function isOfOtherUser(known: Listener, now: Listener): boolean {
  if (now.user === UNIDENTIFIED_USER && known.user === UNIDENTIFIED_USER) return now.socket !== known.socket;
  return now.user !== known.user && now.user !== ROOT;
}

function isOtherUser(known: NodeIdentity, now: NodeIdentity): boolean {
  if (known.listener === null || now.listener === null) return false;
  return isOfOtherUser(known.listener, now.listener);
}

const ROOT = 0;
