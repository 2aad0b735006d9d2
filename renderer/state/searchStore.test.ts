import { expect, it, vi } from 'vitest';
import { z } from 'zod/mini';
import { requestTable } from '../../shared/contract.ts';
import { sampleInspection } from '../../shared/testing/sampleInspection.ts';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { addFolder, dropFolders, startSearch, stopSearch, setTicks, tickedOf, useSearch } = await import(
  './searchStore.ts'
);

const file = {
  path: '/home/a/old.dat',
  name: 'old.dat',
  folder: '/home/a',
  size: 1,
  modified: 1,
  ...{
    kind: 'legacy-wallet',
    fileKind: { code: 'legacy_wallet' },
    temporary: false,
    truncated: false,
    network: 'main',
    suggestedName: 'old',
  },
};

it('counts files of an event that arrives after the answer', async () => {
  const task = '00000000-0000-4000-8000-000000000000';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  void startSearch(['/home']);
  ferry.emit('searched', { task, filesRead: 1, folder: '/home', found: [] });
  expect(useSearch.getState()).toMatchObject({ state: 'running', filesRead: 1, folder: '/home' });
  await ferry.answer('files.search', { filesRead: 3, unread: 1, unreadable: ['/home/b'] });
  ferry.emit('searched', { task, filesRead: 2, folder: '/home/a', found: [file] });
  expect(useSearch.getState()).toMatchObject({
    state: 'done',
    filesRead: 3,
    unreadable: ['/home/b'],
    found: [file],
  });
  await ferry.answer('wallet.inspect', null);
});

it('stops a search at once, and cancels its task', () => {
  const task = '00000000-0000-4000-8000-000000000004';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  void startSearch(['/home']);
  stopSearch();
  expect(useSearch.getState().state).toBe('stopped');
  expect(ferry.asked('tasks.cancel')).toEqual({ task });
});

it('reads the found files one after another, and skips unreadable ones', async () => {
  const task = '00000000-0000-4000-8000-000000000001';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  void startSearch(['/home']);
  const sent = (kind: 'legacy' | 'descriptor') =>
    z.encode(requestTable['wallet.inspect'].output, sampleInspection({ kind }));
  const hits = ['/1', '/2', '/3'].map((path) => ({ ...file, path }));
  ferry.emit('searched', { task, filesRead: 3, folder: '/home', found: hits.slice(0, 2) });
  expect(ferry.waiting('wallet.inspect')).toBe(1);
  // Nobody opened it, so it is no recent file.
  expect(ferry.asked('wallet.inspect')).toMatchObject({ unlisted: true });
  await ferry.refuse('wallet.inspect', { code: 'file_unreadable', message: 'No.', hint: '' });
  ferry.emit('searched', { task, filesRead: 4, folder: '/home', found: hits.slice(2) });
  await ferry.answer('wallet.inspect', sent('legacy'));
  await ferry.answer('wallet.inspect', sent('descriptor'));
  expect(ferry.waiting('wallet.inspect')).toBe(0);
  const kinds = [...useSearch.getState().contents].map(([path, read]) => [path, read?.kind ?? null]);
  expect(kinds).toEqual([
    ['/1', null],
    ['/2', 'legacy'],
    ['/3', 'descriptor'],
  ]);
});

it('reads a found file for a rescue whose start is no wallet’s', async () => {
  const task = '00000000-0000-4000-8000-000000000003';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  useSearch.setState(useSearch.getInitialState());
  void startSearch(['/home']);
  const damaged = { ...file, kind: 'other', fileKind: { code: 'unknown' } };
  ferry.emit('searched', { task, filesRead: 1, folder: '/home', found: [damaged] });
  expect(ferry.asked('wallet.inspect')).toMatchObject({ rescue: true, unlisted: true });
  await ferry.refuse('wallet.inspect', { code: 'not_a_wallet', message: 'No.', hint: '' });
});

it('reads every found file, however many there are', async () => {
  const task = '00000000-0000-4000-8000-000000000002';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  useSearch.setState(useSearch.getInitialState());
  void startSearch(['/home']);
  const found = Array.from({ length: 60 }, (_, at) => ({ ...file, path: `/${at}` }));
  ferry.emit('searched', { task, filesRead: 60, folder: '/home', found });
  for (const _ of found)
    await ferry.refuse('wallet.inspect', { code: 'file_unreadable', message: 'No.', hint: '' });
  expect(useSearch.getState().contents.size).toBe(60);
});

const placeAt = (path: string) => ({ path, kind: 'disk' }) as const;

it('ticks an added folder beside the others, and a dropped one alone', () => {
  const usual = ['/home', '/disk'];
  const ticked = () => tickedOf([...usual, ...useSearch.getState().added].map(placeAt), useSearch.getState());
  expect(ticked()).toEqual(usual);
  addFolder('/added');
  expect(ticked()).toEqual(['/home', '/disk', '/added']);
  dropFolders(['/dropped']);
  expect(ticked()).toEqual(['/dropped']);
  setTicks([...usual, '/added', '/dropped'], ['/home', '/dropped']);
  expect(ticked()).toEqual(['/home', '/dropped']);
});

it('ticks a disk that is connected after the user has changed the ticks', () => {
  useSearch.setState(useSearch.getInitialState());
  setTicks(['/home', '/disk'], ['/disk']);
  expect(tickedOf(['/home', '/disk', '/new'].map(placeAt), useSearch.getState())).toEqual(['/disk', '/new']);
});

it('ticks the system’s disk only if the user does', () => {
  useSearch.setState(useSearch.getInitialState());
  const places = [placeAt('/home'), { path: '/', kind: 'system' } as const];
  expect(tickedOf(places, useSearch.getState())).toEqual(['/home']);
  setTicks(['/home', '/'], ['/home', '/']);
  expect(tickedOf(places, useSearch.getState())).toEqual(['/home', '/']);
});
