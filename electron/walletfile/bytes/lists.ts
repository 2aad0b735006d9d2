/** Groups lists, and shortens them for display, because a hostile file may hold very long ones. */
import type { TruncatedList } from '../../../shared/model/shapes.ts';

/** The first 10,000 items, each as `show` presents it, and the total. */
export function listOf<T, S>(items: readonly T[], show: (item: T) => S): TruncatedList<S> {
  return firstOf(items, show, 10_000);
}

/** Like `listOf` with at most 100 items, because a finding is kept in journals and put into a sentence. */
export function listInFinding<T, S>(items: readonly T[], show: (item: T) => S): TruncatedList<S> {
  return firstOf(items, show, 100);
}

function firstOf<T, S>(items: readonly T[], show: (item: T) => S, most: number): TruncatedList<S> {
  return { total: items.length, shown: items.slice(0, most).map(show) };
}

/** The first thousand characters, with an ellipsis for the rest. */
export function shortText(text: string): string {
  if (text.length <= 1000) return text;
  const start = text.slice(0, 1000);
  // Do not keep half a surrogate pair.
  return `${/[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start}…`;
}

/**
 * The same items in a new array without spare room. V8 gives an array that grows room for 16 more items, which counts with hundreds of
 * thousands of short arrays.
 */
export function compact<T>(items: readonly T[]): readonly T[] {
  return items.slice();
}

/** Groups items by key. Keeps the order of keys and items. */
export function groupedBy<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
