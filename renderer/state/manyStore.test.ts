import { beforeEach, expect, it, vi } from 'vitest';
import type { AppErrorShape } from '../../shared/errors.ts';
import type { Operation } from '../../shared/operation.ts';
import { madeIdentity, madeNodeStatus } from '../../shared/testing/madeNodeStatus.ts';
import { madeOperation } from '../../shared/testing/madeOperation.ts';
import type { QueueItem } from './manyQueue.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { useApp } = await import('./appStore.ts');
const { useOperations } = await import('./operationsStore.ts');
const { useMany } = await import('./manyStore.ts');

const node = (port = 18443) =>
  madeNodeStatus({ address: { host: '127.0.0.1', port, tls: false }, network: 'regtest' });
const error = (code: AppErrorShape['code']) => ({ code, message: `${code}.`, hint: '' });
const operation = (wallet: string, state: Operation['state']) =>
  madeOperation({
    id: `of ${wallet}`,
    wallet,
    node: { ...madeOperation().node, address: node().address },
    state,
    ended: state === 'running' ? null : 2,
    error: state === 'failed' ? error('wrong_passphrase') : null,
  });
const goes = {
  node: madeIdentity({ network: 'regtest' }),
  checks: [],
  copy: { way: 'copied', text: '' },
  way: 'migrate',
  file: null,
};
const wallet = (name: string, passphrase: QueueItem['passphrase'] = 'none') => ({
  wallet: name,
  passphrase,
  hasOwnCopy: false,
});
const standings = () => useMany.getState().queue?.items.map(({ standing }) => standing.state);

void useApp.getState().start();
void useOperations.getState().start();

/** Lets the next wallet pass its check and start. */
async function begin(name: string): Promise<void> {
  await ferry.answer('migrate.check', goes);
  await ferry.answer('migrate.start', operation(name, 'running'));
}

function run(...wallets: Omit<QueueItem, 'standing'>[]): void {
  useMany.getState().run(node(), wallets, (name) => `typed for ${name}`);
}

beforeEach(() => {
  ferry.emit('connection', { state: 'connected', node: node() });
  useMany.setState({ queue: null, held: false });
});

it('migrates one after another, and goes on after a failure', async () => {
  run(wallet('a', 'needed'), wallet('b'));
  await begin('a');
  expect(standings()).toEqual(['begun', 'waiting']);
  expect(ferry.waiting('migrate.check')).toBe(0);
  ferry.emit('operation', operation('a', 'failed'));
  await begin('b');
  ferry.emit('operation', operation('b', 'done'));
  expect(standings()).toEqual(['begun', 'begun']);
});

it('gives a refusal as the result of its wallet alone', async () => {
  run(wallet('c'), wallet('d'), wallet('e'));
  await ferry.answer('migrate.check', {
    ...goes,
    way: 'none',
    checks: [{ id: 'space', verdict: 'stop', title: 'No room', looked: '', text: [], todo: ['Make room.'] }],
  });
  await ferry.answer('migrate.check', goes);
  await ferry.refuse('migrate.start', error('operation_running'));
  expect(useMany.getState().queue?.items.map(({ standing }) => standing)).toMatchObject([
    { state: 'refused', error: { message: 'No room', hint: 'Nothing was sent to the node. Make room.' } },
    { state: 'refused', error: { code: 'operation_running' } },
    { state: 'starting' },
  ]);
  await begin('e');
  ferry.emit('operation', operation('e', 'done'));
});

it('keeps nothing of a passphrase', async () => {
  run(wallet('f', 'needed'));
  await begin('f');
  expect(JSON.stringify(useMany.getState())).not.toContain('typed for');
  ferry.emit('operation', operation('f', 'done'));
});

it('begins nothing more once the page with the fields is left', async () => {
  run(wallet('g'), wallet('h'), wallet('i', 'needed'));
  await begin('g');
  useMany.getState().leave();
  expect(standings()).toEqual(['begun', 'not-begun', 'not-begun']);
  ferry.emit('operation', operation('g', 'done'));
  expect(ferry.waiting('migrate.check')).toBe(0);
});

it('does not begin one whose field is gone while it is being looked at', async () => {
  run(wallet('j', 'needed'));
  useMany.getState().leave();
  await ferry.answer('migrate.check', goes);
  expect(standings()).toEqual(['not-begun']);
  expect(ferry.waiting('migrate.start')).toBe(0);
});

it('waits for a line that is lost, tries again, and goes on', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  run(wallet('k'));
  await ferry.refuse('migrate.check', error('cannot_connect'));
  expect(standings()).toEqual(['waiting']);
  vi.runAllTimers();
  vi.useRealTimers();
  await begin('k');
  ferry.emit('operation', operation('k', 'done'));
  expect(standings()).toEqual(['begun']);
});

it('stops when the app goes to another node, and leaves the running one to its operation', async () => {
  run(wallet('l'), wallet('m'));
  await begin('l');
  ferry.emit('connection', { state: 'connected', node: node(2) });
  expect(standings()).toEqual(['begun', 'not-begun']);
  ferry.emit('operation', operation('l', 'done'));
});

it('sends nothing to a node that took the place of its own during the check', async () => {
  run(wallet('n'));
  ferry.emit('connection', { state: 'connected', node: node(2) });
  await ferry.answer('migrate.check', goes);
  expect(standings()).toEqual(['not-begun']);
  expect(ferry.waiting('migrate.start')).toBe(0);
});

it('takes no second queue while one is at work, and puts none away', async () => {
  run(wallet('o'));
  run(wallet('p'));
  useMany.getState().putAway();
  expect(useMany.getState().queue?.items.map((item) => item.wallet)).toEqual(['o']);
  await begin('o');
  ferry.emit('operation', operation('o', 'done'));
  useMany.getState().putAway(['q']);
  expect(useMany.getState()).toMatchObject({ queue: null, wanted: ['q'] });
});
