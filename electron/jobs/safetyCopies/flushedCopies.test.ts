import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { fixtureFile } from '../../../e2e/testNode/walletFixture.ts';
import type * as DurableFile from '../../files/durableFile.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import { createBench, putWallet } from '../testing/bench.ts';
import { createSafetyCopies } from './safetyCopies.ts';

const { done } = vi.hoisted(() => ({ done: { list: [] as string[] } }));

vi.mock('../../files/durableFile.ts', async (original) => {
  const real = await original<typeof DurableFile>();
  return {
    ...real,
    flushFile: async (path: string) => {
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
  const { id } = await copies.copyWallet(session, 'w', plan, signal);
  expect(done.list).toEqual([
    `folder ${own}`,
    `folder ${join(folder, 'app')}`,
    `folder ${folder}`,
    `file ${join(own, id, 'wallet.dat')}`,
    `manifest ${join(own, id, 'copy.json')}`,
  ]);
});
