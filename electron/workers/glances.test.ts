import { copyFileSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fixtureFile } from '../../e2e/testNode/walletFixture.ts';
import { cutOffChange } from '../walletfile/testing/cutOffChange.ts';
import { createGlances } from './glances.ts';
import { doWalletTask, type WalletFacts } from './walletTask.ts';
import type { WalletWork } from './walletWork.ts';

let folder: string;
let asked: string[][];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'glances-'));
  asked = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const here: WalletWork = async (task, signal) => {
  signal.throwIfAborted();
  if (task.kind === 'glance' && 'paths' in task.task) asked.push([...task.task.paths]);
  return doWalletTask(task);
};
const never = new AbortController().signal;

async function toldBy(glances: ReturnType<typeof createGlances>, paths: readonly string[], signal = never) {
  const told = new Map<string, WalletFacts | null>();
  const files = paths.map((path) => {
    const { size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
    return { path, size };
  });
  await glances(files, (path, facts) => told.set(path, facts), signal);
  return told;
}

describe('glances', () => {
  it('tell what wallet files of both kinds hold', async () => {
    const paths = (['legacy-hd-encrypted', 'descriptor-hd', 'legacy-watchonly'] as const).map(fixtureFile);
    const told = await toldBy(createGlances(here), paths);
    expect(paths.map((path) => told.get(path))).toMatchObject([
      {
        kind: 'legacy',
        encrypted: true,
        watchOnly: false,
        balance: { spendable: 1_829_997_180n },
        transactions: 13,
      },
      { kind: 'descriptor', encrypted: false, watchOnly: false, balance: { spendable: expect.any(BigInt) } },
      {
        kind: 'legacy',
        encrypted: false,
        watchOnly: false,
        balance: { spendable: 930_000_000n, watched: 75_000_000n },
      },
    ]);
  });

  it('read a file once, and again when it has changed', async () => {
    const path = join(folder, 'wallet.dat');
    copyFileSync(fixtureFile('legacy-hd'), path);
    const glances = createGlances(here);
    const first = await toldBy(glances, [path]);
    expect(await toldBy(glances, [path])).toEqual(first);
    expect(asked).toHaveLength(1);
    utimesSync(path, new Date(), new Date(Date.now() + 5000));
    expect(await toldBy(glances, [path])).toEqual(first);
    expect(asked).toHaveLength(2);
  });

  it('read a file again if only its journal has changed', async () => {
    const { path, journal } = await cutOffChange(folder);
    const glances = createGlances(here);
    await toldBy(glances, [path]);
    await toldBy(glances, [path]);
    expect(asked).toHaveLength(1);
    writeFileSync(`${path}-journal`, journal.subarray(0, 512));
    await toldBy(glances, [path]);
    rmSync(`${path}-journal`);
    await toldBy(glances, [path]);
    expect(asked).toHaveLength(3);
    writeFileSync(`${path}-wal`, 'x');
    await toldBy(glances, [path]);
    expect(asked).toHaveLength(4);
  });

  it('go on after a file that is no wallet, is gone, or ends the thread', async () => {
    const text = join(folder, 'text');
    writeFileSync(text, 'x');
    const gone = join(folder, 'gone');
    const wallet = fixtureFile('legacy-hd');
    const told = await toldBy(createGlances(here), [text, gone, wallet]);
    expect([told.get(text), told.get(gone), told.get(wallet)?.kind]).toEqual([null, null, 'legacy']);
    const ending: WalletWork = async () => {
      throw new Error('ended');
    };
    expect([...(await toldBy(createGlances(ending), [wallet]))]).toEqual([[wallet, null]]);
  });

  it('read small files together, and first', async () => {
    const files = [20, 3, 1].map((megabytes) => {
      const path = join(folder, `${megabytes}`);
      writeFileSync(path, Buffer.alloc(megabytes * 2 ** 20));
      return path;
    });
    await toldBy(createGlances(here), files);
    expect(asked.map((paths) => paths.map((path) => path.slice(folder.length + 1)))).toEqual([
      ['1', '3'],
      ['20'],
    ]);
  });

  it('end when they are told to, and keep nothing of what was not read', async () => {
    const controller = new AbortController();
    controller.abort(new Error('enough'));
    const glances = createGlances(here);
    const wallet = fixtureFile('legacy-hd');
    await expect(toldBy(glances, [wallet], controller.signal)).rejects.toThrow(new Error('enough'));
    expect((await toldBy(glances, [wallet])).get(wallet)).not.toBeNull();
  });
});
