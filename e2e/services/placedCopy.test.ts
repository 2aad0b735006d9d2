/** A copy that an earlier session placed for a migration of which nothing came, once the node is met again. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { placeWallet } from '../../electron/jobs/placing/placedWallet.ts';
import type { PlacedWallet } from '../../electron/jobs/plan/checkpoint.ts';
import { createJournal } from '../../electron/jobs/run/journal.ts';
import { sampleJob } from '../../shared/testing/sampleJob.ts';
import { fixtureFile } from '../testNode/testNode.ts';
import { sha256 } from '../testNode/walletFixture.ts';
import { byCookie, openServices, startBench } from './services.ts';

// SECURITY.md: A node that dies
it('names a placed copy until the node can be asked, and then removes it', async () => {
  const { node, folder, services, close } = await startBench('31.0');
  onTestFinished(close);
  await services.close();
  const before = readdirSync(node.walletsFolder);
  const backupFile = fixtureFile('legacy-hd');
  const { signal } = new AbortController();
  const saved: PlacedWallet[] = [];
  await placeWallet({
    from: backupFile,
    sha256: sha256(readFileSync(backupFile)),
    walletsFolder: node.walletsFolder,
    name: 'back',
    signal,
    save: (each) => void (each && saved.push(each)),
  });
  createJournal(join(folder, 'data', 'journal')).write({
    job: sampleJob({
      id: '00000000-0000-4000-8000-000000000000',
      kind: 'restore-migrate',
      wallet: 'back',
      node: { label: 'node', address: byCookie(node).address, network: 'regtest', release: '31.0' },
      state: 'failed',
      ended: 2,
      error: { code: 'wallet_error', message: 'It refused.', hint: '' },
    }),
    checkpoint: {
      kind: 'restore-migrate',
      name: 'back',
      loadedBefore: [],
      gavePassphrase: false,
      encrypted: false,
      fileForProof: null,
      balanceBefore: null,
      backupFile,
      placed: saved.at(-1) ?? null,
    },
    // The node answered, and may have it loaded by now.
    sent: true,
    walletsFolder: node.walletsFolder,
    offline: false,
    logMark: null,
  });

  const next = openServices(join(folder, 'data'));
  onTestFinished(() => next.services.close());
  const copy = join(node.walletsFolder, 'back', 'wallet.dat');
  await vi.waitFor(async () =>
    expect(await next.call('jobs.list')).toMatchObject({
      jobs: [{ leftCopy: { path: copy, text: expect.stringContaining('could not be asked') } }],
    }),
  );
  expect(existsSync(copy)).toBe(true);
  await next.call('nodes.connect', byCookie(node));
  await vi.waitFor(() => expect(readdirSync(node.walletsFolder)).toEqual(before));
  await vi.waitFor(() => {
    const last = next.events.findLast(({ name }) => name === 'job');
    expect(last?.value).toMatchObject({ wallet: 'back' });
    expect(last?.value).not.toHaveProperty('leftCopy');
  });
});

it('names a damaged journal entry and keeps it', async () => {
  const { folder, services, close } = await startBench('31.0');
  onTestFinished(close);
  await services.close();
  const journal = join(folder, 'data', 'journal');
  const entry = join(journal, '00000000-0000-4000-8000-000000000000.json');
  mkdirSync(journal, { recursive: true });
  writeFileSync(entry, '{"version":1,"operation":{"id":');
  const next = openServices(join(folder, 'data'));
  onTestFinished(() => next.services.close());
  expect(await next.call('jobs.list')).toEqual({ jobs: [], unreadable: [entry] });
  expect(readdirSync(journal)).toHaveLength(1);
});
