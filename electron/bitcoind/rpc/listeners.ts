/** Finds the process that listens on a port of this machine, which only Linux shows to every program. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { connect, isIPv4 } from 'node:net';
import { endianness, networkInterfaces } from 'node:os';
import { basename, dirname, join } from 'node:path';
import {
  type FolderMark,
  isLoopback,
  isSameFolder,
  type Listener,
  type NodeIdentity,
  UNIDENTIFIED_USER,
} from '../../../shared/model/node.ts';
import { systemCode } from '../../files/fileError.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { isLocked, seesAllLocks } from '../../files/lock/fileInUse.ts';
import { overflowUserId } from '../../files/sharedFolder.ts';

/** A TCP socket. Hosts are formatted by `plainHost`. */
interface Socket {
  readonly host: string;
  readonly port: number;
  readonly farHost: string;
  readonly farPort: number;
  readonly listens: boolean;
  readonly user: number;
  readonly inode: string;
}

/** This machine's TCP sockets at one moment. */
export type SocketTable = readonly Socket[];

/**
 * The listening sockets, one of which accepts connections to this address. IPv6 sockets may accept IPv4 if no IPv4
 * socket listens. Null if the system does not show them: on other systems than Linux, and with a hidden /proc. Throws
 * the system's error if reading fails for now, such as too many open files: the listener must not count as unknown
 * then.
 */
export function readListeners(host: string, port: number): SocketTable | null {
  const ipv4 = readTable('tcp', 'listening');
  if (ipv4 === null || (isIPv4(host) && listenerAt(ipv4, host, port) !== null)) return ipv4;
  return joined(ipv4, readTable('tcp6', 'listening'));
}

/** Listening and connected sockets. Null and errors as in `readListeners`. */
export function readSocketTable(): SocketTable | null {
  return joined(readTable('tcp', 'all'), readTable('tcp6', 'all'));
}

function joined(ipv4: SocketTable | null, ipv6: SocketTable | null): SocketTable | null {
  return ipv4 && ipv6 && [...ipv4, ...ipv6];
}

function readTable(name: 'tcp' | 'tcp6', which: 'listening' | 'all'): SocketTable | null {
  if (process.platform !== 'linux') return null;
  const read = readProc(`/proc/net/${name}`, which === 'listening');
  // The file does not exist without IPv6.
  if (read === 'none' && name === 'tcp6') return [];
  if (typeof read === 'string') return null;
  const shared = sharedUser();
  return parseSocketTable(read.text).map((each) =>
    each.user === shared ? { ...each, user: UNIDENTIFIED_USER } : each,
  );
}

/** See `overflowUserId`; null also if the system does not show it. */
function sharedUser(): number | null {
  const map = readProc('/proc/self/uid_map');
  if (typeof map === 'string') return null;
  const overflow = readProc('/proc/sys/kernel/overflowuid');
  return overflowUserId(map.text, typeof overflow === 'string' ? USUAL_OVERFLOW : overflow.text);
}

/** `DEFAULT_OVERFLOWUID` of `include/linux/highuid.h`. */
const USUAL_OVERFLOW = '65534';

/**
 * Reads a file of /proc. Listening sockets come first, and the kernel searches megabytes for connections: `listening`
 * stops at the first connected socket.
 */
function readProc(file: string, listening = false): { readonly text: string } | 'none' | 'hidden' {
  const bytes = Buffer.alloc(listening ? FEW_LINES : MANY_LINES);
  let handle: number | null = null;
  try {
    handle = openSync(file, 'r');
    let text = '';
    for (;;) {
      const read = readSync(handle, bytes);
      text += bytes.toString('latin1', 0, read);
      if (read === 0 || (listening && CONNECTED_LINE.test(text))) return { text };
    }
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT') return 'none';
    if (code === 'EACCES') return 'hidden';
    throw thrown;
  } finally {
    if (handle !== null) closeSync(handle);
  }
}

/** In bytes; an IPv4 line has 150. */
const FEW_LINES = 600;
const MANY_LINES = 65_536;
const CONNECTED_LINE = /^ *\d+: \S+ \S+ (?!0A)[0-9A-F]{2} /m;

/** Parses `/proc/net/tcp` and `tcp6`: `Documentation/networking/proc_net_tcp.rst` of the Linux kernel. */
export function parseSocketTable(text: string): SocketTable {
  return text.split('\n').flatMap((line) => {
    const [, host, port, farHost, farPort, state, user, inode] = SOCKET_LINE.exec(line) ?? [];
    if (!host || !port || !farHost || !farPort || !state || !user || !inode) return [];
    return {
      host: hostOf(host),
      port: Number.parseInt(port, 16),
      farHost: hostOf(farHost),
      farPort: Number.parseInt(farPort, 16),
      listens: state === LISTEN,
      user: Number(user),
      inode,
    };
  });
}

/**
 * Who accepts connections to this address of this machine; null if nobody listens in this machine's own network, as
 * with a port that is forwarded to a container. A socket on the address itself takes precedence over one on all
 * addresses, as in the kernel.
 */
