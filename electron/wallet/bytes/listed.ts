/** A list that is cut where it gets too long to show. */
import type { Listed } from '../../../shared/shapes.ts';

const MOST_SHOWN = 10_000;

/** The first 10,000 items, each made for showing, and how many there are. */
export function listed<T, S>(items: readonly T[], show: (item: T) => S): Listed<S> {
  return { total: items.length, shown: items.slice(0, MOST_SHOWN).map(show) };
}
