import { copyFileSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { walletIdsOf } from '../../shared/model/wallet.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { createFactsReader } from './factsReader.ts';
import { doWalletTask, type ListedFacts, type ListedWallets } from './walletTask.ts';
import type { WalletWork } from './walletWork.ts';

let folder: string;
/** The paths of each task. */
let tasks: string[][];
beforeEach(() => {
  folder = makeTestFolder();
  tasks = [];
});

const here: WalletWork = async (task, signal) => {
  signal.throwIfAborted();
  if (task.kind === 'readFacts' && 'paths' in task.task) tasks.push([...task.task.paths]);
  return doWalletTask(task);
};
const never = new AbortController().signal;

async function readFacts(
  reader: ReturnType<typeof createFactsReader>,
  paths: readonly string[],
  signal = never,
  of: ListedWallets = 'unloaded',
) {
  const reported = new Map<string, ListedFacts | null>();
  const files = paths.map((path) => {
    const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return { path, size };
  });
  await reader(files, (path, facts) => reported.set(path, facts), signal, of);
  return reported;
}

describe('createFactsReader', () => {
  it('reads only the conditions of loaded wallets', async () => {
    const paths = (['legacy-hd', 'descriptor-hd'] as const).map(fixtureFile);
    const reader = createFactsReader(here);
    const loaded = await readFacts(reader, paths, never, 'loaded');
    const unloaded = await readFacts(reader, paths);
    for (const path of paths) {
      expect(loaded.get(path)).toEqual({ conditions: [], ...walletIdsOf(unloaded.get(path) ?? {}) });
      expect(unloaded.get(path)).not.toHaveProperty('conditions');
    }
  });

  it('says which files are damaged', async () => {
    const whole = fixtureFile('legacy-hd');
    const bytes = readFileSync(whole);
    const cut = join(folder, 'cut.dat');
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const reported = await readFacts(createFactsReader(here), [whole, cut]);
    expect([whole, cut].map((path) => reported.get(path)?.damaged)).toEqual([false, true]);
  });

  it('read the facts of both kinds of wallets', async () => {
    const paths = (['legacy-hd-encrypted', 'descriptor-hd', 'legacy-watchonly'] as const).map(fixtureFile);
    const reported = await readFacts(createFactsReader(here), paths);
    const [sealed, descriptors, legacy] = paths.map((path) => reported.get(path));
    const plain = { encrypted: false, watchOnly: false };
    const balances = [{ spendable: 1_829_997_180n }, { spendable: 930_000_000n, watched: 75_000_000n }];
    expect(sealed).toMatchObject({ kind: 'legacy', encrypted: true, watchOnly: false, transactions: 13 });
    expect(descriptors).toMatchObject({
      ...plain,
      kind: 'descriptor',
      balance: { spendable: expect.any(BigInt) },
    });
    expect(legacy).toMatchObject({ ...plain, kind: 'legacy' });
    expect([sealed?.balance, legacy?.balance]).toMatchObject(balances);
  });

  it('read a file once, and again after a change', async () => {
    const path = join(folder, 'wallet.dat');
    copyFileSync(fixtureFile('legacy-hd'), path);
    const reader = createFactsReader(here);
    const first = await readFacts(reader, [path]);
    expect(await readFacts(reader, [path])).toEqual(first);
    expect(tasks).toHaveLength(1);
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(await readFacts(reader, [path])).toEqual(first);
    expect(tasks).toHaveLength(2);
  });

  it('read a file again if only its journal has changed', async () => {
    const { path, journal } = await cutOffChange(folder);
    const reader = createFactsReader(here);
    await readFacts(reader, [path]);
    await readFacts(reader, [path]);
    expect(tasks).toHaveLength(1);
    writeFileSync(`${path}-journal`, journal.subarray(0, 512));
    await readFacts(reader, [path]);
    rmSync(`${path}-journal`);
    await readFacts(reader, [path]);
    expect(tasks).toHaveLength(3);
    writeFileSync(`${path}-wal`, 'x');
    await readFacts(reader, [path]);
    expect(tasks).toHaveLength(4);
  });

  it('continue after a file that is no wallet, is missing, or ends the thread', async () => {
    const text = join(folder, 'text');
    writeFileSync(text, 'x');
    const gone = join(folder, 'gone');
    const wallet = fixtureFile('legacy-hd');
    const reported = await readFacts(createFactsReader(here), [text, gone, wallet]);
    expect([reported.get(text), reported.get(gone)]).toEqual([null, null]);
    expect(reported.get(wallet)?.kind).toBe('legacy');
    const ending: WalletWork = () => Promise.reject(new Error('ended'));
    expect([...(await readFacts(createFactsReader(ending), [wallet]))]).toEqual([[wallet, null]]);
  });

  it('read small files together, and first', async () => {
    const files = [20, 3, 1].map((megabytes) => {
      const path = join(folder, `${megabytes}`);
      writeFileSync(path, Buffer.alloc(megabytes * 2 ** 20));
      return path;
    });
    await readFacts(createFactsReader(here), files);
    const names = tasks.map((paths) => paths.map((path) => path.slice(folder.length + 1)));
    expect(names).toEqual([['1', '3'], ['20']]);
  });

  it('end with the signal, and do not cache unread files', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const reader = createFactsReader(here);
    const wallet = fixtureFile('legacy-hd');
    await expect(readFacts(reader, [wallet], controller.signal)).rejects.toThrow(new Error('enough'));
    expect((await readFacts(reader, [wallet])).get(wallet)).not.toBeNull();
  });
});
