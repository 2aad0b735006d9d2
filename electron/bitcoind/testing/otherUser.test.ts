/** Another user of this machine has taken the port of the node. */
import { chown, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { answering, plainStatus } from '../../../e2e/testNode/scriptedNode.ts';
import { identityOf, UNIDENTIFIED_USER } from '../../../shared/model/node.ts';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { sendPlanned } from '../calls/call.ts';
import { readNodeStatus, verifySameNode } from '../calls/status.ts';
import { migrationCalls } from '../calls/walletCalls.ts';
import { createDiscovery } from '../discovery/discovery.ts';
import { createLogin } from '../rpc/credentials.ts';
import type { NodeClient } from '../rpc/session.ts';
import { releaseOf } from '../rpc/session.ts';
import { ANOTHER_USER, canBeAnotherUser, type OtherUserServer, startOtherUserServer } from './otherUser.ts';
import { startTestClient, testClient } from './testClient.ts';

/** The error of the system when it does not show its sockets. */
const refusing = vi.hoisted(() => ({ code: '' }));

/** Files to read instead of others, by the paths of those. */
const instead = vi.hoisted(() => new Map<string, string>());

vi.mock('node:fs', async (original) => {
  const real = await original<typeof import('node:fs')>();
  return {
    ...real,
    openSync: (...[path, ...how]: Parameters<typeof real.openSync>) => {
      if (refusing.code !== '' && String(path).startsWith('/proc/net/'))
        throw Object.assign(new Error('from the system'), { code: refusing.code });
      return real.openSync(instead.get(String(path)) ?? path, ...how);
    },
  };
});

let folder: string;
let stranger: OtherUserServer | null = null;
const at = (port: number) => ({ address: { host: '127.0.0.1', port, tls: false } });
const missing = (words: string, hint = '') => ({
  code: 'credentials_missing',
  message: expect.stringContaining(words),
  hint: expect.stringContaining(hint),
});

/** A stranger at the port of regtest, and what finds the nodes of the folder. */
async function discoverStranger() {
  stranger = await startOtherUserServer();
  const rpcPorts = { main: 1, testnet3: 1, testnet4: 1, signet: 1, regtest: stranger.port };
  return createDiscovery({ dataFolders: [folder], rpcPorts, timeoutMs: 5000 });
}

beforeEach(() => {
  folder = makeTestFolder();
});
afterEach(async () => {
  await stranger?.close();
  stranger = null;
  refusing.code = '';
  instead.clear();
});

describe.skipIf(!canBeAnotherUser)('a port that another user holds (on Linux; needs root to test)', () => {
  async function putCookie(): Promise<string> {
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:abc');
    return file;
  }

  // SECURITY.md: Another user who listens on the node's port
  it('gets no cookie', async () => {
    stranger = await startOtherUserServer();
    const credentials = { by: 'cookie', cookieFile: await putCookie() } as const;
    const client = testClient(at(stranger.port), { credentials });
    const refused = missing('nother user', 'Nothing was sent.');
    await expect(client.call('getnetworkinfo')).rejects.toMatchObject(refused);
    expect(stranger.received).toEqual([]);
  });

  // SECURITY.md: Another user who listens on the node's port
  it('gets no cookie of others in place of its own while a connection is open', async () => {
    stranger = await startOtherUserServer();
    const file = join(folder, 'its.cookie');
    const lend = async () => {
      await writeFile(file, '__cookie__:lent');
      await chown(file, ANOTHER_USER, ANOTHER_USER);
    };
    const client = testClient(at(stranger.port), { credentials: { by: 'cookie', cookieFile: file } });
    const lent = `Basic ${Buffer.from('__cookie__:lent').toString('base64')}`;

    await lend();
    await client.call('listwallets');
    await rm(file);
    await symlink(await putCookie(), file);
    for (const method of ['listwallets', 'loadwallet'])
      await expect(client.call(method)).rejects.toMatchObject(missing('is a link', 'Nothing was sent'));
    await rename(await putCookie(), file);
    for (const method of ['listwallets', 'loadwallet'])
      await expect(client.call(method)).rejects.toMatchObject(missing('nother user'));

    await lend();
    await client.overOneConnection(async (connection) => {
      await connection.call('listwallets');
      await rename(await putCookie(), file);
      await expect(connection.call('listwallets')).rejects.toMatchObject({ code: 'cannot_connect' });
    });
    expect(stranger.received).toHaveLength(2);
    for (const received of stranger.received) expect(received.startsWith(lent)).toBe(true);
  });

  // SECURITY.md: Another user who listens on the node's port
  it('gets neither a cookie nor a password of bitcoin.conf when the app searches and connects', async () => {
    const discovery = await discoverStranger();
    await mkdir(join(folder, 'regtest'));
    await writeFile(join(folder, 'regtest', '.cookie'), '__cookie__:abc');
    const failed = { state: 'failed', error: { code: 'credentials_missing' } };
    expect(await discovery.discover()).toMatchObject([{ credentials: 'cookie', state: failed }]);
    await writeFile(join(folder, 'bitcoin.conf'), 'regtest=1\n[regtest]\nrpcuser=ann\nrpcpassword=secret\n');
    const found = await discovery.discover();
    expect(found).toMatchObject([{ credentials: 'config', state: { state: 'asks-login' } }]);
    const { address, credentials } = await discovery.loginOf(found[0]?.id ?? '');
    const call = testClient({ address }, { credentials }).call('getnetworkinfo');
    await expect(call).rejects.toMatchObject(missing('bitcoin.conf'));
    expect(stranger?.received).toEqual([]);
  });

  // SECURITY.md: Another user who listens on the node's port
  it('gets no password of bitcoin.conf as the owner of the folders that the file names', async () => {
    const discovery = await discoverStranger();
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
    const call = testClient({ address }, { credentials }).call('getnetworkinfo');
    await expect(call).rejects.toMatchObject(missing('bitcoin.conf'));
    expect(stranger?.received).toEqual([]);
  });

  // SECURITY.md: Another user who listens on the node's port
  it('gets neither the login of the earlier node nor a passphrase', async () => {
    const { node, client } = await startTestClient(answering(plainStatus));
    const before = identityOf(await readNodeStatus(client, { local: true, label: 'n' }));
    await node.close();
    stranger = await startOtherUserServer(node.address.port);
    const verifyNode = (connection: NodeClient) => verifySameNode(connection, before);
    const refused = { code: 'cannot_connect', message: expect.stringContaining('nother user') };
    await expect(client.call('getnetworkinfo')).rejects.toMatchObject(refused);
    const migration = { name: 'w', loaded: false, withPassphrase: true, loads: true };
    const calls = migrationCalls(releaseOf(280_100), migration);
    const migrating = sendPlanned(client, calls, { passphrase: 'open', verifyNode });
    await expect(migrating).rejects.toMatchObject(refused);
    expect(stranger.received).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a listener that Linux does not show', () => {
  // SECURITY.md: Another user who listens on the node's port
  it('gets nothing if the app cannot read the sockets for now', async () => {
    const { node, client } = await startTestClient(answering(plainStatus));
    refusing.code = 'EMFILE';
    const refused = { code: 'cannot_connect', message: expect.stringContaining('Too many open files') };
    await expect(client.call('listwallets')).rejects.toMatchObject(refused);
    expect(node.calls).toEqual([]);
    refusing.code = '';
    await client.call('listwallets');
  });

  // SECURITY.md: Another user who listens on the node's port
  it('is refused if Linux showed it before', async () => {
    const { node, client } = await startTestClient(answering(plainStatus));
    await client.call('listwallets');
    node.dropConnections();
    refusing.code = 'ENOENT';
    await expect(client.call('loadwallet', ['w'])).rejects.toMatchObject({
      code: 'cannot_connect',
      message: expect.stringContaining('nclear who listens'),
      hint: expect.stringContaining('Nothing was sent'),
    });
    expect(node.calls).toHaveLength(1);
    expect(await testClient(node).call('listwallets')).toEqual([]);
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

  // SECURITY.md: Another user who listens on the node's port
  it('trusts no owner of a cookie whose user id may stand for many', async () => {
    const { node } = await startTestClient(answering(plainStatus));
    const file = join(folder, '.cookie');
    await writeFile(file, '__cookie__:abc');
    const client = testClient(node, { credentials: { by: 'cookie', cookieFile: file } });
    await expect(client.call('listwallets')).rejects.toMatchObject({ code: 'credentials_missing' });
    expect(node.calls).toEqual([]);
  });

  // SECURITY.md: Another user who listens on the node's port
  it('treats a new listener at the port as another user', async () => {
    const { node, client } = await startTestClient(answering(plainStatus));
    await client.call('listwallets');
    await client.call('uptime');
    await node.close();
    await node.listen();
    const before = node.calls.length;
    await expect(client.call('loadwallet', ['w'])).rejects.toMatchObject({
      code: 'cannot_connect',
      message: expect.stringContaining('nother user'),
    });
    expect(node.calls).toHaveLength(before);
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

  it('goes to its owner, to this user, to root, and to an unknown listener', async () => {
    for (const user of [me, 0, null]) expect(await admit(true, user)).not.toThrow();
  });

  // SECURITY.md: A hostile RPC server
  it('goes to no other user, and to no other machine', async () => {
    expect(await admit(true, me + 1)).toThrow('nother user');
    expect(await admit(true, UNIDENTIFIED_USER)).toThrow('nother user');
    expect(await admit(false, null)).toThrow('works only on this computer');
  });
});
