/** A false node: another user of this machine has taken the port of the node. */
import { chown, mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, plainStatus } from '../../../e2e/testNode/scriptedNode.ts';
import { identityOf, UNTOLD_USER } from '../../../shared/model/node.ts';
import { sendPlanned } from '../calls/call.ts';
import { readNodeStatus, verifySameNode } from '../calls/status.ts';
import { migrationCalls } from '../calls/walletCalls.ts';
import { createDiscovery } from '../discovery/discovery.ts';
import { createNodeClient } from '../rpc/client.ts';
import { createLogin } from '../rpc/credentials.ts';
import { releaseOf } from '../rpc/release.ts';
import type { NodeClient } from '../rpc/session.ts';
import { ANOTHER_USER, canBeAnotherUser, type StrangerServer, startStranger } from './otherUser.ts';

/** How the system refuses to tell its sockets. */
const refusing = vi.hoisted(() => ({ code: '' }));

/** Files in whose place others are read, by their paths. */
const instead = vi.hoisted(() => new Map<string, string>());

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    openSync: (...[path, ...how]: Parameters<typeof real.openSync>) => {
      if (refusing.code !== '' && String(path).startsWith('/proc/net/'))
        throw Object.assign(new Error('as the system says it'), { code: refusing.code });
      return real.openSync(instead.get(String(path)) ?? path, ...how);
    },
  };
});

let folder: string;
let stranger: StrangerServer | null = null;
const clients: NodeClient[] = [];
const at = (port: number) => ({ host: '127.0.0.1', port, tls: false });

function connect(...[options]: Parameters<typeof createNodeClient>): NodeClient {
  const client = createNodeClient({ retryPausesMs: [], ...options });
  clients.push(client);
  return client;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ferry-other-'));
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await stranger?.close();
  stranger = null;
  refusing.code = '';
  instead.clear();
  await rm(folder, { recursive: true });
});

