/** A few of the mutations that `npm run mutations` makes by the hundred thousand, the same in each run. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { trialsOf } from './numberedTrials.ts';
import { originals } from './originals.ts';
import { type Original, runTrial } from './trial.ts';

const files = (await originals()).filter(({ name }) => name !== 'large');
/** A descriptor wallet takes a quarter of a second, so it gets few runs. The others test the same code. */
const isSlow = ({ name }: Original) => name.startsWith('descriptor');
const SLOW_RUNS = 6;
const RUNS = Math.ceil(600 / files.filter((file) => !isSlow(file)).length);

describe('the mutated files', () => {
  it('are of both databases', () => {
    expect(files.length).toBeGreaterThan(20);
    expect(new Set(files.map(({ bytes }) => bytes[0] === 0x53)).size).toBe(2);
  });

  it.each(files.map((file): [string, Original] => [file.name, file]))(
    'of %s are read or refused',
    async (_, original) => {
      await fc.assert(
        fc.asyncProperty(trialsOf(original), async (trial) => {
          await runTrial(original, { ...trial, passphrase: false });
        }),
        { numRuns: isSlow(original) ? SLOW_RUNS : RUNS, seed: 2026 },
      );
    },
  );
});
