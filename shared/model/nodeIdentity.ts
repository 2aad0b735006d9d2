/** Whether a node is the one that was known before: one answer for all who must know. */
import { type FolderMark, type Listener, type NodeIdentity, sameNode, UNTOLD_USER } from './node.ts';

/** Whether two times of a start are of one start: clocks are set right, and answers take their time. */
export function isSameStart(one: number | null, other: number | null): boolean {
  return one !== null && other !== null && Math.abs(one - other) <= START_TOLERANCE;
}

/** Seconds. */
const START_TOLERANCE = 10;

/**
 * Whether this can be the node that was known, also started anew or at another port, as the offline engine always is:
 * of the same network, with the same wallets folder (not only one at its path) or, where that is not known, the same log
 * at the same address, and not of another user of this machine. What the system does not tell decides nothing.
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

/** Whether nothing tells one run of a node from another: its start, its release, its listening socket, its log. */
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
 * The first thing in which a node differs from the one that was seen; null where it is the same in every respect. Facts
 * that were known then must be known now; others decide nothing.
 */
export function findDifference(seen: NodeIdentity, now: NodeIdentity): NodeDifference | null {
  if (!sameNode(seen.address, now.address)) return 'address';
  if (isOtherUser(seen, now)) return 'user';
  if (seen.network !== now.network) return 'network';
  if (seen.offline !== now.offline || (seen.release !== null && seen.release !== now.release))
    return 'release';
  // That the folder cannot be proved just now, with the log where it was, does not make it another.
  const [folder, folderNow] = [seen.walletsFolder, now.walletsFolder];
  const isElsewhere = folder !== null && folderNow !== null && folder !== folderNow;
  const hasOtherLog = seen.logTold !== null && seen.logTold !== now.logTold;
  if (hasOtherLog || isElsewhere || isOtherFolder(seen, now)) return 'data_folder';
  if (seen.started !== null && !isSameStart(seen.started, now.started)) return 'start_time';
  if (seen.listener !== null && seen.listener.socket !== now.listener?.socket) return 'listener';
  return null;
}

/** Whether another folder lies at the path of the wallets folder by now. What is not known decides nothing. */
function isOtherFolder(known: NodeIdentity, now: NodeIdentity): boolean {
  const [mark, markNow] = [known.walletsFolderMark, now.walletsFolderMark];
  return mark !== null && markNow !== null && !isSameFolder(mark, markNow);
}

/** A disk may get another number when the machine starts anew, and some give a folder another inode: not another birth. */
function isSameFolder(one: FolderMark, other: FolderMark): boolean {
  const birthKnown = one.born !== null && other.born !== null;
  if (birthKnown && one.born === other.born) return true;
  return one.ino === other.ino && (one.dev === other.dev || !birthKnown);
}

/** The system itself may stand between, for a container. Of users not told apart, each socket is another one. */
export function isOfOtherUser(known: Listener, now: Listener): boolean {
  if (now.user === UNTOLD_USER && known.user === UNTOLD_USER) return now.socket !== known.socket;
  return now.user !== known.user && now.user !== ROOT;
}

function isOtherUser(known: NodeIdentity, now: NodeIdentity): boolean {
  if (known.listener === null || now.listener === null) return false;
  return isOfOtherUser(known.listener, now.listener);
}

const ROOT = 0;
