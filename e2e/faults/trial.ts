/** A job of one kind on a test node, to be hit by a fault, with the files that must survive. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { ServicesOptions } from '../../electron/backend/services.ts';
import { removeTestFolder } from '../../electron/files/testing/removeTestFolder.ts';
import { repairDescriptors } from '../../electron/recovery/repair/repairDescriptors.ts';
import { repairWallet } from '../../electron/recovery/repair/repairWallet.ts';
import { once } from '../../electron/walletfile/bytes/once.ts';
import { unclosedWallet } from '../../electron/walletfile/testing/berkeleyLogs.ts';
import { walletFile } from '../../electron/walletfile/testing/wallets.ts';
import { REPAIRED_FILE } from '../../electron/workers/repairRequest.ts';
import { type Job, job as jobShape } from '../../shared/model/job.ts';
import { hashesBelow } from '../app/filesBelow.ts';
import {
  byCookie,
  migrating,
  type OpenedServices,
  openServices,
  restoring,
  type Start,
  start,
} from '../services/services.ts';
import { type Scenario, startTestNode, type TestNode } from '../testNode/testNode.ts';
import { sha256 } from '../testNode/walletFixture.ts';
import { type FaultyConnection, openFaultyConnection } from './faultyConnection.ts';

export const kinds = ['restore', 'migrate', 'restore-migrate', 'rescue', 'rescue-descriptors'] as const;
export type Kind = (typeof kinds)[number];

/** A test node behind a faulty connection, and apps that start and stop on one data folder. */
export interface Trial {
  readonly kind: Kind;
  /** The RPC method of the long call. */
  readonly method: string;
  readonly node: TestNode;
  readonly connection: FaultyConnection;
  readonly dataFolder: string;
  readonly begin: Start;
  /** The input of `nodes.connect`. */
  readonly target: unknown;
  /** Opens the app on the data folder, and connects it. */
  open(timing?: ServicesOptions['timing']): Promise<App>;
  /**
   * Describes what became of the files. Throws if a file is lost or changed that must not be. Also throws if a temporary
   * file is left, unless the job still runs or its outcome is unknown (`runs`).
   */
  files(runs: boolean): Promise<string>;
  /** How many long calls reached the node. */
  calls(): number;
  close(): Promise<void>;
}

export interface App extends OpenedServices {
  /** Starts the job. Returns its first snapshot, or throws why it does not start. */
  start(): Promise<Job>;
  /** The one job in the journal, or null. */
  job(): Promise<Job | null>;
  ended(id: string): Promise<Job>;
  close(): Promise<void>;
}

/** Short pauses between polls, because a test node answers at once. */
export const hurried = { pollMs: 40, logPollMs: 10 } as const;

export async function openTrial(kind: Kind, scenario: Scenario = {}): Promise<Trial> {
  const folder = mkdtempSync(join(tmpdir(), 'ferry-faults-'));
  const dataFolder = join(folder, 'data');
  const node = await startTestNode({
    release: '31.0',
    dataFolder: join(folder, 'node'),
    scenario: { wallets: { savings: 'descriptor-hd', old: 'legacy-hd' }, callMs: 30, ...scenario },
  });
  const connection = await openFaultyConnection(node.port);
  if (kind === 'rescue') await writeBroken(node);
  if (kind === 'rescue-descriptors') await writeBrokenDescriptors(node);
  const { method, begin } = begins[kind](node);
  const target = byCookie({ port: connection.port, cookieFile: node.cookieFile });
  const before = hashesOf(node.dataFolder);
  const apps = new Set<App>();

  return {
    kind,
    method,
    node,
    connection,
    dataFolder,
    begin,
    target,
    async open(timing = hurried) {
      const opened = openServices(dataFolder, timing);
      const app: App = {
        ...opened,
        start: () => start(opened.call, begin),
        async job() {
          const { jobs } = (await opened.call('jobs.list')) as { jobs: unknown[] };
          const [first, ...more] = jobs.map((one) => jobShape.parse(one));
          if (more.length > 0) throw new Error('There is more than one job.');
          return first ?? null;
        },
        ended: (id) => opened.until(id, ({ state }) => state !== 'running'),
        async close() {
          apps.delete(app);
          await opened.services.close();
        },
      };
      apps.add(app);
      await opened.call('nodes.connect', target);
      return app;
    },
    files: (runs) => filesAfter({ kind, node, dataFolder, before }, runs),
    calls: () => node.countCalls(method),
    async close() {
      await Promise.all([...apps].map((app) => app.close()));
      await connection.close();
      await node.stop();
      await removeTestFolder(folder);
    },
  };
}

const OLD = 'old';
const NEW = 'new wallet';

const begins: Record<Kind, (node: TestNode) => { method: string; begin: Start }> = {
  restore: ({ backupsFolder }) => ({
    method: 'restorewallet',
    begin: restoring(join(backupsFolder, 'descriptor.bak'), NEW),
  }),
  migrate: () => ({ method: 'migratewallet', begin: migrating(OLD) }),
  'restore-migrate': ({ backupsFolder }) => ({
    method: 'migratewallet',
    begin: restoring(join(backupsFolder, 'legacy.bak'), NEW),
  }),
  rescue: (node) => ({
    method: 'migratewallet',
    begin: { ...restoring(brokenFiles(node).file, NEW), action: 'rescue' },
  }),
  'rescue-descriptors': (node) => ({
    method: 'restorewallet',
    begin: { ...restoring(brokenFiles(node).file, NEW), action: 'rescue' },
  }),
};

