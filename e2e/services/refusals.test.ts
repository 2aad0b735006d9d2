/** Jobs that the app refuses after reading the files, without sending the node a call that changes anything. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plan } from '../../shared/model/plan.ts';
import { filesBelow } from '../app/filesBelow.ts';
import { fixtureFile } from '../testNode/testNode.ts';
import { type Bench, byCookie, migrating, type Start, start, startBench } from './services.ts';

/** Connects to a node of 31.0 that has these wallets beside the usual ones. */
async function connected(wallets: Record<string, Uint8Array> = {}): Promise<Bench> {
  const bench = await startBench('31.0');
  onTestFinished(bench.close);
  for (const [name, bytes] of Object.entries(wallets)) {
    mkdirSync(join(bench.node.walletsFolder, name));
    writeFileSync(join(bench.node.walletsFolder, name, 'wallet.dat'), bytes);
  }
  await bench.connect();
  return bench;
}

/** A legacy wallet with a log position on one page, as a program leaves it that did not close the file. */
function uncleanFile(): Uint8Array {
  const bytes = Buffer.from(readFileSync(fixtureFile('legacy-hd')));
  const pageSize = bytes.readUInt32LE(20);
  bytes.writeUInt32LE(1, 3 * pageSize);
  bytes.writeUInt32LE(28, 3 * pageSize + 4);
  return bytes;
}

/** Expects that the app refuses the job for these reasons, and leaves no trace. */
async function expectRefusal(
  { node, call, folder }: Bench,
  job: Start,
  ...stops: readonly object[]
): Promise<void> {
  const before = filesBelow(node.walletsFolder);
  await expect(start(call, job)).rejects.toMatchObject({ stops });
  const changing = ['migratewallet', 'restorewallet', 'loadwallet', 'unloadwallet', 'backupwallet'];
  expect(Object.fromEntries(changing.map((method) => [method, node.countCalls(method)]))).toEqual(
    Object.fromEntries(changing.map((method) => [method, 0])),
  );
  expect(filesBelow(node.walletsFolder)).toEqual(before);
  expect(filesBelow(join(folder, 'data', 'safety copies'))).toEqual([]);
  expect(await call('copies.list')).toEqual({ copies: [] });
  expect(await call('jobs.list')).toEqual({ jobs: [], unreadable: [], newer: [] });
}

it('refuses a backup to a hidden folder', async () => {
  const { call, folder } = await connected();
  mkdirSync(join(folder, '.ssh'));
  const destinationQuestion = async (destination: string) => {
    const source = { by: 'wallet', name: 'legacy-hd' };
    const { asks } = plan.parse(
      await call('plan.make', { action: 'backup', source, answers: { destination } }),
    );
    return asks.find(({ ask }) => ask === 'destination');
  };
  expect(await destinationQuestion(join(folder, '.ssh', 'w.bak'))).toMatchObject({
    check: { verdict: 'blocker', title: 'The app saves nothing there.' },
  });
  expect(await destinationQuestion(join(folder, 'w.sh'))).toMatchObject({
    check: {
      verdict: 'blocker',
      todo: ['End the name with .bak or .dat, and begin without a dot.'],
    },
  });
  expect(await destinationQuestion(join(folder, 'w.bak'))).toMatchObject({ check: { verdict: 'fine' } });
});

it('refuses to migrate a wallet whose file was not closed', async () => {
  await expectRefusal(await connected({ unclean: uncleanFile() }), migrating('unclean'), {
    id: 'not-closed',
    title: expect.stringMatching(/not closed cleanly/i),
  });
});

it('refuses to load, unload or migrate a wallet that is being migrated, under any name of this machine', async () => {
  const { node, call, connect, until, close } = await startBench('28.1', {
    rescan: { shares: [0.5], ms: 50, hold: true },
  });
  onTestFinished(close);
  await connect();
  const { id } = await start(call, migrating('legacy-hd'));
  await until(id, ({ progress }) => progress !== null);
  const counts = () => ['loadwallet', 'unloadwallet', 'migratewallet'].map(node.countCalls);
  const before = counts();
  for (const host of ['127.0.0.1', 'localhost']) {
    await call('nodes.connect', byCookie(node, host));
    const running = { code: 'job_running' };
    for (const name of ['wallets.load', 'wallets.unload']) {
      await expect(call(name, { name: 'legacy-hd' }), `${name} by ${host}`).rejects.toMatchObject(running);
    }
    await expect(start(call, migrating('legacy-hd')), `by ${host}`).rejects.toMatchObject(running);
  }
  expect(counts()).toEqual(before);
  node.resume();
  await until(id, ({ state }) => state !== 'running');
  await call('wallets.unload', { name: 'legacy-hd' });
  expect(node.countCalls('unloadwallet')).toBe(1);
});