export function listenerAt(table: SocketTable, address: string, port: number): Listener | null {
  const host = plainHost(address);
  const every = host.includes(':') ? ['::'] : ['0.0.0.0', '::'];
  for (const wanted of [host, ...every]) {
    const sockets = table.filter((each) => each.listens && each.port === port && each.host === wanted);
    const [first] = sockets;
    // Several sockets can share a port only if one user opened them all.
    if (first) {
      return {
        user: first.user,
        socket: sockets
          .map(({ inode }) => inode)
          .sort()
          .join(' '),
      };
    }
  }
  return null;
}

/** Whether the other end of a connection is also in this machine's own network. `near`: its end here. */
export function isJoinedHere(
  table: SocketTable,
  far: Pick<Socket, 'host' | 'port'>,
  near: Pick<Socket, 'host' | 'port'>,
): boolean {
  return table.some(
    (each) =>
      !each.listens &&
      each.port === far.port &&
      each.farPort === near.port &&
      each.host === plainHost(far.host) &&
      each.farHost === plainHost(near.host),
  );
}

/** Whether an IP address belongs to this machine. */
export function isThisMachine(address: string): boolean {
  if (isLoopback(address)) return true;
  const host = plainHost(address);
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((each) => plainHost(each.address) === host),
  );
}

const SOCKET_LINE =
  /^ *\d+: ((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4}) ((?:[0-9A-F]{8}){1,4}):([0-9A-F]{4}) ([0-9A-F]{2}) \S+ \S+ \S+ +(\d+) +\d+ +(\d+)/;
/** `TCP_LISTEN` of `include/net/tcp_states.h`. */
const LISTEN = '0A';

/** Decodes words of four bytes in the machine's byte order. */
function hostOf(hex: string): string {
  const bytes = Buffer.from(hex, 'hex');
  if (endianness() === 'LE') bytes.swap32();
  if (bytes.length === 4) return bytes.join('.');
  const groups = bytes.toString('hex').match(/.{4}/g) ?? [];
  return plainHost(groups.join(':'));
}

/** Normalizes an address; an IPv4-mapped IPv6 address becomes IPv4. */
function plainHost(address: string): string {
  const host = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  if (!host.includes(':')) return host;
  const written = URL.canParse(`http://[${host}]/`)
    ? new URL(`http://[${host}]/`).hostname.slice(1, -1)
    : host;
  const carried = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(written);
  if (!carried) return written;
  const [high, low] = [carried[1], carried[2]].map((group) => Number.parseInt(group ?? '0', 16));
  return [(high ?? 0) >> 8, (high ?? 0) & 255, (low ?? 0) >> 8, (low ?? 0) & 255].join('.');
}

/**
 * The wallets folder of a stopped node, if it is still the same. Stopped means that nobody listens at its address on this machine, or,
 * if another node answers there, that nobody holds the lock of its data folder. Null if the node may be running, or its files are
 * elsewhere. Null for the offline engine, which finishes or undoes its work at its next start. Never throws.
 */
export async function stoppedNodeFolder(
  known: NodeIdentity,
  anotherAnswers: boolean,
): Promise<string | null> {
  const { address, offline, listener, walletsFolder, walletsFolderMark: before, reportedLogPath } = known;
  if (offline || walletsFolder === null || !isLoopback(address.host)) return null;
  const now = await folderMarkAt(walletsFolder);
  if (now === null || (before !== null && !(await isStillThere(walletsFolder, before, now)))) return null;
  if (!anotherAnswers) return (await isRefused(address.host, address.port)) ? walletsFolder : null;
  // Without a `wallets` folder, the wallets are in the data folder itself.
  const dataFolder = basename(walletsFolder) === 'wallets' ? dirname(walletsFolder) : walletsFolder;
  const folders = reportedLogPath === null ? [dataFolder] : [dataFolder, dirname(reportedLogPath)];
  const locks = folders.map((folder) => join(folder, '.lock'));
  // Without a listener, the node may run in a virtual machine, whose locks do not show here.
  const isUnlocked = listener !== null && seesAllLocks() && locks.some(existsSync) && !isLocked(...locks);
  return isUnlocked ? walletsFolder : null;
}

/** The roots of disks often have one inode, and of disks that take turns one device number, so only the creation time tells them apart. */
async function isStillThere(folder: string, before: FolderMark, now: FolderMark): Promise<boolean> {
  const isRoot = dirname(folder) === folder || (await folderMarkAt(dirname(folder)))?.dev !== now.dev;
  if (isRoot) return before.born !== null && before.born === now.born;
  return isSameFolder({ walletsFolderMark: before }, { walletsFolderMark: now }) === true;
}

function isRefused(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (refused: boolean) => {
      socket.destroy();
      resolve(refused);
    };
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => end(false));
    socket.once('connect', () => end(false));
    socket.once('error', (error) => end(systemCode(error) === 'ECONNREFUSED'));
  });
}

const CONNECT_TIMEOUT_MS = 1000;
