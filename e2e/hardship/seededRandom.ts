/** Pseudo-random choices, the same for the same seed. */

export interface SeededRandom {
  /** A number from 0 to below 1. */
  share(): number;
  of<T>(items: readonly T[]): T;
}

/** Mulberry32, by Tommy Ettinger: 32 bits of state are enough to choose test cases by. */
export function seededRandom(seed: number): SeededRandom {
  // Spread consecutive seeds.
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b);
  const share = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x100000000;
  };
  return {
    share,
    of: (items) => {
      const item = items[Math.floor(share() * items.length)];
      if (item === undefined) throw new Error('there is nothing to choose from');
      return item;
    },
  };
}
