import { afterAll, beforeEach, expect, it } from 'vitest';
import { setHome, withTilde } from './names.ts';

beforeEach(() => setHome('/home/ana'));
afterAll(() => setHome(null));

it.each([
  ['/home/ana/wallet.dat', '~/wallet.dat'],
  ['/home/ana', '~'],
  ['Nothing is at /home/ana/old wallets/w.dat.', 'Nothing is at ~/old wallets/w.dat.'],
  ['“/home/ana/a” is not “/home/ana/b”. Look in /home/ana.', '“~/a” is not “~/b”. Look in ~.'],
])('writes %s as %s', (text, expected) => {
  expect(withTilde(text)).toBe(expected);
});

it.each(['/home/anabel/w.dat', '/home/ana.old/w.dat', '/mnt/home/ana/w.dat', 'home/ana', '/home/an'])(
  'leaves %s as it is',
  (text) => {
    expect(withTilde(text)).toBe(text);
  },
);

it('takes every character of the home folder as it is', () => {
  setHome('/h/a.b (1)');
  expect(withTilde('/h/a.b (1)/w')).toBe('~/w');
  expect(withTilde('/h/axb (1)/w')).toBe('/h/axb (1)/w');
});

it('leaves paths of Windows as they are', () => {
  setHome(null);
  expect(withTilde('C:\\Users\\Ana\\w.dat')).toBe('C:\\Users\\Ana\\w.dat');
});
