import { expect, it } from 'vitest';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { KeyQuestion, LineMarks, marksEnd } = await import('./Home.tsx');

it('lists each damage once, and gives the list and the marks beside the text names of their own', () => {
  const damaged = [2, 2].map((line) => ({ line, column: 1, why: 'checksum' as const }));
  const lines = { keys: 1, taken: 1, damaged, states: ['taken' as const, 'damaged' as const] };
  const markup = rendered(
    <>
      <KeyQuestion question={{ answers: {}, of: 'lines', lines }} busy={false} onAnswer={() => {}} />
      <LineMarks lines={lines} field={{ current: null }} />
    </>,
  );
  const names = [...markup.matchAll(/<[ou]l[^>]*aria-label="([^"]+)"/g)].map(([, name]) => name);
  expect(names).toEqual(['Damaged', 'Lines']);
  const [list = ''] = markup.split('aria-label="Lines"');
  expect(list.split('Line 2: wrong character.')).toHaveLength(2);
});

it('says that only the first lines are marked, where there are more', () => {
  const marked = { states: Array.from({ length: 1000 }, () => 'other' as const) };
  const text = (lines: number) => 'no key\n'.repeat(lines);
  expect(marksEnd(marked, text(1000))).toBeNull();
  expect(marksEnd(marked, text(1001))).toBe('Only the first 1,000 lines are marked.');
});