/** The paths of the broken file and the folder of its log. */
export function brokenFiles({ dataFolder }: TestNode): { file: string; logs: string } {
  const folder = join(dataFolder, 'broken');
  return { file: join(folder, 'wallet.dat'), logs: join(folder, 'database') };
}

/** Writes a legacy wallet that was not closed and lacks a page, with its log beside it. */
async function writeBroken(node: TestNode): Promise<void> {
  const { file, logs } = brokenFiles(node);
  mkdirSync(logs, { recursive: true });
  writeFileSync(file, broken.bytes);
  writeFileSync(join(logs, broken.log.name), broken.log.bytes);
  node.treatAs((await repaired()).bytes, 'legacy-hd');
}

/** Writes a descriptor wallet that lacks a page. */
async function writeBrokenDescriptors(node: TestNode): Promise<void> {
  const { file, logs } = brokenFiles(node);
  mkdirSync(logs, { recursive: true });
  writeFileSync(file, brokenDescriptors);
  node.treatAs(await repairedDescriptors(), 'descriptor-hd');
}

const brokenDescriptors = walletFile('descriptor-hd').fill(0, 5 * 4096, 6 * 4096);
const repairedDescriptors = once(async () => {
  const result = await repairDescriptors(brokenDescriptors, { network: 'regtest' });
  if (result === null) throw new Error('Nothing was repaired.');
  return result.bytes;
});

/** A page of keys, which the repair derives again from the wallet's seed. */
const LOST_PAGE = 6;
const broken = unclosedWallet(walletFile('legacy-hd'));
broken.bytes.fill(0, LOST_PAGE * 4096, (LOST_PAGE + 1) * 4096);

const repaired = once(() =>
  repairWallet(broken.bytes, { logs: [broken.log], network: 'regtest', withBlock: true }),
);

interface FilesBefore {
  readonly kind: Kind;
  readonly node: TestNode;
  readonly dataFolder: string;
  /** SHA-256 by path; an empty text for an empty folder. */
  readonly before: ReadonlyMap<string, string>;
}

async function filesAfter({ kind, node, dataFolder, before }: FilesBefore, runs: boolean): Promise<string> {
  const after = hashesOf(node.dataFolder);
  const original = fileOf(node, OLD);
  const mayChange = new Set([node.logPath, node.cookieFile, ...(kind === 'migrate' ? [original] : [])]);
  const lost = [...before].filter(([path, hash]) => !mayChange.has(path) && after.get(path) !== hash);
  if (lost.length > 0) throw new Error(`Lost or changed: ${lost.map(([path]) => path).join(', ')}`);

  const isNew = (path: string) => path.startsWith(node.walletsFolder) && !before.has(path);
  const fresh = [...after].filter(([path]) => isNew(path));
  const [backups, others] = [fresh.filter(isNodesBackup), fresh.filter((entry) => !isNodesBackup(entry))];
  const safetyCopies = Object.keys(hashesBelow(join(dataFolder, 'safety copies')));
  if (!runs && safetyCopies.some((path) => basename(path) === REPAIRED_FILE))
    throw new Error('The repaired file is left.');
  const old =
    kind === 'rescue'
      ? sha256((await repaired()).bytes)
      : before.get(kind === 'migrate' ? original : join(node.backupsFolder, 'legacy.bak'));
  if (backups.some(([, hash]) => hash !== old))
    throw new Error('The old wallet’s backup is not the old wallet.');
  const created = after.get(fileOf(node, NEW));
  const left = others.map(([path]) => path).filter((path) => path !== fileOf(node, NEW));
  const isSent = node.countCalls(begins[kind](node).method) > 0;
  if (left.length > 0 || (!isSent && fresh.length > 0))
    throw new Error(`Left in the wallets folder: ${[...left, ...fresh.map(([path]) => path)].join(', ')}`);

  if (kind === 'migrate') return migratedFiles(before.get(original), after.get(original), dataFolder);
  if (created === undefined) return 'backup unchanged; no new wallet';
  if (kind === 'rescue-descriptors') {
    if (created !== sha256(await repairedDescriptors()))
      throw new Error('The new wallet is not the repaired one.');
    return 'backup unchanged; new wallet as repaired';
  }
  if (kind !== 'restore')
    return `backup unchanged; ${created === old ? 'copy placed' : 'new wallet migrated'}`;
  if (created !== before.get(join(node.backupsFolder, 'descriptor.bak')))
    throw new Error('The new wallet is not whole.');
  return 'backup unchanged; new wallet whole';
}

/** Whether the file is a legacy backup. A node also leaves one after a migration that failed. */
function isNodesBackup([path]: readonly [string, string]): boolean {
  return path.endsWith('.legacy.bak');
}

function migratedFiles(before: string | undefined, after: string | undefined, dataFolder: string): string {
  if (before === undefined) throw new Error('There was no wallet to migrate.');
  if (after === before) return 'wallet unchanged';
  const copies = [...hashesOf(join(dataFolder, 'safety copies'))].filter(([, hash]) => hash === before);
  if (copies.length !== 1) throw new Error(`There are ${copies.length} safety copies of the old wallet.`);
  return 'wallet migrated; safety copy unchanged';
}

function fileOf({ walletsFolder }: TestNode, name: string): string {
  return join(walletsFolder, name, 'wallet.dat');
}

/** The SHA-256 of each file, by its absolute path. */
function hashesOf(folder: string): Map<string, string> {
  return new Map(Object.entries(hashesBelow(folder)).map(([path, hash]) => [join(folder, path), hash]));
}
