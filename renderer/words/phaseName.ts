/** What the phases of long work are called on screen. */
import type { Operation, Phase, Step } from '../../shared/model.ts';

/** As a line of a list: "The node makes its backup". */
export function phaseName(phase: Phase, kind: Operation['kind']): string {
  return kind === 'backup' ? (OF_BACKUP[phase] ?? NAMES[phase]) : NAMES[phase];
}

/** The phase under way; before the first one begins, that one; null when all are behind. */
export function currentPhase(steps: readonly Step[]): Phase | null {
  const running =
    steps.find(({ state }) => state === 'running') ?? steps.find(({ state }) => state === 'waiting');
  return running?.phase ?? null;
}

const NAMES: Readonly<Record<Phase, string>> = {
  preparing: 'Checking',
  'safety-copy': 'The app makes its own copy',
  placing: 'Placing a copy of the backup',
  sent: 'Sent to the node',
  'backing-up': 'The node makes its own backup',
  converting: 'Converting the wallet',
  separating: 'Setting watched and solvable scripts apart',
  loading: 'Loading the wallet',
  rescanning: 'Rescanning the block chain',
  verifying: 'Checking what came of it',
  proving: 'Comparing before and after',
};

const OF_BACKUP: Partial<Readonly<Record<Phase, string>>> = {
  sent: 'The node writes the backup',
  verifying: 'Reading the backup and making its SHA-256',
};
