/** Whether the user sees a crossing. */
import type { Crossing } from '../../shared/crossing.ts';
import type { Place } from './appStore.ts';

/** Whether it is what the user looks at now. `several`: it is one of those that are run one after another. */
export function isShownAt(
  place: Place,
  { id, kind }: Pick<Crossing, 'id' | 'kind'>,
  several = false,
): boolean {
  // A result makes the new backups, each in its own row.
  if (place.at === 'crossing') return place.id === id || kind === 'backup';
  return place.at === 'check' && several;
}
