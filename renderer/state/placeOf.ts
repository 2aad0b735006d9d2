/** Where in the app a crossing is shown. */
import type { Operation } from '../../shared/operation.ts';
import type { Place } from './appStore.ts';

export function placeOf({ id }: Pick<Operation, 'id'>): Place {
  return { at: 'crossing', id };
}

/** Whether it is what the user looks at now. `several`: it is one of those that are run one after another. */
export function isShownAt(
  place: Place,
  { id, kind }: Pick<Operation, 'id' | 'kind'>,
  several = false,
): boolean {
  // A result makes the new backups, each in its own row.
  if (place.at === 'crossing') return place.id === id || kind === 'backup';
  return place.at === 'check' && several;
}
