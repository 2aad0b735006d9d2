/** Compares bytes as a whole in unit tests: vitest compares them key by key, which takes a second for a large wallet. */
import { expect } from 'vitest';

expect.addEqualityTesters([
  (a, b) => {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return undefined;
    // Those of two classes are left to vitest.
    if (a.constructor !== b.constructor) return undefined;
    return Buffer.compare(a, b) === 0;
  },
]);
