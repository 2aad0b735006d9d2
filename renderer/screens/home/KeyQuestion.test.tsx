import { expect, it } from 'vitest';
import { installFakeFerry } from '../../state/testing/fakeFerry.ts';
import { rendered } from '../../state/testing/rendered.tsx';

installFakeFerry();
const { KeyQuestion, LineMarks, marksEnd } = await import('./KeyQuestion.tsx');

it('gives the damaged lines and the marks beside the text names of their own', () => {
  const damaged = [{ line: 2, column: 1, why: 'checksum' as const }];
  const lines = { keys: 1, taken: 1, damaged, states: ['taken' as const, 'damaged' as const] };
  const question = { answers: {}, of: 'lines', lines } as const;
  const namesOf = (isMarked: boolean) => {
    const markup = rendered(
      <>
        <KeyQuestion question={question} busy={false} isMarked={isMarked} onAnswer={() => {}} />
        {isMarked && <LineMarks lines={lines} field={{ current: null }} />}
      </>,
    );
    return [...markup.matchAll(/<[ou]l[^>]*aria-label="([^"]+)"/g)].map(([, name]) => name);
  };
  expect(namesOf(true)).toEqual(['Damaged', 'Lines']);
  expect(namesOf(false)).toEqual(['Lines']);
});

it('says that only the first lines are marked, where there are more', () => {
  const marked = { states: Array.from({ length: 1000 }, () => 'other' as const) };
  const text = (lines: number) => 'no key\n'.repeat(lines);
  expect(marksEnd(marked, text(1000))).toBeNull();
  expect(marksEnd(marked, text(1001))).toBe('Only the first 1,000 lines are marked.');
});
