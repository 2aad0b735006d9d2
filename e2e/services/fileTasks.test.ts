/** Long work on wallet files ends when its page goes away or cancels it. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../electron/files/testing/testFolder.ts';
import { walletWorkHere } from '../../electron/workers/testing/walletWorkHere.ts';
import type { WalletWork } from '../../electron/workers/walletWork.ts';
import { plan } from '../../shared/model/plan.ts';
import { fixtureFile, startTestNode, type TestNode } from '../testNode/testNode.ts';
import { byCookie, type OpenedServices, openServices } from './services.ts';

let folder: string;
let opened: OpenedServices;
let node: TestNode;
/** Called when work starts. */
let begin: () => void;
let started: Promise<void>;
/** Whether inspections finish, so that a plan can be made. */
let inspects = false;

/** Work on a file that never finishes. */
const endless: WalletWork = (task, signal) => {
  if (inspects && task.kind === 'inspect') return walletWorkHere(task, signal);
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    begin();
  });
};

beforeEach(async () => {
  folder = makeTestFolder();
  node = await startTestNode({ release: '29.3', dataFolder: join(folder, 'node'), scenario: {} });
  inspects = false;
  started = new Promise((resolve) => {
    begin = resolve;
  });
  opened = openServices(join(folder, 'data'), {}, endless);
  await opened.call('nodes.connect', byCookie(node));
});
afterEach(async () => {
  await opened.services.close();
  await node.stop();
});

const source = { by: 'file', path: fixtureFile('legacy-hd') };
const clues = {
  pieces: [{ alternatives: ['a'], optional: false }],
  orders: false,
  spaces: false,
  capitals: false,
  typos: 0,
  keyboards: false,
  encodings: false,
};
const migrating = { action: 'migrate', source: { by: 'wallet', name: 'legacy-hd' }, answers: {} };
const tasks: [name: string, input: () => object | Promise<object>][] = [
  ['wallet.inspect', () => ({ source })],
  ['wallet.tryPassphrase', () => ({ source, passphrase: 'x' })],
  ['files.searchImage', () => ({ path: source.path, folder: null })],
  ['wallet.fromText', () => ({ from: { by: 'text', text: 'x' } })],
  ['passphrase.count', () => ({ source, clues })],
  ['passphrase.search', () => ({ source, clues, resume: false })],
  [
    'wallet.export',
    () => ({ source, private: false, format: 'lines', destination: join(folder, 'descriptors.txt') }),
  ],
  ['plan.make', () => migrating],
  ['plan.make', () => ({ action: 'restore', source, answers: {} })],
  [
    'plan.rehearse',
    async () => {
      inspects = true;
      const { id } = plan.parse(await opened.call('plan.make', migrating));
      return { plan: id, answers: {} };
    },
  ],
];

describe.each(tasks)('%s (%#)', (name, input) => {
  // SECURITY.md: A hostile wallet file
  it('ends when the page that called it goes away', async () => {
    const page = new AbortController();
    const answer = opened.services.call(name, { ...(await input()), task: 'a' }, page.signal);
    await started;
    page.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });

  // SECURITY.md: A hostile wallet file
  it('ends when it is cancelled', async () => {
    const answer = opened.services.call(name, { ...(await input()), task: 'a' });
    await started;
    await opened.call('tasks.cancel', { task: 'another' });
    await opened.call('tasks.cancel', { task: 'a' });
    expect(await answer).toMatchObject({ ok: false, error: { code: 'cancelled' } });
  });
});
