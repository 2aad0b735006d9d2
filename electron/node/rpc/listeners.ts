/** Who listens on a port of this machine. Linux tells it to every program; elsewhere it is not known. */
import { readFile } from 'node:fs/promises';
import { endianness, networkInterfaces } from 'node:os';
import { type Listener, UNTOLD_USER } from '../../../shared/node.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { isLoopback } from '../../http/loopback.ts';

/** One line of a connection, or of a port that is listened on. Hosts are written as `plainHost` writes them. */
interface Socket {
  readonly host: string;
  readonly port: number;
  readonly farHost: string;
  readonly farPort: number;
  readonly listens: boolean;
  readonly user: number;
  readonly inode: string;
}

/** The TCP sockets of this machine at one moment. */
export type SocketTable = readonly Socket[];

/**
 * Null where the system does not tell: off Linux, and where /proc is hidden. Throws the system's error where it would
 * tell and cannot just now, as with too many open files: who listens must not count as untold then.
 */
export async function readSocketTable(): Promise<SocketTable | null> {
  if (process.platform !== 'linux') return null;
  const [ipv4, ipv6] = await Promise.all([readTable('/proc/net/tcp'), readTable('/proc/net/tcp6')]);
  if (ipv4 === 'none' || ipv4 === 'hidden' || ipv6 === 'hidden') return null;
  // Without IPv6 there is no such file.
  const table = parseSocketTable(`${ipv4.text}${ipv6 === 'none' ? '' : ipv6.text}`);
  const shared = await sharedUser();
  return shared === null
    ? table
    : table.map((each) => (each.user === shared ? { ...each, user: UNTOLD_USER } : each));
}

/**
 * The number that all users have who are none in this program's user namespace; null in the first one, which has all
 * users: `user_namespaces(7)`.
 */
async function sharedUser(): Promise<number | null> {
  const map = await readTable('/proc/self/uid_map');
  if (typeof map === 'string' || WHOLE_MAP.test(map.text)) return null;
  const overflow = await readTable('/proc/sys/kernel/overflowuid');
  return typeof overflow === 'string' ? USUAL_OVERFLOW : Number(overflow.text);
}

const WHOLE_MAP = /^ *0 +0 +4294967295\s*$/;
/** `DEFAULT_OVERFLOWUID` of `include/linux/highuid.h`. */
const USUAL_OVERFLOW = 65_534;

async function readTable(file: string): Promise<{ readonly text: string } | 'none' | 'hidden'> {
  try {
    return { text: await readFile(file, 'latin1') };
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'ENOENT') return 'none';
    if (code === 'EACCES') return 'hidden';
    throw thrown;
  }
}

/** Of the text of `/proc/net/tcp` and `tcp6`: `Documentation/networking/proc_net_tcp.rst` of the Linux kernel. */
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
 * Who gets the connections to this address of this machine; null when nobody listens in this machine's own network, as
 * with a port that the system passes on to a container. Who listens at the address itself comes before who listens at
 * all of them, as in the kernel.
 */
export function listenerAt(table: SocketTable, address: string, port: number): Listener | null {
  const host = plainHost(address);
  const every = host.includes(':') ? ['::'] : ['0.0.0.0', '::'];
  for (const wanted of [host, ...every]) {
    const sockets = table.filter((each) => each.listens && each.port === port && each.host === wanted);
    const [first] = sockets;
    // Several can share a port only where one user has opened all of them.
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

/** The two ends of a connection, as a socket tells them. */
export interface Ends {
  readonly host: string;
  readonly port: number;
  readonly nearHost: string;
  readonly nearPort: number;
}

/** Whether the other end of a connection is a socket of this machine's own network too. */
export function isJoinedHere(table: SocketTable, { host, port, nearHost, nearPort }: Ends): boolean {
  return table.some(
    (each) =>
      !each.listens &&
      each.port === port &&
      each.farPort === nearPort &&
      each.host === plainHost(host) &&
      each.farHost === plainHost(nearHost),
  );
}

/** Whether an IP address is one of this very machine. */
export function isThisMachine(address: string): boolean {
  if (isLoopback(address)) return true;
  const host = plainHost(address);
  return Object.values(networkInterfaces()).some((all) =>
    all?.some((each) => plainHost(each.address) === host),
  );
}

const SOCKET_LINE =
  /^ *\d+: ([0-9A-F]{8,32}):([0-9A-F]{4}) ([0-9A-F]{8,32}):([0-9A-F]{4}) ([0-9A-F]{2}) \S+ \S+ \S+ +(\d+) +\d+ +(\d+)/;
/** `TCP_LISTEN` of `include/net/tcp_states.h`. */
const LISTEN = '0A';

/** From words of four bytes, each in the order of this machine. */
function hostOf(hex: string): string {
  const words = hex.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => {
    const inOrder = [...Buffer.from(word, 'hex')];
    return endianness() === 'LE' ? inOrder.reverse() : inOrder;
  });
  if (bytes.length === 4) return bytes.join('.');
  const groups: string[] = [];
  for (let at = 0; at < bytes.length; at += 2) {
    groups.push((((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  }
  return plainHost(groups.join(':'));
}

/** One way of writing for each address; an IPv4 address stays one when IPv6 carries it. */
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
