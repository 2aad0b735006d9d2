/**
 * A migration in the offline engine, compared with a node's, and its undo. `electron/engine/replay.test.ts` compares the engine's
 * answers with the recordings, and `terminal.test.ts` and `e2e/specs/offline.spec.ts` run the other jobs in it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { engineForTest } from '../../electron/engine/testing/testEngine.ts';
import { makeTestFolder } from '../../electron/files/testing/testFolder.ts';
import { requests } from '../../shared/contract.ts';
import { checksOf, findBlocker, plan } from '../../shared/model/plan.ts';
import { migrationFacts, sortedDescriptors } from '../app/walletFacts.ts';
import { fixtureFile } from '../testNode/testNode.ts';
import { byCookie, migrating, openServices, type Start, start } from './services.ts';

// The engine derives thousands of scripts.
it('migrates a wallet to the same two as a node, undoes that, and keeps both', {
  timeout: 300_000,
}, async () => {
  const name = 'legacy-watchonly';
  const {
    engine,
    call: callEngine,
    walletsFolder,
  } = await engineForTest({ release: 28, copies: { [name]: name } });
  const { services, call, until } = openServices(makeTestFolder());
  onTestFinished(() => services.close());
  await call(
    'nodes.connect',
    byCookie({ port: Number(new URL(engine.url).port), cookieFile: engine.cookie }),
  );
  const planOf = async ({ action, source, answers = {} }: Start) =>
    plan.parse(await call('plan.make', { action, source, answers }));
  const run = async (job: Start) => until((await start(call, job)).id, ({ state }) => state !== 'running');
  const bytesOf = (wallet: string) => readFileSync(join(walletsFolder, wallet, 'wallet.dat'));
  const kinds = async () => {
    const { wallets } = requests['wallets.list'].output.parse(await call('wallets.list'));
    return Object.fromEntries(wallets.map((wallet) => [wallet.name, wallet.kind]));
  };
  const legacy = readFileSync(fixtureFile(name));

  const done = await run(migrating(name));
  // Not the verdict: a busy machine may report a balance too late, which makes it `partly`.
  expect(done).toMatchObject({ state: 'done', proof: { differences: [] } });
  const backup = (done.result?.kind === 'migrate' && done.result.backupPath) || '';
  expect(readFileSync(backup)).toEqual(legacy);
  const facts = migrationFacts(name, 28);
  for (const { name: wallet, descriptors, balance } of facts) {
    const ask = async (method: string) => (await callEngine(method, [], `/wallet/${wallet}`)).result;
    expect(await ask('getbalances')).toMatchObject({ mine: { trusted: balance } });
    expect(sortedDescriptors(await ask('listdescriptors'))).toEqual(descriptors);
  }
  expect(await kinds()).toEqual(Object.fromEntries(facts.map((fact) => [fact.name, 'descriptor'])));
  const companion = bytesOf(`${name}_watchonly`);

  const undoing = { action: 'undo', source: { by: 'file', path: backup } } as const;
  const before = await planOf({ ...undoing, answers: { name } });
  expect(checksOf(before).map(({ verdict }) => verdict)).not.toContain('warning');
  expect(findBlocker(before, false)).toBeNull();
  const moved = backup.replace(join(walletsFolder, name), join(walletsFolder, `${name} (migrated)`));
  expect(before.calls.map(({ method, params }) => [method, params])).toEqual([
    ['renamewallet', { wallet_name: name, new_name: `${name} (migrated)` }],
    ['renamewallet', { wallet_name: `${name}_watchonly`, new_name: `${name} (migrated)_watchonly` }],
    ['restorewallet', { wallet_name: name, backup_file: moved }],
    ['renamewallet', { wallet_name: `${name} (migrated)_watchonly`, new_name: `${name}_watchonly` }],
    ['renamewallet', { wallet_name: `${name} (migrated)`, new_name: name }],
  ]);
  // The default name is the one in the backup's name.
  expect((await planOf(undoing)).calls).toEqual(before.calls);
  const renamedWallets = [{ newName: `${name} (migrated)` }, { newName: `${name} (migrated)_watchonly` }];
  expect(await run({ ...undoing, answers: { name } })).toMatchObject({
    state: 'done',
    result: { walletName: name, walletKind: 'legacy', backupFile: moved, renamedWallets },
  });
  expect([bytesOf(name), readFileSync(moved)]).toEqual([legacy, legacy]);
  expect(bytesOf(`${name} (migrated)_watchonly`)).toEqual(companion);
  expect(await kinds()).toMatchObject({ [name]: 'legacy', [`${name} (migrated)`]: 'descriptor' });

  // Now a legacy wallet has the name, and the app renames descriptor wallets only.
  const taken = await planOf({ action: 'undo', source: { by: 'file', path: moved }, answers: { name } });
  expect(taken.calls).toHaveLength(1);
  expect(findBlocker(taken, false)).toMatchObject({ check: { verdict: 'blocker' } });
});
