import { expect, it, vi } from 'vitest';
import { createDrives } from './drives.ts';

const roots = [...'CDEFGHIJ'].map((letter) => `${letter}:\\`);
/** Milliseconds. Only a drive that never answers takes them. */
const limits = { listMs: 200, openMs: 200 };

/** `present`, `dead`: letters. A look at a dead drive ends when it is released. */
function drivesWith({ present, dead = '' }: { present: string; dead?: string }) {
  const release = new Map<string, (isPresent: boolean) => void>();
  const look = vi.fn(async (root: string) => {
    const [letter = ''] = root;
    if (!dead.includes(letter) || release.has(letter)) return present.includes(letter);
    return new Promise<boolean>((resolve) => release.set(letter, resolve));
  });
  const asked = () => look.mock.calls.map(([root]) => root[0]).join('');
  return { drives: createDrives({ roots, look, limits }), release, asked };
}

const answering = (letters: string) =>
  [...letters].map((letter) => ({ root: `${letter}:\\`, answers: true }));
const silent = (letter: string) => ({ root: `${letter}:\\`, answers: false });

it('lists the drives that are there', async () => {
  const { drives } = drivesWith({ present: 'CDG' });
  expect(await drives.list()).toEqual(answering('CDG'));
});

it('lists a drive that does not answer as such, and the others behind it', async () => {
  const { drives } = drivesWith({ present: 'CDG', dead: 'E' });
  expect(await drives.list()).toEqual([...answering('CD'), silent('E'), ...answering('G')]);
});

it('looks at a silent drive once, until the user opens it', async () => {
  const { drives, release, asked } = drivesWith({ present: 'CE', dead: 'E' });
  await drives.list();
  await drives.list();
  expect(await drives.answers('E:\\wallets')).toBe(false);
  expect(asked().replaceAll(/[^E]/g, '')).toBe('E');
  release.get('E')?.(false);
  // The first one takes the answer of the look that was under way.
  expect(await drives.answers('E:\\')).toBe(true);
  expect(await drives.answers('e:\\')).toBe(true);
  expect(await drives.list()).toEqual(answering('CE'));
});

it('keeps the threads that read files: two looks wait at most', async () => {
  const { drives, release, asked } = drivesWith({ present: 'C', dead: 'DEFG' });
  expect(await drives.list()).toEqual([...answering('C'), silent('D'), silent('E')]);
  await drives.list();
  expect(asked()).not.toMatch(/[FG]/);
  release.get('D')?.(false);
  await vi.waitFor(async () => expect(await drives.list()).toContainEqual(silent('F')));
  expect(asked()).not.toContain('G');
});

it('lists a drive that woke up late', async () => {
  const { drives, release } = drivesWith({ present: 'C', dead: 'D' });
  expect(await drives.list()).toEqual([...answering('C'), silent('D')]);
  release.get('D')?.(true);
  await vi.waitFor(async () => expect(await drives.list()).toEqual(answering('CD')));
});

it.each(['C:\\Users\\ana', 'c:/users', '/home/ana', '\\\\server\\share'])(
  'lets a path of a drive that answers, and one without a drive, be opened: %s',
  async (path) => {
    const { drives } = drivesWith({ present: 'C' });
    expect(await drives.answers(path)).toBe(true);
  },
);
