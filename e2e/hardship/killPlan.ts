/** What is called and when the engine is killed, chosen by a seed. */
import { seededRandom } from './seededRandom.ts';
import type { Form, Subject } from './subject.ts';

export interface Plan {
  readonly method: 'migratewallet' | 'restorewallet';
  readonly subject: Subject;
  readonly release: 25 | 28 | 30;
  /** When: a share of the time that the whole call takes, or after a share of the changes it makes to its folder. */
  readonly instant:
    | { readonly of: 'time'; readonly share: number }
    | { readonly of: 'changes'; readonly share: number; readonly milliseconds: number };
  readonly listed: boolean;
  /** Whether the call is made again once the engine runs again. */
  readonly again: boolean;
}

export function planOf(seed: number, recordings: readonly string[]): Plan {
  const random = seededRandom(seed);
  const method = random.share() < 0.7 ? 'migratewallet' : 'restorewallet';
  const form = method === 'restorewallet' ? 'named' : random.of(forms);
  // 30 loads no legacy wallet, so that it restores none.
  const release = random.of(method === 'restorewallet' ? ([25, 28] as const) : ([28, 30] as const));
  const all =
    method === 'restorewallet' ? [...recordings, 'descriptor-hd', 'descriptor-encrypted'] : recordings;
  const name = { named: `wallet ${seed}`, bare: `old${seed}.dat`, unnamed: '' }[form];
  return {
    method,
    subject: { recording: random.of(all), form, name },
    release,
    instant:
      random.share() < 0.5
        ? { of: 'time', share: random.share() * 1.05 }
        : { of: 'changes', share: random.share(), milliseconds: random.share() * 2 },
    listed: random.share() < 0.5,
    again: random.share() < 0.1,
  };
}

export function titleOf({ method, subject, release, instant }: Plan): string {
  return `${method} of ${subject.recording}, ${subject.form}, release ${release}, at ${instant.share.toFixed(3)} of its ${instant.of}`;
}

/** What is there when the call was not cut off, or in time. */
export function doneState({ method }: Plan): string {
  return method === 'restorewallet' ? 'whole' : 'complete';
}

export const legacyRecordings = [
  'legacy-hd',
  'legacy-hd-encrypted',
  'legacy-watchonly',
  'legacy-solvable',
  'legacy-imported',
  'legacy-nokeys',
];
const forms: readonly Form[] = ['named', 'bare', 'unnamed'];
