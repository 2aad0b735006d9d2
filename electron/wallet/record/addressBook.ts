/** A wallet's address book: labels and purposes of addresses. */
import type { InspectedLabel } from '../../../shared/inspection.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Every address with a label or a purpose, in the order of the file, those with a label first. */
export function addressBookOf(records: RecordsByType): InspectedLabel[] {
  const book = new Map<string, InspectedLabel>();
  for (const { address, label } of records.of('name')) book.set(address, { address, label, purpose: null });
  for (const { address, purpose } of records.of('purpose')) {
    const entry = book.get(address);
    if (entry) entry.purpose = purpose;
    else book.set(address, { address, label: null, purpose });
  }
  return [...book.values()];
}
