/** Sends a passphrase only to the node that the user saw, over one connection. */
import { mkdir, rename } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, plainStatus } from '../../../e2e/testNode/scriptedNode.ts';
import { identityOf, type NodeIdentity } from '../../../shared/model/node.ts';
import { makeTestFolder, waitForNextFileTime } from '../../files/testing/testFolder.ts';
import { listen } from '../../http/loopback.ts';
import type { NodeClient } from '../rpc/session.ts';
import { releaseOf } from '../rpc/session.ts';
import { startTestClient } from '../testing/testClient.ts';
import { sendPlanned } from './call.ts';
import { readNodeStatus, verifySameNode } from './status.ts';
import { migrationCalls } from './walletCalls.ts';

const answers: Methods = {
  ...plainStatus,
  getrpcinfo: () => ({ active_commands: [], logpath: '/n/regtest/debug.log' }),
  listwallets: () => ['w'],
  walletpassphrase: () => null,
  migratewallet: () => ({ wallet_name: 'w', backup_path: '/n/w.legacy.bak' }),
};
let node: RpcServer;
let client: NodeClient;
let identity: NodeIdentity;

beforeEach(async () => {
  ({ node, client } = await startTestClient(answering(answers)));
  identity = identityOf(await readNodeStatus(client, { local: true, label: 'n' }));
});

const migrate = (release: number) =>
  sendPlanned(
    client,
    migrationCalls(releaseOf(release), { name: 'w', loaded: true, withPassphrase: true, loads: true }),
    {
      passphrase: 'open sesame',
      verifyNode: (connection) => verifySameNode(connection, identity),
    },
  );
const gotPassphrase = () => JSON.stringify(node.calls).includes('open sesame');

describe.each([280_100, 240_001])('a passphrase, on release %i', (release) => {
  it('goes to the node that the user saw', async () => {
    expect(await migrate(release)).toMatchObject({ wallet_name: 'w' });
    expect(gotPassphrase()).toBe(true);
  });

  // SECURITY.md: Another user who listens on the node's port
  it.each([
    ['another network', 'getblockchaininfo', { chain: 'main' }],
    ['another data folder', 'getrpcinfo', { logpath: '/other/regtest/debug.log' }],
    ['another release', 'getnetworkinfo', { version: 290_300 }],
    ['another start time', 'uptime', 7],
  ])('does not go to a node with %s', async (_, method, change) => {
    const changed: Methods[string] = (call) =>
      typeof change === 'number' ? change : { ...Object(answers[method]?.(call)), ...change };
    node.answerWith(answering({ ...answers, [method]: changed }));
    const hint = expect.stringContaining('No passphrase was sent');
    await expect(migrate(release)).rejects.toMatchObject({ code: 'not_connected', hint });
    expect(gotPassphrase()).toBe(false);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });

  // SECURITY.md: Another user who listens on the node's port
  it('does not go to a node with another data folder at the same path', async () => {
    const above = makeTestFolder();
    const data = join(above, 'data');
    await mkdir(join(data, 'wallets'), { recursive: true });
    const getrpcinfo = () => ({ active_commands: [], logpath: join(data, 'debug.log') });
    node.answerWith(answering({ ...answers, getrpcinfo, listwalletdir: () => ({ wallets: [] }) }));
    const walletsFolder = join(data, 'wallets');
    identity = identityOf(await readNodeStatus(client, { local: true, label: 'n', walletsFolder }));
    expect(await migrate(release)).toMatchObject({ wallet_name: 'w' });
    const before = node.calls.length;
    await rename(data, join(above, 'moved away'));
    await waitForNextFileTime();
    await mkdir(walletsFolder, { recursive: true });
    const message = expect.stringContaining('another data folder');
    await expect(migrate(release)).rejects.toMatchObject({ code: 'not_connected', message });
    expect(JSON.stringify(node.calls.slice(before))).not.toContain('open sesame');
  });

  // SECURITY.md: Another user who listens on the node's port
  it.skipIf(process.platform !== 'linux')(
    'does not go to another listener, even if it answers the same',
    async () => {
      await node.close();
      await node.listen();
      // The pooled connections are closed, which would be another refusal.
      await client.call('uptime').catch(() => undefined);
      await expect(migrate(release)).rejects.toMatchObject({ code: 'not_connected' });
      expect(gotPassphrase()).toBe(false);
    },
  );
});

// SECURITY.md: Another user who listens on the node's port
it('a passphrase goes over the connection that was checked, and no second one', async () => {
  const methods: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    methods.push(body);
    const { method, id } = JSON.parse(body);
    // The first answers may be the node's, and later ones another program's.
    response.writeHead(200, { connection: 'close' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.({} as never) }));
  });
  const { port } = node.address;
  await node.close();
  await listen(server, port);
  await expect(
    client.overOneConnection(async (connection) => {
      await connection.call('uptime');
      await connection.call('migratewallet', { wallet_name: 'w', passphrase: 'open sesame' });
    }),
  ).rejects.toMatchObject({ code: 'cannot_connect', hint: expect.stringContaining('No passphrase') });
  expect(methods).toHaveLength(1);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
