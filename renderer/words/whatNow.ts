/** What an operation that runs is doing now, or why that cannot be seen. */
import type { Operation } from '../../shared/operation.ts';
import { say } from '../../shared/text/say.ts';
import { currentPhase, phaseName } from './phaseName.ts';

type Seen = Pick<Operation, 'kind' | 'steps' | 'line' | 'silentSince'>;

/** Null when all its phases are behind it. */
export function whatNow({ kind, steps, line, silentSince }: Seen): string | null {
  if (line === 'another-node') return say('Another node answers here');
  if (line === 'lost') return say('The line to the node is lost');
  if (silentSince !== undefined) return say('The node is not heard');
  const phase = currentPhase(steps);
  return phase && phaseName(phase, kind);
}
