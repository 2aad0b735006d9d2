/** Makes the trial of a seed. The same seed gives the same trial, so a failure can be repeated. */
import fc from 'fast-check';
import { mutationsOf } from './mutationsOf.ts';
import { seededRandom } from './seededRandom.ts';
import type { Original, Trial } from './trial.ts';

export interface NumberedTrial {
  readonly original: Original;
  readonly trial: Trial;
}

export function numberedTrials(originals: readonly Original[]): (seed: number) => NumberedTrial {
  const trials = new Map<Original, fc.Arbitrary<Trial>>();
  const ofFile = (original: Original) => {
    const generator = trials.get(original) ?? trialsOf(original);
    trials.set(original, generator);
    return generator;
  };
  const weighted = originals.flatMap((original) =>
    Array.from({ length: weightOf(original) }, () => original),
  );
  return (seed) => {
    const original = seededRandom(seed).of(weighted);
    const [trial] = fc.sample(ofFile(original), { seed, numRuns: 1 });
    if (!trial) throw new Error('no trial was generated');
    return { original, trial };
  };
}

export function trialsOf({ bytes, records, passphrase, companion }: Original): fc.Arbitrary<Trial> {
  const oneIn = (number: number) => fc.nat({ max: number - 1 }).map((chosen) => chosen === 0);
  if (companion) {
    return fc.record({
      mutation: mutationsOf(companion.bytes, false),
      passphrase: fc.constant(false),
      migrate: fc.constant(false),
      // Without right checksums, a reader stops at the first change.
      checksums: fc.boolean(),
    });
  }
  return fc.record({
    mutation: mutationsOf(bytes, records !== null),
    passphrase: passphrase === undefined ? fc.constant(false) : oneIn(30),
    // The migration of such files takes too long.
    migrate: bytes[0] === SQLITE || bytes.length > LARGE ? fc.constant(false) : oneIn(15),
    checksums: fc.constant(false),
  });
}

/** A large file takes a hundred times as long as a small one. */
function weightOf({ bytes }: Original): number {
  return bytes.length > LARGE ? 1 : 40;
}

/** Bytes. */
const LARGE = 1_000_000;
/** The first byte of a SQLite file. */
const SQLITE = 0x53;
