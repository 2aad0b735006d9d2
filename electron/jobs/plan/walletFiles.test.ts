/** Where the file comes from that a job reads, and what becomes of it. The jobs themselves are tested with `files`. */
import { chmodSync, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost, rpc } from '../../../e2e/testNode/scriptedNode.ts';
import { fixtureFile, fixturePassphrase } from '../../../e2e/testNode/walletFixture.ts';
import { needsRescue } from '../../../shared/model/inspection.ts';
import type { NodeStatus } from '../../../shared/model/node.ts';
import { deferred } from '../../../shared/testing/deferred.ts';
import { sampleInspection } from '../../../shared/testing/sampleInspection.ts';
import { failing } from '../../files/testing/failing.ts';
import { canLockAsNode, lockAsNode } from '../../files/testing/lockAsNode.ts';
import { ON_WINDOWS } from '../../files/testing/system.ts';
import { walletWorkHere } from '../../workers/testing/walletWorkHere.ts';
import type { WalletWork } from '../../workers/walletWork.ts';
import { createBench, putWallet } from '../testing/bench.ts';
import { uncleanFile } from '../testing/testFacts.ts';
import { createWalletFiles } from './walletFiles.ts';

const fixture = fixtureFile('legacy-hd-encrypted');
const never = new AbortController().signal;
const old = { source: { by: 'wallet', name: 'old' } } as const;
const file = (path: string) => ({ by: 'file', path }) as const;

interface SeenTask {
  readonly kind: string;
  readonly path: string;
  readonly task: object;
  readonly bytes: Buffer;
}

/** Wallet files on a node whose folder holds the wallet `old`, with what the jobs saw. */
async function bench({
  status = {},
  loaded = [],
  work = walletWorkHere,
}: {
  status?: Partial<NodeStatus>;
  loaded?: string[];
  work?: WalletWork;
} = {}) {
  const { node, folder, session } = await createBench(status);
  const path = await putWallet(folder, 'old', 'legacy-hd-encrypted');
  const copiesFolder = join(folder, 'reading');
  node.handlers.listwallets = () => loaded;
  node.handlers.backupwallet = ({ params }) => {
    const [destination] = Array.isArray(params) ? params : [];
    copyFileSync(path, destination);
    return null;
  };
  const tasks: SeenTask[] = [];
  const watching: WalletWork = (task, signal) => {
    if (!('path' in task.task)) throw new Error('no path');
    const { path: at } = task.task;
    tasks.push({ kind: task.kind, path: at, task: task.task, bytes: readFileSync(at) });
    return work(task, signal);
  };
  const files = createWalletFiles({ session: () => session, work: watching, copiesFolder });
  const left = () => (existsSync(copiesFolder) ? readdirSync(copiesFolder) : []);
  const called = (method: string) => node.calls.filter((call) => call.method === method);
  return { node, folder, path, files, tasks, left, called };
}

describe('a wallet of the node', () => {
  it('is read in place, with the node’s network, while it is not loaded', async () => {
    const { files, path, tasks, called } = await bench();
    expect(await files.inspect(old, never)).toMatchObject({ inspection: { kind: 'legacy' } });
    expect(tasks).toMatchObject([{ kind: 'inspect', path, task: { path, network: 'regtest' } }]);
    expect(called('backupwallet')).toEqual([]);
  });

  it('is copied by the node while it is loaded, and the copy is removed afterwards', async () => {
    const { files, path, tasks, left, called } = await bench({ loaded: ['old'] });
    await files.inspect(old, never);
    const [call] = called('backupwallet');
    expect(call).toMatchObject({ wallet: 'old', params: [tasks[0]?.path] });
    expect(tasks[0]?.path).not.toBe(path);
    expect(tasks[0]?.bytes.equals(readFileSync(path))).toBe(true);
    expect(left()).toEqual([]);
  });

  it('leaves no copy when the work fails', async () => {
    const { files, left, called } = await bench({ loaded: ['old'] });
    const refused = files.rehearse({ ...old, passphrase: 'sesame-wrong' }, never);
    await expect(refused).rejects.toMatchObject({ code: 'wrong_passphrase' });
    expect(called('backupwallet')).toHaveLength(1);
    expect(left()).toEqual([]);
  });

  it.each([
    ['cannot write there', failing(rpc(-4, 'Error: Wallet backup failed!'))],
    ['writes to another disk', () => null],
    ['is lost', failing(lost())],
  ])('is read in place if the node %s', async (_, answer) => {
    const { files, node, path, tasks, left } = await bench({ loaded: ['old'] });
    node.handlers.backupwallet = answer;
    await files.inspect(old, never);
    expect(tasks.map(({ path: at }) => at)).toEqual([path]);
    expect(left()).toEqual([]);
  });

  // SECURITY.md: Another user who can write to a folder
  it.skipIf(ON_WINDOWS)('is not written by the node into a folder that others can replace', async () => {
    const { files, folder, tasks, called } = await bench({ loaded: ['old'] });
    chmodSync(folder, 0o777);
    const finding = { code: 'copies_folder_shared', folder, how: 'writable-by-others' };
    const refused = { code: 'not_available_here', finding };
    await expect(files.inspect(old, never)).rejects.toMatchObject(refused);
    expect([called('backupwallet'), tasks]).toEqual([[], []]);
  });

  it('can be read while the node does not answer', async () => {
    const { files, node } = await bench();
    node.handlers.listwallets = failing(lost());
    expect(await files.inspect(old, never)).toMatchObject({ inspection: { kind: 'legacy' } });
  });

  it('needs no copy to try a passphrase', async () => {
    const { files, called } = await bench({ loaded: ['old'] });
    const tried = files.tryPassphrase({ ...old, passphrase: 'sesame-wrong' }, never);
    expect(await tried).toEqual({ verdict: 'wrong' });
    expect(called('backupwallet')).toEqual([]);
  });

  it.each([
    ['on another machine', { local: false, walletsFolder: null }],
    ['in an unknown folder', { walletsFolder: null }],
  ])('is not available %s', async (_, status) => {
    const { files, tasks } = await bench({ status });
    await expect(files.inspect(old, never)).rejects.toMatchObject({ code: 'not_available_here' });
    expect(tasks).toEqual([]);
  });

  it.each(['gone', '', '../old', '/etc'])('%j: is not found if it does not exist', async (name) => {
    const { files } = await bench();
    const missing = files.inspect({ source: { by: 'wallet', name } }, never);
    await expect(missing).rejects.toMatchObject({ code: 'wallet_not_found' });
  });
});

