/** Sorts byte strings that lie in one array, without an object for each: a large wallet has a million of them. */

/** Where byte strings lie in an array. */
export interface KeyPlaces {
  readonly bytes: Uint8Array;
  /** The offset of each. */
  readonly at: Uint32Array;
  /** Its size in bytes. */
  readonly size: Uint32Array;
}

/**
 * The indexes of the byte strings in ascending order (`memcmp`, a prefix before the longer string). Sorts by one byte after the
 * other (MSD radix sort), so that the time is in proportion to the bytes that tell the strings apart.
 */
export function sortedKeys(keys: KeyPlaces): Uint32Array {
  const order = Uint32Array.from(keys.at, (_, index) => index);
  const moved = new Uint32Array(order.length);
  const ahead: Bucket[] = [{ from: 0, to: order.length, depth: 0 }];
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const bucket = { ...next, depth: next.depth + commonBytes(keys, order, next) };
    if (bucket.to - bucket.from <= FEW) sortFew(keys, order, bucket);
    else ahead.push(...split(keys, order, moved, bucket));
  }
  return order;
}

/** Negative, 0 or positive, as two byte strings of the array compare. `depth`: how many of their first bytes are equal. */
export function compareKeys({ bytes, at, size }: KeyPlaces, one: number, other: number, depth = 0): number {
  const [start, otherStart] = [at[one] ?? 0, at[other] ?? 0];
  const [length, otherLength] = [size[one] ?? 0, size[other] ?? 0];
  const common = Math.min(length, otherLength);
  for (let place = depth; place < common; place += 1) {
    const difference = (bytes[start + place] ?? 0) - (bytes[otherStart + place] ?? 0);
    if (difference !== 0) return difference;
  }
  return length - otherLength;
}

/** A part of the order whose byte strings have so many first bytes in common. */
interface Bucket {
  from: number;
  to: number;
  depth: number;
}

/** Up to so many are sorted by comparing them. */
const FEW = 24;

/** How many bytes after the common ones all strings of the bucket share too: names of types are long. */
function commonBytes(
  { bytes, at, size }: KeyPlaces,
  order: Uint32Array,
  { from, to, depth }: Bucket,
): number {
  if (to - from < 2) return 0;
  const first = order[from] ?? 0;
  const start = (at[first] ?? 0) + depth;
  let common = (size[first] ?? 0) - depth;
  for (let place = from + 1; place < to && common > 0; place += 1) {
    const index = order[place] ?? 0;
    const other = (at[index] ?? 0) + depth;
    common = Math.min(common, (size[index] ?? 0) - depth);
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
  { bytes, at, size }: KeyPlaces,
  order: Uint32Array,
  moved: Uint32Array,
  { from, to, depth }: Bucket,
): Bucket[] {
  /** The next byte plus one; 0 for a string that ends here. */
  const digitOf = (index: number) =>
    depth < (size[index] ?? 0) ? (bytes[(at[index] ?? 0) + depth] ?? 0) + 1 : 0;
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
