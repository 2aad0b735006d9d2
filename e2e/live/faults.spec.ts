/** Lost lines, and nodes and apps that are killed, while a real node migrates: `BITCOIND` names one. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test as base, expect } from '@playwright/test';
import { z } from 'zod';
import { type Job, job } from '../../shared/model/job.ts';
import { type FaultyLine, openFaultyLine } from '../faults/faultyLine.ts';
import { bundleApp, launchApp } from '../faults/launchApp.ts';
import {
  start as begin,
  byCookie,
  migrating,
  type OpenedServices,
  openServices,
} from '../services/services.ts';
import { type FixtureName, fixtureFile } from '../testNode/walletFixture.ts';
import { type RealNode, startRealNode } from './realNode.ts';

interface Trial {
  readonly node: RealNode;
  readonly line: FaultyLine;
  readonly dataFolder: string;
  readonly target: unknown;
  /** Opens the app on the folder of data, connected over the line. */
  open(): Promise<OpenedServices>;
}

const test = base.extend<{ trial: Trial }, { wallets: Readonly<Record<string, FixtureName>> }>({
  wallets: [
    { savings: 'descriptor-hd', old: 'legacy-hd' },
    { scope: 'worker', option: true },
  ],

  trial: async ({ wallets }, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'ferry-live-'));
    const node = await startRealNode(join(folder, '.bitcoin'), wallets);
    const line = await openFaultyLine(node.port);
    const dataFolder = join(folder, 'data');
    const opened = new Set<OpenedServices>();
    const target = byCookie({ port: line.port, cookieFile: node.cookieFile });
    await use({
      node,
      line,
      dataFolder,
      target,
      async open() {
        const app = openServices(dataFolder);
        opened.add(app);
        await app.call('nodes.connect', target);
        return app;
      },
    });
    await Promise.all([...opened].map(({ services }) => services.close()));
    await line.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  },
});

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const stage of ['copied ', 'Migrating wallet storage', 'Wallet migration complete']) {
  test(`a connection cut after “${stage.trim()}”: the node finishes, and the app finds it done`, async ({
    trial,
  }) => {
    const { node, line, open } = trial;
    const app = await open();
    const when = () => logged(node, stage);
    line.setFault({ method: 'migratewallet', place: 'after the request', does: 'cut', when });
    const ended = await endOf(app, await start(app));
    expectAllThere(trial, ended);
    expect(ended).toMatchObject({ state: 'done', result: { walletName: 'old', backupSeen: true } });
    expect(ended.proof?.verdict).not.toBe('different');
  });

  test(`a node killed after “${stage.trim()}” and started again: the app reports the outcome`, async ({
    trial,
  }) => {
    const { node, open } = trial;
    const app = await open();
    const id = await start(app);
    await logged(node, stage);
    await node.kill();
    await app.until(id, ({ connection, state }) => connection === 'lost' || state !== 'running');
    await node.start();
    expectAllThere(trial, await endOf(app, id));
  });
}

test('a node killed before it touched the wallet: started again, it migrates it', async ({ trial }) => {
  const { node, line, open } = trial;
  const app = await open();
  line.setFault({
    method: 'migratewallet',
    place: 'in the body of the request',
    does: 'cut',
    when: () => node.kill(),
  });
  const id = await start(app);
  await app.until(id, (now) => now.connection === 'lost');
  await node.start();
  const ended = await endOf(app, id);
  expectAllThere(trial, ended);
  expect(ended).toMatchObject({ state: 'failed', error: { message: 'The wallet was not migrated.' } });
  expect(await endOf(app, await start(app))).toMatchObject({ state: 'done' });
});

test.describe('an app killed', () => {
  let folderOfProgram = '';
  let program = '';

  test.beforeAll(async () => {
    folderOfProgram = mkdtempSync(join(tmpdir(), 'ferry-app-'));
    program = await bundleApp(folderOfProgram);
  });

  test.afterAll(() => rmSync(folderOfProgram, { recursive: true, force: true }));

  for (const number of [4, 5, 7]) {
    test(`after entry ${number} of its journal: the next start sees it through`, async ({ trial }) => {
      const { dataFolder, target, open } = trial;
      const folder = join(dataFolder, 'journal');
      const first = launchApp(program, dataFolder, { call: 'rename', folder, number, does: 'kill after' });
      await first.call('nodes.connect', target);
      // It may be gone before it answers.
      void begin((name, input) => first.call(name, input), migrating('old')).catch(() => undefined);
      expect(await first.exited).toBe('SIGKILL');
      const app = await open();
      const [left, ...more] = listed.parse(await app.call('jobs.list')).jobs;
      expect(more).toEqual([]);
      const ended = await endOf(app, left?.id ?? '');
      // The fourth entry says that the call is sent, and is the last thing that is done before it is.
      expectAllThere(trial, ended, number === 4 ? 0 : 1);
      expect(ended).toMatchObject({ state: number === 4 ? 'failed' : 'done', resumed: true });
    });
  }
});

const listed = z.object({ jobs: z.array(job) });

async function start(app: OpenedServices): Promise<string> {
  return (await begin(app.call, migrating('old'))).id;
}

function endOf(app: OpenedServices, id: string): Promise<Job> {
  return app.until(id, ({ state }) => state !== 'running');
}

/** Resolves once the node has logged a line with this text. */
async function logged({ dataFolder }: RealNode, text: string): Promise<void> {
  const path = join(dataFolder, 'regtest', 'debug.log');
  while (!readFileSync(path, 'utf8').includes(text)) await pause(1);
}

/** Whatever happened: words for it, one call at most, and the old wallet on the disk byte for byte. */
function expectAllThere({ node, line, dataFolder }: Trial, ended: Job, calls = 1): void {
  const old = readFileSync(fixtureFile('legacy-hd'));
  const words = ended.state === 'done' ? 'done' : `${ended.state}: ${ended.error?.message}`;
  test.info().annotations.push({ type: 'outcome', description: words });
  if (ended.state !== 'done') expect(ended.error?.hint).toMatch(/.{20}/);
  if (ended.state === 'failed') expect(readFileSync(fileOf(node, 'old'))).toEqual(old);
  expect(line.countCalls('migratewallet')).toBe(calls);
  const copies = join(dataFolder, 'safety copies');
  const [copy = ''] = readdirSync(copies);
  expect(readFileSync(join(copies, copy, 'wallet.dat'))).toEqual(old);
  expect(readFileSync(fileOf(node, 'savings'))).toEqual(readFileSync(fixtureFile('descriptor-hd')));
}

function fileOf({ walletsFolder }: RealNode, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}
