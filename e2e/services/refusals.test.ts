/** Requests that the app refuses. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { plan } from '../../shared/model/plan.ts';
import { byCookie, migrating, start, startBench } from './services.ts';

it('refuses a backup to a hidden folder', async () => {
  const { call, connect, folder, close } = await startBench('31.0');
  onTestFinished(close);
  await connect();
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
