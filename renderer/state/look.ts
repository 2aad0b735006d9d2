/** How far the app is with looking at a thing. */
import type { AppErrorShape } from '../../shared/errors.ts';

export type Look<Found> =
  | { state: 'none' }
  /** `before`: what was found last of the same thing; null the first time. */
  | {
      state: 'looking';
      before: Found | null;
      /** Ends it, where a whole file is read for it. */
      cancel?: () => void;
    }
  | { state: 'known'; found: Found }
  | { state: 'failed'; error: AppErrorShape };

/** What was found, also while it is looked at anew; null before, and where it could not be told. */
export function foundBy<Found>(look: Look<Found>): Found | null {
  if (look.state === 'known') return look.found;
  return look.state === 'looking' ? look.before : null;
}
