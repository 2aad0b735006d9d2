/**
 * Releases 30.0 and 30.1 delete every wallet if the migration of an unnamed wallet fails, for example on a pruned node. The
 * app must avoid this. `BITCOIND` names a node of one of them.
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { type Answers, type Plan, plan as planShape } from '../../shared/model/plan.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import { byCookie, openServices, start } from '../services/services.ts';
import { fixtureFile } from '../testNode/walletFixture.ts';
import { type RealNode, startRealNode } from './realNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('the app migrates a named copy of the unnamed wallet, and leaves every file alone', async () => {
  test.setTimeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
  const options = ['-prune=1', '-fastprune'];
  const node = await startRealNode(join(folder, '.bitcoin'), {}, { options, chain: 'none' });
  const { services, call, until } = openServices(join(folder, 'data'));
  const bare = join(node.walletsFolder, 'wallet.dat');

  const connect = () => call('nodes.connect', byCookie(node));
  const unnamed = { by: 'wallet', name: '' } as const;
  const planWith = async (answers: Answers): Promise<Plan> =>
    planShape.parse(await call('plan.make', { action: 'migrate', source: unnamed, answers }));
  const migrateAs = (name: string) => start(call, { action: 'migrate', source: unnamed, answers: { name } });

  try {
    test.skip(![300_000, 300_100].includes(node.version), 'BITCOIND is neither of release 30.0 nor of 30.1');
    await node.call('createwallet', ['neighbour']);
    const address = await node.call('getnewaddress', [], 'neighbour');
    for (let blocks = 0; blocks < 800; blocks += 100) await node.call('generatetoaddress', [100, address]);
    await node.call('unloadwallet', ['neighbour']);
    copyFileSync(fixtureFile('legacy-hd'), bare);
    const before = hashesBelow(node.walletsFolder);
    expect(Object.keys(before)).toContain(join('neighbour', 'wallet.dat'));

    await connect();
    expect(await planWith({})).toMatchObject({
      kind: 'restore-migrate',
      wallet: 'wallet',
      facts: { path: bare },
      calls: [{ method: 'migratewallet', params: { wallet_name: 'wallet' } }],
    });
    const { id } = await migrateAs('under a name');
    expect(await until(id, ({ state }) => state !== 'running')).toMatchObject({
      state: 'done',
      result: { walletName: 'under a name' },
    });
    expectUnchanged(node, before);

    await node.call('pruneblockchain', [600]);
    await services.call('nodes.disconnect', {});
    await connect();
    expect((await planWith({})).checks).toContainEqual(
      expect.objectContaining({ id: 'pruned', verdict: 'blocker' }),
    );
    await expect(migrateAs('under another name')).rejects.toThrow('pruned');
    expectUnchanged(node, before);

    // Even if the node fails, the migration of a named copy deletes nothing else.
    node.putWallet('by hand', bare);
    await expect(node.call('migratewallet', ['by hand'])).rejects.toThrow();
    expectUnchanged(node, before);
    await node.call('loadwallet', ['neighbour']);
  } finally {
    await services.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

function expectUnchanged({ walletsFolder }: RealNode, before: Readonly<Record<string, string>>): void {
  const after = hashesBelow(walletsFolder);
  for (const [path, hash] of Object.entries(before)) expect(after[path], path).toBe(hash);
}
