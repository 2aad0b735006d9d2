/** Compares bytes as a whole in unit tests: vitest compares them key by key, which takes a second for a large wallet. */
import { expect } from 'vitest';

// A worker runs this for each of its test files, and keeps what it was given.
const isAdded = Symbol.for('bytes are compared as a whole');
if (!(isAdded in globalThis)) {
  Object.assign(globalThis, { [isAdded]: true });
  expect.addEqualityTesters([
    (a, b) => {
      if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return undefined;
      // Those of two classes are left to vitest.
      if (a.constructor !== b.constructor) return undefined;
      return Buffer.compare(a, b) === 0;
    },
  ]);
}
