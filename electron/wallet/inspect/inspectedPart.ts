/** What inspecting finds by the rules of one kind of wallet, legacy or descriptor. */
import type { FileProblem, Inspection } from '../../../shared/inspection.ts';
import type { KnownHistory } from '../legacy/lastKnownBalance.ts';

export interface InspectedPart
  extends Pick<Inspection, 'keys' | 'hdChains' | 'descriptors' | 'scripts' | 'migration'> {
  history: KnownHistory;
  problems: readonly FileProblem[];
}
