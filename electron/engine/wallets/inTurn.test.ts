import { describe, expect, it } from 'vitest';
import { makeTurns } from './wallets.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('makeTurns', () => {
  it('runs works on one wallet one after the other, in the order they came', async () => {
    const inTurn = makeTurns();
    const first = gate();
    const seen: string[] = [];
    const works = [
      inTurn(['a'], async () => {
        await first.opened;
        seen.push('first');
      }),
      inTurn(['a', 'b'], async () => {
        seen.push('second');
      }),
      inTurn(['b'], async () => {
        seen.push('third');
      }),
      inTurn(['c'], async () => {
        seen.push('other');
      }),
    ];
    await works[3];
    expect(seen).toEqual(['other']);
    first.open();
    await Promise.all(works);
    expect(seen).toEqual(['other', 'first', 'second', 'third']);
  });

  it('goes on after a work that failed, and gives its error to its caller', async () => {
    const inTurn = makeTurns();
    const failed = inTurn(['a'], async () => {
      throw new Error('no');
    });
    const next = inTurn(['a'], async () => 'done');
    await expect(failed).rejects.toThrow(new Error('no'));
    await expect(next).resolves.toBe('done');
  });
});
