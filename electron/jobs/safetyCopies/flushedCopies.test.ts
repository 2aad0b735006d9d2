import { copyFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type * as DurableFile from '../../files/durableFile.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createResumedJob } from '../run/runJob.ts';
import { createBench, proveNothing, putWallet } from '../testing/bench.ts';
import { createSafetyCopies } from './safetyCopies.ts';

const { done } = vi.hoisted(() => ({ done: { list: [] as string[], failure: null as Error | null } }));

vi.mock('../../files/durableFile.ts', async (original) => {
  const real = await original<typeof DurableFile>();
  return {
    ...real,
    flushFile: async (path: string) => {
      if (done.failure) throw done.failure;
      await real.flushFile(path);
      done.list.push(`file ${path}`);
    },
    flushFolder: (path: string) => {
      real.flushFolder(path);
      done.list.push(`folder ${path}`);
    },
    replaceFile: (path: string, bytes: Uint8Array) => {
      real.replaceFile(path, bytes);
      done.list.push(`manifest ${path}`);
    },
  };
});

beforeEach(() => {
  done.list = [];
  done.failure = null;
});

it('flushes what the node wrote, and the entry of each new folder, before the copy counts as whole', async () => {
  const { node, folder, session } = await createBench();
  await putWallet(folder, 'w', 'legacy-hd');
  node.handlers.listwallets = () => ['w'];
  node.handlers.backupwallet = async ({ params }) => {
    await copyFile(fixtureFile('legacy-hd'), String((params as unknown[])[0]));
    return null;
  };
  const own = join(folder, 'app', 'copies');
  const { signal } = new AbortController();
  const copies = createSafetyCopies({ work: walletWorkHere, folder: own });
  const plan = await copies.planFor(session.status, { name: 'w', onDisk: ['w'], loaded: ['w'] });
  const { id } = await copies.copyWallet(session, 'w', plan, signal, () => undefined);
  expect(done.list).toEqual([
    `folder ${own}`,
    `folder ${join(folder, 'app')}`,
    `folder ${folder}`,
    `file ${join(own, id, 'wallet.dat')}`,
    `manifest ${join(own, id, 'copy.json')}`,
  ]);
});

it('flushes a backup that the node wrote before it is done', async () => {
  const { node, folder, backUp, ended } = await createBench();
  const destination = join(await realpath(folder), 'w.bak');
  node.handlers.listwallets = () => ['w'];
  node.handlers.backupwallet = async () => {
    await copyFile(fixtureFile('legacy-hd'), destination);
    return null;
  };
  await backUp({ name: 'w', destination });
  expect(await ended()).toMatchObject({ state: 'done' });
  const flushed = [`file ${destination}`, `folder ${await realpath(folder)}`];
  expect(done.list).toEqual(expect.arrayContaining(flushed));
});

it('is no backup if the disk fails, and not known to be one without an answer', async () => {
  const { node, folder, backUp, ended, interruptions, session } = await createBench();
  const newBackup = join(await realpath(folder), 'w.bak');
  node.handlers.listwallets = () => ['w'];
  node.handlers.backupwallet = async () => {
    await copyFile(fixtureFile('descriptor-hd'), newBackup);
    return null;
  };
  done.failure = Object.assign(new Error('EIO'), { code: 'EIO' });
  await backUp({ name: 'w', destination: newBackup });
  expect(await ended()).toMatchObject({ state: 'failed', error: { finding: { code: 'disk_failed' } } });
  const deps = { prover: proveNothing, interruptions };
  const { signal } = new AbortController();
  const evidence = { session, walletsFolder: folder, stillRunning: false, sameRun: true, signal };
  const outcome = createResumedJob({ kind: 'backup', name: 'w', newBackup }, deps).resolve(evidence as never);
  expect(await outcome).toMatchObject({ state: 'unknown' });
});
