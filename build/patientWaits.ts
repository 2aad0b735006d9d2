/** Lets `vi.waitFor` wait as long as `expect.poll` does: its own default, a second, is too short on a busy machine. */
import { vi } from 'vitest';

const TIMEOUT_MS = 20_000;

// A worker runs this for each of its test files, and keeps what it was given.
const isAdded = Symbol.for('waits are patient');
if (!(isAdded in globalThis)) {
  Object.assign(globalThis, { [isAdded]: true });
  const { waitFor } = vi;
  vi.waitFor = (check, options = {}) =>
    waitFor(check, {
      timeout: TIMEOUT_MS,
      ...(typeof options === 'number' ? { timeout: options } : options),
    });
}
