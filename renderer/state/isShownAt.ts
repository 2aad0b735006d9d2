/** Whether the user sees a job. */
import type { Job } from '../../shared/model/job.ts';
import type { Place } from './appStore.ts';

/** Whether it is what the user looks at now. `several`: the ids of those that are run one after another, if any are. */
export function isShownAt(
  place: Place,
  { id, kind }: Pick<Job, 'id' | 'kind'>,
  several: readonly string[] | null = null,
): boolean {
  // A result makes the new backups, each in its own row.
  if (place.at === 'job') return place.id === id || kind === 'backup';
  return place.at === 'check' && several !== null && (several.includes(id) || kind === 'backup');
}
