/** Whom a passphrase goes to: the node that the user saw, over one connection, and no other. */
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type RpcServer, startRpcServer } from '../../../e2e/testNode/rpcServer.ts';
import { answering, type Methods, plainStatus } from '../../../e2e/testNode/scriptedNode.ts';
import { identityOf, type NodeIdentity } from '../../../shared/model/node.ts';
import { createNodeClient } from '../rpc/client.ts';
import { releaseOf } from '../rpc/release.ts';
import type { NodeClient } from '../rpc/session.ts';
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
let seen: NodeIdentity;

beforeEach(async () => {
  node = await startRpcServer(answering(answers));
  client = createNodeClient({ address: node.address, credentials: { by: 'none' }, retryPausesMs: [] });
  seen = identityOf(await readNodeStatus(client, { local: true, label: 'n' }));
});
afterEach(async () => {
  await client.close();
  await node.close();
});

const migrate = (release: number) =>
  sendPlanned(client, migrationCalls(releaseOf(release), { name: 'w', loaded: true, withPassphrase: true }), {
    passphrase: 'open sesame',
    verifyNode: (line) => verifySameNode(line, seen),
  });
const gotPassphrase = () => JSON.stringify(node.calls).includes('open sesame');

describe.each([280_100, 240_001])('a passphrase, on release %i', (release) => {
  it('goes to the node that was seen', async () => {
    expect(await migrate(release)).toMatchObject({ wallet_name: 'w' });
    expect(gotPassphrase()).toBe(true);
  });

  // SECURITY.md: A false node on this machine
  it.each<[string, Methods]>([
    [
      'another network',
      {
        getblockchaininfo: (asked) => ({ ...Object(plainStatus.getblockchaininfo?.(asked)), chain: 'main' }),
      },
    ],
    [
      'another data folder',
      { getrpcinfo: () => ({ active_commands: [], logpath: '/other/regtest/debug.log' }) },
    ],
    ['another release', { getnetworkinfo: () => ({ version: 290_300, subversion: '/x/', warnings: [] }) }],
    ['another start', { uptime: () => 7 }],
  ])('does not go to one with %s', async (_, change) => {
    node.answerWith(answering({ ...answers, ...change }));
    await expect(migrate(release)).rejects.toMatchObject({
      code: 'not_connected',
      hint: expect.stringContaining('No passphrase was sent'),
    });
    expect(gotPassphrase()).toBe(false);
    expect(node.calls.map(({ method }) => method)).not.toContain('migratewallet');
  });

  // SECURITY.md: A false node on this machine
  it('does not go to one with another data folder at the path of the one that was seen', async () => {
    const above = await mkdtemp(join(tmpdir(), 'identity-'));
    onTestFinished(() => rm(above, { recursive: true }));
    const data = join(above, 'data');
    await mkdir(join(data, 'wallets'), { recursive: true });
    node.answerWith(
      answering({
        ...answers,
        getrpcinfo: () => ({ active_commands: [], logpath: join(data, 'debug.log') }),
        listwalletdir: () => ({ wallets: [] }),
      }),
    );
    const walletsFolder = join(data, 'wallets');
    seen = identityOf(await readNodeStatus(client, { local: true, label: 'n', walletsFolder }));
    expect(await migrate(release)).toMatchObject({ wallet_name: 'w' });
    const asked = node.calls.length;
    await rename(data, join(above, 'moved away'));
    await mkdir(walletsFolder, { recursive: true });
    await expect(migrate(release)).rejects.toMatchObject({
      code: 'not_connected',
      message: expect.stringContaining('another data folder'),
    });
    expect(JSON.stringify(node.calls.slice(asked))).not.toContain('open sesame');
  });

  // SECURITY.md: A false node on this machine
  it.skipIf(process.platform !== 'linux')(
    'does not go to one that listens anew, though it answer the same',
    async () => {
      await node.close();
      node = await startRpcServer(answering(answers), node.address.port);
      // The connections that were kept are gone, which is another refusal.
      await client.call('uptime').catch(() => undefined);
      await expect(migrate(release)).rejects.toMatchObject({ code: 'not_connected' });
      expect(gotPassphrase()).toBe(false);
    },
  );
});

// SECURITY.md: A false node on this machine
it('a passphrase does not go over a second connection after the first was looked at', async () => {
  const got: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    got.push(body);
    const { method, id } = JSON.parse(body);
    // What came of the questions may be the node's; what comes after them would be another's.
    response.writeHead(200, { connection: 'close' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: answers[method]?.({} as never) }));
  });
  const { port } = node.address;
  await node.close();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await expect(
    client.overOneConnection(async (line) => {
      await line.call('uptime');
      await line.call('migratewallet', { wallet_name: 'w', passphrase: 'open sesame' });
    }),
  ).rejects.toMatchObject({ code: 'cannot_connect', hint: expect.stringContaining('No passphrase') });
  expect(got).toHaveLength(1);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  node = await startRpcServer(() => undefined);
});
