import { expect, it, vi } from 'vitest';
import { installFakeFerry } from './testing/fakeFerry.ts';

const ferry = installFakeFerry();
const { useSearch } = await import('./searchStore.ts');

const file = {
  ...{ path: '/home/a/old.dat', name: 'old.dat', folder: '/home/a', size: 1, modified: 1 },
  ...{
    kind: 'legacy-wallet',
    fileKind: { code: 'legacy_wallet' },
    temporary: false,
    truncated: false,
    network: 'main',
    suggestedName: 'old',
  },
};

it('keeps what is told after the answer, which may overtake it', async () => {
  const task = '00000000-0000-4000-8000-000000000000';
  vi.spyOn(crypto, 'randomUUID').mockReturnValue(task);
  void useSearch.getState().start();
  ferry.emit('searched', { task, looked: 1, folder: '/home', found: [] });
  expect(useSearch.getState()).toMatchObject({ state: 'running', looked: 1, folder: '/home' });
  await ferry.answer('files.search', { looked: 3, unread: 0 });
  ferry.emit('searched', { task, looked: 2, folder: '/home/a', found: [file] });
  expect(useSearch.getState()).toMatchObject({
    state: 'done',
    looked: 3,
    found: [file],
  });
});
