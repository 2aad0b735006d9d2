/** Sorts byte strings that lie in one array, without an object for each: a large wallet has a million of them. */

/** Where byte strings lie in an array. */
export interface KeyPlaces {
  readonly bytes: Uint8Array;
  /** The offset of each. */
  readonly offsets: Uint32Array;
  /** Its size in bytes. */
  readonly sizes: Uint32Array;
}

/**
 * The indexes of the byte strings in ascending order (`memcmp`, a prefix before the longer string). Long runs that are already in
 * order, such as the address book of a legacy wallet, are merged instead of sorted.
 */
export function sortedKeys(keys: KeyPlaces): Uint32Array {
  const runs = ascendingRuns(keys);
  let size = keys.offsets.length;
  for (const { from, to } of runs) size -= to - from;
  const others = new Uint32Array(size);
  let [filled, next] = [0, 0];
  for (const { from, to } of [...runs, { from: keys.offsets.length, to: keys.offsets.length }]) {
    for (; next < from; next += 1) {
      others[filled] = next;
      filled += 1;
    }
    next = to;
  }
  sort(keys, others);
  return runs.reduce<Uint32Array>((order, run) => withRun(keys, order, run), others);
}

/** Consecutive byte strings from one index up to, but not including, another. */
interface Run {
  from: number;
  to: number;
}

/** The long runs of byte strings in ascending order; none if there are too many to save time. */
function ascendingRuns(keys: KeyPlaces): Run[] {
  const runs: Run[] = [];
  let from = 0;
  for (let to = 1; to <= keys.offsets.length && runs.length <= MAX_RUNS; to += 1) {
    if (to < keys.offsets.length && compareKeys(keys, to - 1, to) < 0) continue;
    if (to - from >= LONG_RUN) runs.push({ from, to });
    from = to;
  }
  return runs.length > MAX_RUNS ? [] : runs;
}

const LONG_RUN = 256;
const MAX_RUNS = 8;

/** Merges a run into an order. */
function withRun(keys: KeyPlaces, order: Uint32Array, { from, to }: Run): Uint32Array {
  const merged = new Uint32Array(order.length + to - from);
  const start = placeFor(keys, order, from);
  merged.set(order.subarray(0, start));
  let [place, run, target] = [start, from, start];
  while (run < to && place < order.length && compareKeys(keys, order[place] ?? 0, to - 1) < 0) {
    const one = order[place] ?? 0;
    if (compareKeys(keys, one, run) < 0) {
      merged[target] = one;
      place += 1;
    } else {
      merged[target] = run;
      run += 1;
    }
    target += 1;
  }
  for (; run < to; run += 1) {
    merged[target] = run;
    target += 1;
  }
  merged.set(order.subarray(place), target);
  return merged;
}

/** The first place in the order whose byte string is not less than the one at `index`. */
function placeFor(keys: KeyPlaces, order: Uint32Array, index: number): number {
  let [from, to] = [0, order.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (compareKeys(keys, order[middle] ?? 0, index) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

/**
 * Sorts indexes by their strings, one byte position after another (MSD radix sort). The time is proportional to the number of bytes
 * that distinguish the strings.
 */
function sort(keys: KeyPlaces, order: Uint32Array): void {
  const moved = new Uint32Array(order.length);
  const ahead: Bucket[] = [{ from: 0, to: order.length, depth: 0 }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const bucket = { ...next, depth: next.depth + commonBytes(keys, order, next) };
    if (bucket.to - bucket.from <= FEW) sortFew(keys, order, bucket);
    else ahead.push(...split(keys, order, moved, bucket));
  }
}

/** Negative, 0 or positive, as two byte strings of the array compare. `depth`: how many of their first bytes are equal. */
export function compareKeys(
  { bytes, offsets, sizes }: KeyPlaces,
  one: number,
  other: number,
  depth = 0,
): number {
  const start = offsets[one] ?? 0;
  const otherStart = offsets[other] ?? 0;
  const length = sizes[one] ?? 0;
  const otherLength = sizes[other] ?? 0;
  const common = Math.min(length, otherLength);
  for (let place = depth; place < common; place += 1) {
    const difference = (bytes[start + place] ?? 0) - (bytes[otherStart + place] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

/** A part of the order whose byte strings share their first `depth` bytes. */
interface Bucket {
  from: number;
  to: number;
  depth: number;
}

/** Groups up to this size are sorted by comparing their members. */
const FEW = 24;

/** How many bytes after the common ones all strings of the bucket share too: names of types are long. */
function commonBytes(
  { bytes, offsets, sizes }: KeyPlaces,
  order: Uint32Array,
  { from, to, depth }: Bucket,
): number {
  if (to - from < 2) return 0;
  const first = order[from] ?? 0;
  const start = (offsets[first] ?? 0) + depth;
  let common = (sizes[first] ?? 0) - depth;
  for (let place = from + 1; place < to && common > 0; place += 1) {
    const index = order[place] ?? 0;
    const other = (offsets[index] ?? 0) + depth;
    common = Math.min(common, (sizes[index] ?? 0) - depth);
    let same = 0;
    while (same < common && bytes[start + same] === bytes[other + same]) same += 1;
    common = same;
  }
  return common;
}

function sortFew(keys: KeyPlaces, order: Uint32Array, { from, to, depth }: Bucket): void {
  for (let place = from + 1; place < to; place += 1) {
    const index = order[place] ?? 0;
    let free = place;
    for (; free > from; free -= 1) {
      const before = order[free - 1] ?? 0;
      if (compareKeys(keys, before, index, depth) <= 0) break;
      order[free] = before;
    }
    order[free] = index;
  }
}

/** Orders a bucket by its next byte, those without one first. Returns the buckets that are still to be sorted. */
function split(
  { bytes, offsets, sizes }: KeyPlaces,
  order: Uint32Array,
  moved: Uint32Array,
  { from, to, depth }: Bucket,
): Bucket[] {
  /** The next byte plus one; 0 for a string that ends here. */
  const digitOf = (index: number) =>
    depth < (sizes[index] ?? 0) ? (bytes[(offsets[index] ?? 0) + depth] ?? 0) + 1 : 0;
  const ends = new Uint32Array(DIGITS + 1);
  for (let place = from; place < to; place += 1) {
    const digit = digitOf(order[place] ?? 0) + 1;
    ends[digit] = (ends[digit] ?? 0) + 1;
  }
  for (let digit = 1; digit <= DIGITS; digit += 1) ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0);
  const buckets: Bucket[] = [];
  for (let digit = 1; digit < DIGITS; digit += 1) {
    const [start, end] = [from + (ends[digit] ?? 0), from + (ends[digit + 1] ?? 0)];
    if (end - start > 1) buckets.push({ from: start, to: end, depth: depth + 1 });
  }
  for (let place = from; place < to; place += 1) {
    const index = order[place] ?? 0;
    const digit = digitOf(index);
    const target = from + (ends[digit] ?? 0);
    moved[target] = index;
    ends[digit] = (ends[digit] ?? 0) + 1;
  }
  order.set(moved.subarray(from, to), from);
  return buckets;
}

const DIGITS = 257;