describe.skipIf(!canBeAnotherUser)(
  'a port that another user holds (told on Linux; needs root to test)',
  () => {
    async function putCookie(): Promise<string> {
      const file = join(folder, '.cookie');
      await writeFile(file, '__cookie__:abc');
      return file;
    }

    // SECURITY.md: A false node on this machine
    it('gets no cookie', async () => {
      stranger = await startStranger();
      const client = connect({
        address: at(stranger.port),
        credentials: { by: 'cookie', cookieFile: await putCookie() },
      });
      await expect(client.call('getnetworkinfo')).rejects.toMatchObject({
        code: 'credentials_missing',
        message: expect.stringContaining('nother user'),
        hint: expect.stringContaining('Nothing was sent.'),
      });
      expect(stranger.got).toEqual([]);
    });

    // SECURITY.md: A false node on this machine
    it('gets no cookie of others, put in the place of its own while a connection to it is kept', async () => {
      stranger = await startStranger();
      const file = join(folder, 'its.cookie');
      const lend = async () => {
        await writeFile(file, '__cookie__:lent');
        await chown(file, ANOTHER_USER, ANOTHER_USER);
      };
      const client = connect({ address: at(stranger.port), credentials: { by: 'cookie', cookieFile: file } });
      const lent = `Basic ${Buffer.from('__cookie__:lent').toString('base64')}`;

      await lend();
      await client.call('listwallets');
      await rm(file);
      await symlink(await putCookie(), file);
      for (const method of ['listwallets', 'loadwallet']) {
        await expect(client.call(method)).rejects.toMatchObject({
          code: 'credentials_missing',
          message: expect.stringContaining('is a link'),
          hint: expect.stringContaining('Nothing was sent'),
        });
      }
      await rename(await putCookie(), file);
      for (const method of ['listwallets', 'loadwallet']) {
        await expect(client.call(method)).rejects.toMatchObject({
          code: 'credentials_missing',
          message: expect.stringContaining('nother user'),
        });
      }

      await lend();
      await client.overOneConnection(async (line) => {
        await line.call('listwallets');
        await rename(await putCookie(), file);
        await expect(line.call('listwallets')).rejects.toMatchObject({ code: 'cannot_connect' });
      });
      expect(stranger.got).toHaveLength(2);
      for (const got of stranger.got) expect(got.startsWith(lent)).toBe(true);
    });

    // SECURITY.md: A false node on this machine
    it('gets neither a cookie nor a password of bitcoin.conf while the app looks, nor when it connects', async () => {
      stranger = await startStranger();
      const rpcPorts = { main: 1, testnet3: 1, testnet4: 1, signet: 1, regtest: stranger.port };
      const discovery = createDiscovery({ dataFolders: [folder], rpcPorts, timeoutMs: 5000 });
      await mkdir(join(folder, 'regtest'));
      await writeFile(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
      const failed = { state: 'failed', error: { code: 'credentials_missing' } };
      expect(await discovery.discover()).toMatchObject([{ credentials: 'cookie', state: failed }]);
      await writeFile(
        join(folder, 'bitcoin.conf'),
        'regtest=1\n[regtest]\nrpcuser=ann\nrpcpassword=secret\n',
      );
      const found = await discovery.discover();
      expect(found).toMatchObject([{ credentials: 'config', state: { state: 'asks-login' } }]);
      const { address, credentials } = await discovery.loginOf(found[0]?.id ?? '');
      await expect(connect({ address, credentials }).call('getnetworkinfo')).rejects.toMatchObject({
        code: 'credentials_missing',
        message: expect.stringContaining('bitcoin.conf'),
      });
      expect(stranger.got).toEqual([]);
    });

    // SECURITY.md: A false node on this machine
    it('gets no password of bitcoin.conf for having the folders that it names', async () => {
      stranger = await startStranger();
      const rpcPorts = { main: 1, testnet3: 1, testnet4: 1, signet: 1, regtest: stranger.port };
      const discovery = createDiscovery({ dataFolders: [folder], rpcPorts, timeoutMs: 5000 });
      const theirs = join(folder, 'theirs');
      for (const each of [theirs, join(theirs, 'regtest')]) {
        await mkdir(each);
        await chown(each, ANOTHER_USER, ANOTHER_USER);
      }
      const text = `regtest=1\ndatadir=${theirs}\nrpcuser=ann\nrpcpassword=secret\n`;
      await writeFile(join(folder, 'bitcoin.conf'), text);
      const [found] = await discovery.discover();
      const { address, credentials } = await discovery.loginOf(found?.id ?? '');
      expect(credentials).toMatchObject({ by: 'password', password: 'secret' });
      await expect(connect({ address, credentials }).call('getnetworkinfo')).rejects.toMatchObject({
        code: 'credentials_missing',
        message: expect.stringContaining('bitcoin.conf'),
      });
      expect(stranger.got).toEqual([]);
    });

    // SECURITY.md: A false node on this machine
    it('gets no login that was given for the node which had it before, and no passphrase', async () => {
      const node = await startRpcServer(answering(plainStatus));
      const credentials = { by: 'password', user: 'ann', password: 'secret' } as const;
      const client = connect({ address: node.address, credentials });
      const seen = identityOf(await readNodeStatus(client, { local: true, label: 'n' }));
      await node.close();
      stranger = await startStranger(node.address.port);
      const verifyNode = (line: NodeClient) => verifySameNode(line, seen);
      const refused = {
        code: 'cannot_connect',
        message: expect.stringContaining('nother user'),
      };
      await expect(client.call('getnetworkinfo')).rejects.toMatchObject(refused);
      const asked = { name: 'w', loaded: false, withPassphrase: true };
      const calls = migrationCalls(releaseOf(280_100), asked);
      await expect(sendPlanned(client, calls, { passphrase: 'open', verifyNode })).rejects.toMatchObject(
        refused,
      );
      expect(stranger.got).toEqual([]);
    });
  },
);

describe.skipIf(process.platform !== 'linux')('who listens, where Linux does not tell it', () => {
  // SECURITY.md: A false node on this machine
  it('is not taken for untold when it only cannot be read just now: nothing is sent', async () => {
    const node = await startRpcServer(answering(plainStatus));
    const credentials = { by: 'password', user: 'ann', password: 'secret' } as const;
    const client = connect({ address: node.address, credentials });
    refusing.code = 'EMFILE';
    await expect(client.call('listwallets')).rejects.toMatchObject({
      code: 'cannot_connect',
      message: expect.stringContaining('Too many files and connections are open'),
    });
    expect(node.calls).toEqual([]);
    refusing.code = '';
    await client.call('listwallets');
    await node.close();
  });

  // SECURITY.md: A false node on this machine
  it('is refused where it was told before', async () => {
    const node = await startRpcServer(answering(plainStatus));
    const credentials = { by: 'password', user: 'ann', password: 'secret' } as const;
    const client = connect({ address: node.address, credentials });
    await client.call('listwallets');
    node.dropConnections();
    refusing.code = 'ENOENT';
    await expect(client.call('loadwallet', ['w'])).rejects.toMatchObject({
      code: 'cannot_connect',
      message: expect.stringContaining('no longer shows who listens'),
      hint: expect.stringContaining('Nothing was sent'),
    });
    expect(node.calls).toHaveLength(1);
    expect(await connect({ address: node.address, credentials }).call('listwallets')).toEqual([]);
    await node.close();
  });
});

describe.skipIf(process.platform !== 'linux')('in a user namespace without all users', () => {
  beforeEach(async () => {
    for (const [path, text] of [
      ['/proc/self/uid_map', '      1000       1000          1\n'],
      ['/proc/sys/kernel/overflowuid', `${process.getuid?.()}\n`],
    ] as const) {
      instead.set(path, join(folder, basename(path)));
      await writeFile(join(folder, basename(path)), text);
    }
  });

  // SECURITY.md: A false node on this machine
  it('takes no user for the owner of a cookie whose number may be that of many', async () => {
    const node = await startRpcServer(answering(plainStatus));
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:abc');
    const client = connect({ address: node.address, credentials: { by: 'cookie', cookieFile: file } });
    await expect(client.call('listwallets')).rejects.toMatchObject({ code: 'credentials_missing' });
    expect(node.calls).toEqual([]);
    await node.close();
  });

  // SECURITY.md: A false node on this machine
  it('takes a port that is listened on anew for another user’s', async () => {
    const node = await startRpcServer(answering(plainStatus));
    const credentials = { by: 'password', user: 'ann', password: 'secret' } as const;
    const client = connect({ address: node.address, credentials });
    await client.call('listwallets');
    await client.call('uptime');
    await node.close();
    const other = await startRpcServer(answering(plainStatus), node.address.port);
    await expect(client.call('loadwallet', ['w'])).rejects.toMatchObject({
      code: 'cannot_connect',
      message: expect.stringContaining('nother user'),
    });
    expect(other.calls).toEqual([]);
    await other.close();
  });
});

describe('a cookie', () => {
  const me = process.getuid?.() ?? 0;
  const admit = async (here: boolean, user: number | null) => {
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:abc');
    const login = createLogin({ by: 'cookie', cookieFile: file });
    const authorization = await login();
    return () => authorization.admit({ here, listener: user === null ? null : { user, socket: '1' } });
  };

  it('goes to its owner, to this user’s own tunnel and to the system, and where the system does not tell', async () => {
    for (const user of [me, 0, null]) expect(await admit(true, user)).not.toThrow();
  });

  // SECURITY.md: A hostile server on the RPC port
  it('goes to no other user, and to no other machine', async () => {
    expect(await admit(true, me + 1)).toThrow('nother user');
    expect(await admit(true, UNTOLD_USER)).toThrow('nother user');
    expect(await admit(false, null)).toThrow('works only for a node on this computer');
  });
});
