/** How far the checks before a migration are. */
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { MigrationChecks } from '../../../shared/safety.ts';

export type Checking =
  | { state: 'none' }
  /** `before`: what was found last of the same wallet; null the first time. */
  | { state: 'looking'; before: MigrationChecks | null }
  | { state: 'known'; found: MigrationChecks }
  | { state: 'failed'; error: AppErrorShape };

/** What was found, also while it is looked at anew; null before, and where it could not be told. */
export function foundBy(checking: Checking): MigrationChecks | null {
  if (checking.state === 'known') return checking.found;
  return checking.state === 'looking' ? checking.before : null;
}
