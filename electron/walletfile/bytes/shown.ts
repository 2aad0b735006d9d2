/** What of a file is shown: lists and texts, cut where they get too long. A hostile file may hold a novel. */
import type { Listed } from '../../../shared/model/shapes.ts';

/** The first 10,000 items, each made for showing, and how many there are. */
export function listed<T, S>(items: readonly T[], show: (item: T) => S): Listed<S> {
  return firstOf(items, show, 10_000);
}

/** As `listed` does, but at most 100 items: a finding is kept in journals and put into a sentence. */
export function listedInFinding<T, S>(items: readonly T[], show: (item: T) => S): Listed<S> {
  return firstOf(items, show, 100);
}

function firstOf<T, S>(items: readonly T[], show: (item: T) => S, most: number): Listed<S> {
  return { total: items.length, shown: items.slice(0, most).map(show) };
}

/** At most the first thousand characters, and an ellipsis for the rest. */
export function shownText(text: string): string {
  if (text.length <= 1000) return text;
  const start = text.slice(0, 1000);
  // Not the first half of a character.
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`;
}
