/** Cuts the connection, and kills the node and the app, while a real node migrates. `BITCOIND` names the node. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { test as base, expect } from '@playwright/test';
import { z } from 'zod';
import { type Job, job } from '../../shared/model/job.ts';
import { type FaultyConnection, openFaultyConnection } from '../faults/faultyConnection.ts';
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
  readonly connection: FaultyConnection;
  readonly dataFolder: string;
  readonly target: unknown;
  /** Opens the app on the data folder, and connects it. */
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
    const connection = await openFaultyConnection(node.port);
    const dataFolder = join(folder, 'data');
    const opened = new Set<OpenedServices>();
    const target = byCookie({ port: connection.port, cookieFile: node.cookieFile });
    await use({
      node,
      connection,
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
    await connection.close();
    await node.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  },
});

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const stage of ['copied ', 'Migrating wallet storage', 'Wallet migration complete']) {
  test(`the app finds a migration done if the connection is cut after “${stage.trim()}”`, async ({
    trial,
  }) => {
    const { node, connection, open } = trial;
    const app = await open();
    const when = () => logged(node, stage);
    connection.setFault({ method: 'migratewallet', place: 'after the request', does: 'cut', when });
    const ended = await endOf(app, await start(app));
    expectNothingLost(trial, ended);
    expect(ended).toMatchObject({ state: 'done', result: { walletName: 'old', backupSeen: true } });
    expect(ended.proof?.verdict).not.toBe('different');
  });

  test(`the app reports the outcome if the node is killed after “${stage.trim()}” and restarted`, async ({
    trial,
  }) => {
    const { node, open } = trial;
    const app = await open();
    const id = await start(app);
    await logged(node, stage);
    await node.kill();
    await app.until(id, ({ connection, state }) => connection === 'lost' || state !== 'running');
    await node.start();
    expectNothingLost(trial, await endOf(app, id));
  });
}

test('a migration fails if the node is killed before it starts, and succeeds after the restart', async ({
  trial,
}) => {
  const { node, connection, open } = trial;
  const app = await open();
  connection.setFault({
    method: 'migratewallet',
    place: 'in the body of the request',
    does: 'cut',
    when: () => node.kill(),
  });
  const id = await start(app);
  await app.until(id, (now) => now.connection === 'lost');
  await node.start();
  const ended = await endOf(app, id);
  expectNothingLost(trial, ended);
  expect(ended).toMatchObject({ state: 'failed', error: { message: 'Not migrated.' } });
  expect(await endOf(app, await start(app))).toMatchObject({ state: 'done' });
});

test.describe('a killed app', () => {
  let folderOfProgram = '';
  let program = '';

  test.beforeAll(async () => {
    folderOfProgram = mkdtempSync(join(tmpdir(), 'ferry-app-'));
    program = await bundleApp(folderOfProgram);
  });

  test.afterAll(() => rmSync(folderOfProgram, { recursive: true, force: true }));

  for (const number of [4, 5, 7]) {
    test(`finishes the job at the next start after entry ${number} of its journal`, async ({ trial }) => {
      const { dataFolder, target, open } = trial;
      const folder = join(dataFolder, 'journal');
      const first = launchApp(program, dataFolder, { call: 'rename', folder, number, does: 'kill after' });
      await first.call('nodes.connect', target);
      // The app may be killed before it answers.
      void begin((name, input) => first.call(name, input), migrating('old')).catch(() => undefined);
      expect(await first.killed).toBe(true);
      const app = await open();
      const [job, ...more] = listed.parse(await app.call('jobs.list')).jobs;
      expect(more).toEqual([]);
      const ended = await endOf(app, job?.id ?? '');
      // The fourth entry records the call as sent, just before the app sends it.
      expectNothingLost(trial, ended, number === 4 ? 0 : 1);
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

/** Expects an explanation, this number of calls, and the old wallet on the disk, byte for byte. */
function expectNothingLost({ node, connection, dataFolder }: Trial, ended: Job, calls = 1): void {
  const old = readFileSync(fixtureFile('legacy-hd'));
  const description = ended.state === 'done' ? 'done' : `${ended.state}: ${ended.error?.message}`;
  test.info().annotations.push({ type: 'outcome', description });
  if (ended.state !== 'done') expect(ended.error?.hint).toMatch(/.{20}/);
  if (ended.state === 'failed') expect(readFileSync(fileOf(node, 'old'))).toEqual(old);
  expect(connection.countCalls('migratewallet')).toBe(calls);
  const copies = join(dataFolder, 'safety copies');
  const [copy = ''] = readdirSync(copies);
  expect(readFileSync(join(copies, copy, 'wallet.dat'))).toEqual(old);
  expect(readFileSync(fileOf(node, 'savings'))).toEqual(readFileSync(fixtureFile('descriptor-hd')));
}

function fileOf({ walletsFolder }: RealNode, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}
