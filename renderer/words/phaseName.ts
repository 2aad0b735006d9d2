/** What the phases of long work are called on screen. */
import type { Operation, Phase, Step } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';

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
  preparing: say('Checking'),
  'safety-copy': say('The app makes its own copy'),
  placing: say('Placing a copy of the backup'),
  sent: say('Sent to the node'),
  'backing-up': say('The node makes its own backup'),
  converting: say('Converting the wallet'),
  separating: say('Setting watched and solvable scripts apart'),
  loading: say('Loading the wallet'),
  rescanning: say('Rescanning the block chain'),
  verifying: say('Checking what came of it'),
  proving: say('Comparing before and after'),
};

const OF_BACKUP: Partial<Readonly<Record<Phase, string>>> = {
  sent: say('The node writes the backup'),
  verifying: say('Reading the backup and making its SHA-256'),
};
