import { it } from 'vitest';
import { ON_WINDOWS } from './system.ts';

/** A test with modes, links or pipes, as Windows has none. */
export const onUnix = it.skipIf(ON_WINDOWS);
