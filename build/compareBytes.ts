/** Compares bytes as a whole in unit tests. Vitest compares each byte as a property, which takes a second for a large wallet. */
import { expect } from 'vitest';

// A worker runs this for each of its test files, but keeps the testers between them.
const isAdded = Symbol.for('bytes are compared as a whole');
if (!(isAdded in globalThis)) {
  Object.assign(globalThis, { [isAdded]: true });
  expect.addEqualityTesters([
    (a, b) => {
      if (!(a instanceof Uint8Array && b instanceof Uint8Array)) return undefined;
      // Leave bytes of different classes to vitest.
      if (a.constructor !== b.constructor) return undefined;
      return Buffer.compare(a, b) === 0;
    },
  ]);
}