describe('a file', () => {
  it('is read without asking the node, with the name for its restore', async () => {
    const { files, node, folder, tasks } = await bench();
    const path = join(folder, 'savings_1795180650.legacy.bak');
    copyFileSync(fixture, path);
    const rehearsalResult = files.rehearse({ source: file(path) }, never);
    await expect(rehearsalResult).rejects.toMatchObject({ code: 'wallet_unlock_needed' });
    expect(tasks).toMatchObject([{ kind: 'rehearse', task: { path, name: 'savings' } }]);
    expect(node.calls).toEqual([]);
  });

  it('that lost its start has its passphrase tried on what a rescue can save', async () => {
    const { files, folder } = await bench();
    const path = join(folder, 'lost.dat');
    writeFileSync(path, readFileSync(fixture).fill(0xaa, 0, 4096));
    const source = file(path);
    const passphrase = fixturePassphrase('legacy-hd-encrypted');
    expect(await files.tryPassphrase({ source, passphrase }, never)).toMatchObject({ verdict: 'right' });
    expect(await files.tryPassphrase({ source, passphrase: 'wrong' }, never)).toEqual({ verdict: 'wrong' });
    expect(await files.encryption(source, never)).not.toBeNull();
    writeFileSync(path, 'no wallet, no keys');
    const refused = { code: 'not_a_wallet', finding: { code: 'not_core_wallet', kind: { code: 'text' } } };
    await expect(files.tryPassphrase({ source, passphrase }, never)).rejects.toMatchObject(refused);
  });

  it.runIf(canLockAsNode)('that a program has open needs no rescue for not being closed', async () => {
    const inspection = sampleInspection({ file: uncleanFile });
    const work = (async () => ({ inspection })) as unknown as WalletWork;
    const { files, path, node } = await bench({ work });
    const needs = async () => needsRescue((await files.inspect({ source: file(path) }, never)).inspection);
    expect(await needs()).toBe(true);
    await lockAsNode(join(dirname(path), '.walletlock'));
    expect(await needs()).toBe(false);
    // This node has only its neighbour open, and locks their folder.
    copyFileSync(fixtureFile('legacy-hd'), join(dirname(path), 'bare'));
    node.handlers.listwallets = () => ['old/bare'];
    expect(await needs()).toBe(true);
  });

  it('throws file_empty if it is empty', async () => {
    const { files, folder } = await bench();
    const path = join(folder, 'empty.dat');
    writeFileSync(path, '');
    await expect(files.inspect({ source: file(path) }, never)).rejects.toMatchObject({ code: 'file_empty' });
  });
});

it('ends running work when the app closes, and removes its copies', async () => {
  const { promise: started, resolve: begin } = deferred();
  const { files, left } = await bench({
    loaded: ['old'],
    work: (_, signal) =>
      new Promise((__, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
        begin();
      }),
  });
  const waiting = files.inspect(old, never);
  waiting.catch(() => undefined);
  await started;
  expect(left()).toHaveLength(1);
  await files.close();
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  expect(left()).toEqual([]);
});
