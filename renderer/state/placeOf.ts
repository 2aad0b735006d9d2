/** Where in the app an operation is shown. */
import type { Operation } from '../../shared/operation.ts';
import type { Place } from './appStore.ts';

/** The wizard that shows it. A backup's wizard shows the one that runs; ended ones are in Activity. */
export function placeOf({
  id,
  kind,
  wallet,
  state,
}: Pick<Operation, 'id' | 'kind' | 'wallet' | 'state'>): Place {
  switch (kind) {
    case 'restore':
      return { at: 'restore', file: null, operation: id };
    case 'migrate':
    case 'restore-migrate':
      return { at: 'migrate', wallet, operation: id };
    case 'backup':
      return state === 'running' ? { at: 'backup', wallet } : { at: 'activity' };
  }
}

/** Whether the operation is what the user looks at now. `queued`: it belongs to the queue of several. */
export function isShownAt(
  place: Place,
  { id, kind, wallet }: Pick<Operation, 'id' | 'kind' | 'wallet'>,
  queued = false,
): boolean {
  switch (place.at) {
    case 'restore':
      return place.operation === id;
    case 'migrate':
      // Its last step shows the new backups, each in its own row.
      return place.operation === id || kind === 'backup';
    case 'migrate-many':
      return queued;
    case 'backup':
      return kind === 'backup' && place.wallet === wallet;
    default:
      return false;
  }
}
