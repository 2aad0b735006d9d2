/** Whether a legacy wallet's file was not closed cleanly, so that its last changes may be elsewhere. */
import type { Inspection } from '../../../../shared/inspection.ts';

export function isUnclosed({ file: { format } }: Pick<Inspection, 'file'>): boolean {
  return format.kind === 'berkeley-db' && !format.cleanlyClosed;
}
