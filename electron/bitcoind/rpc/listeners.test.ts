import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sampleIdentity } from '../../../shared/testing/sampleNodeStatus.ts';
import { folderMarkAt } from '../../files/fileMark.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { listen } from '../../http/loopback.ts';
import {
  isJoinedHere,
  isThisMachine,
  listenerAt,
  parseSocketTable,
  readListeners,
  readSocketTable,
  stoppedNodeFolder,
} from './listeners.ts';

/** From Linux on a little-endian processor. */
const TABLE = parseSocketTable(
  [
    '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
    '   0: 0100007F:208D 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 00000000ce32bea7 100 0 0 10 0',
    '   1: 00000000:208E 00000000:0000 0A 00000000:00000000 00:00000000 00000000   107        0 4712 1 00000000ce32bea7 100 0 0 10 0',
    '   2: 0100007F:208D 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 4713 1 00000000ce32bea7 100 0 0 10 0',
    '   0: 00000000000000000000000001000000:208F 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 4714 1 0 100 0 0 10 0',
    '   1: 00000000000000000000000000000000:2090 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1002        0 4715 1 0 100 0 0 10 0',
    '   2: 0000000000000000FFFF00000100007F:2091 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1003        0 4716 1 0 100 0 0 10 0',
  ].join('\n'),
);

describe.skipIf(process.arch === 's390x')('the listener', () => {
  it.each([
    ['127.0.0.1', 0x208d, 1000, '4711'],
    ['127.0.0.1', 0x208e, 107, '4712'],
    ['::1', 0x208f, 1001, '4714'],
    ['::1', 0x2090, 1002, '4715'],
    ['127.0.0.1', 0x2090, 1002, '4715'],
    ['127.0.0.1', 0x2091, 1003, '4716'],
    ['::ffff:127.0.0.1', 0x208d, 1000, '4711'],
  ])('at %s, port %i, is user %i', (address, port, user, socket) => {
    expect(listenerAt(TABLE, address, port)).toEqual({ user, socket });
  });

  it('is null at another address or port', () => {
    expect(listenerAt(TABLE, '127.0.0.2', 0x208d)).toBeNull();
    expect(listenerAt(TABLE, '127.0.0.1', 0x208f)).toBeNull();
    expect(listenerAt(TABLE, '127.0.0.1', 1)).toBeNull();
  });

  it('may hold the other end of a connection', () => {
    const far = { host: '127.0.0.1', port: 0x208d };
    expect(isJoinedHere(TABLE, far, { host: '127.0.0.1', port: 0xd431 })).toBe(true);
    expect(isJoinedHere(TABLE, far, { host: '127.0.0.1', port: 1 })).toBe(false);
  });
});

describe.skipIf(process.platform !== 'linux')('on Linux', () => {
  it('finds the listener among many connections, and at IPv6 if none listens at IPv4', async () => {
    const server = createServer((socket) => socket.end());
    const { port } = await listen(server, 0, '::');
    for (let at = 0; at < 50; at++) await once(connect(port, '127.0.0.1').resume(), 'close');
    const table = readListeners('127.0.0.1', port) ?? [];
    expect(listenerAt(table, '127.0.0.1', port)?.user).toBe(process.getuid?.());
    // Reads four lines at once, so the last lines may be connections.
    expect(table.filter(({ listens }) => !listens).length).toBeLessThan(10);
    expect(readSocketTable()?.length).toBeGreaterThan(50);
    await new Promise((resolve) => server.close(resolve));
  });

  // SECURITY.md: Another user who listens on the node's port
  it('identifies each listening socket and its user', async () => {
    const first = createServer();
    const { port } = await listen(first);
    const at = () => listenerAt(readListeners('127.0.0.1', port) ?? [], '127.0.0.1', port);
    const before = at();
    expect(before?.user).toBe(process.getuid?.());
    expect(at()).toEqual(before);
    await new Promise((resolve) => first.close(resolve));
    expect(at()).toBeNull();
    const second = createServer();
    await listen(second, port);
    expect(at()?.socket).not.toBe(before?.socket);
    await new Promise((resolve) => second.close(resolve));
  });
});

describe.runIf(canLockAsNode)('the folder of a stopped node', () => {
  const identityOf = async (walletsFolder: string, port: number) =>
    sampleIdentity({
      walletsFolder,
      walletsFolderMark: await folderMarkAt(walletsFolder),
      address: { host: '127.0.0.1', port, tls: false },
      reportedLogPath: null,
    });
  /** Where nobody listens. */
  const PORT = 1;

  it('is not that of another disk at its path', async () => {
    for (const path of [makeTestFolder(), '/']) {
      const known = await identityOf(path, PORT);
      const found = async (change: object) => {
        const { walletsFolderMark: mark } = known;
        return stoppedNodeFolder({ ...known, walletsFolderMark: mark && { ...mark, ...change } }, false);
      };
      const isKnown = path !== '/' || known.walletsFolderMark?.born !== null;
      expect(await found({})).toBe(isKnown ? path : null);
      expect(await found({ dev: '0', born: '1' })).toBeNull();
      // Another disk can get the same number.
      expect(await found({ born: '1' })).toBe(path === '/' ? null : path);
    }
  });

  it('is known by its lock once another node has its port', async () => {
    const [folder, server] = [makeTestFolder(), createServer()];
    mkdirSync(join(folder, 'wallets'));
    const known = await identityOf(join(folder, 'wallets'), (await listen(server)).port);
    const listener = { user: 1000, socket: '1' };
    const found = () => stoppedNodeFolder({ ...known, listener }, true);
    expect(await found()).toBeNull();
    const release = await lockAsNode(join(folder, '.lock'));
    expect(await found()).toBeNull();
    await release();
    expect(await found()).toBe(known.walletsFolder);
    // It may only be slow, in a virtual machine whose locks do not show here.
    expect(await stoppedNodeFolder({ ...known, listener }, false)).toBeNull();
    expect(await stoppedNodeFolder({ ...known, listener: null }, true)).toBeNull();
    // The lock beside a folder of another name may be of another node.
    mkdirSync(join(folder, 'regtest'));
    const [old, mark] = [join(folder, 'regtest'), await folderMarkAt(join(folder, 'regtest'))];
    const other = { ...known, listener, walletsFolder: old, walletsFolderMark: mark };
    expect(await stoppedNodeFolder(other, true)).toBeNull();
    server.close();
  });
});

it('knows the addresses of this machine', () => {
  expect(['127.0.0.1', '::1', '::ffff:127.0.0.1'].every(isThisMachine)).toBe(true);
  expect(['203.0.113.7', '2001:db8::1'].some(isThisMachine)).toBe(false);
});
