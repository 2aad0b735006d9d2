import { expect, it } from 'vitest';
import { rememberLatest } from './once.ts';

it('rememberLatest keeps the results of the keys that were asked for last', () => {
  const worked: string[] = [];
  const remember = rememberLatest<string>(2);
  const ask = (key: string) =>
    remember(key, () => {
      worked.push(key);
      return `result ${worked.length}`;
    });
  expect(['a', 'b', 'a', 'c', 'a', 'b'].map(ask)).toEqual([
    'result 1',
    'result 2',
    'result 1',
    'result 3',
    'result 1',
    'result 4',
  ]);
  expect(worked).toEqual(['a', 'b', 'c', 'b']);
});

it('rememberLatest forgets a rejected promise, but not a newer result of its key', async () => {
  const remember = rememberLatest<Promise<string>>(1);
  let fail = (_: Error) => {};
  const first = remember('a', () => new Promise((_, reject) => (fail = reject)));
  expect(remember('a', async () => 'unused')).toBe(first);
  remember('b', async () => 'b');
  const newer = remember('a', async () => 'newer');
  fail(new Error('broken'));
  await expect(first).rejects.toThrow('broken');
  expect(remember('a', async () => 'unused')).toBe(newer);

  const broken = remember('b', () => Promise.reject(new Error('broken')));
  await expect(broken).rejects.toThrow('broken');
  expect(await remember('b', async () => 'again')).toBe('again');
});
