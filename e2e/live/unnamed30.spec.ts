/**
 * Releases 30.0 and 30.1, pruned past an unnamed legacy wallet with another wallet beside it: their own migration of it
 * deletes every wallet. `BITCOIND` names one of them.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { operation } from '../../shared/model.ts';
import { migrationChecks } from '../../shared/safety.ts';
import { openServices } from '../services/services.ts';
import { fixtureFile } from '../testNode/walletFixture.ts';
import { startRealNode } from './realNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

test('the app refuses, and its safe way leaves every file where it is', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
  const node = await startRealNode(
    join(folder, '.bitcoin'),
    {},
    { options: ['-prune=1', '-fastprune'], chain: 'none' },
  );
  const { services, call, until } = openServices(join(folder, 'data'));
  try {
    test.skip(![300_000, 300_100].includes(node.version), 'BITCOIND is neither of release 30.0 nor of 30.1');
    await node.call('createwallet', ['neighbour']);
    const address = await node.call('getnewaddress', [], 'neighbour');
    for (let blocks = 0; blocks < 800; blocks += 100) await node.call('generatetoaddress', [100, address]);
    await node.call('unloadwallet', ['neighbour']);
    await node.call('pruneblockchain', [600]);
    const bare = join(node.walletsFolder, 'wallet.dat');
    copyFileSync(fixtureFile('legacy-hd'), bare);
    const before = filesBelow(node.walletsFolder);
    expect([...before.keys()]).toContain(join(node.walletsFolder, 'neighbour', 'wallet.dat'));

    await call('nodes.connect', {
      by: 'hand',
      address: { host: '127.0.0.1', port: node.port, tls: false },
      login: { by: 'cookie', cookieFile: node.cookieFile },
    });
    const { checks, way, file } = migrationChecks.parse(await call('migrate.check', { name: '' }));
    console.log(JSON.stringify(checks.filter((c) => c.verdict !== 'fine'), null, 1));
    expect({ way, file }).toEqual({ way: 'copy-first', file: bare });
    expect(checks).toContainEqual(expect.objectContaining({ id: 'unnamed-wallet', verdict: 'stop' }));
    await expect(call('migrate.start', { name: '' })).rejects.toMatchObject({
      hint: expect.stringContaining('Nothing was sent to the node'),
    });
    expect(filesBelow(node.walletsFolder)).toEqual(before);

    const safe = await call('restoreMigrate.start', { name: 'under a name', backupFile: bare }).then(
      async (begun) => until(operation.parse(begun).id, ({ state }) => state !== 'running'),
      (thrown: unknown) => thrown,
    );
    test.info().annotations.push({ type: 'outcome', description: JSON.stringify(safe, bigintAsText) });
    const after = filesBelow(node.walletsFolder);
    for (const [path, hash] of before) expect(after.get(path), path).toBe(hash);
    const known = operation.safeParse(safe);
    if (known.success && known.data.state === 'done') {
      expect([...after.keys()]).toContain(join(node.walletsFolder, 'under a name', 'wallet.dat'));
    } else {
      expect(JSON.stringify(safe, bigintAsText)).toMatch(/"hint":".{20}|hint/);
    }
    await node.call('loadwallet', ['neighbour']);
  } finally {
    await services.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});

const bigintAsText = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** SHA-256 of every file below a folder, by its path. */
function filesBelow(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
  return new Map(paths.map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}
