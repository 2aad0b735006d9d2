/** A wallet's address book: labels and purposes of addresses. */
import type { InspectedLabel } from '../../shared/inspection.ts';
import type { RecordsByType } from './recordsByType.ts';

/** Every address with a label or a purpose, in the order of the file, those with a label first. */
export function addressBookOf(records: RecordsByType): InspectedLabel[] {
  const labels = new Map(records.of('name').map(({ address, label }) => [address, label]));
  const purposes = new Map(records.of('purpose').map(({ address, purpose }) => [address, purpose]));
  return [...new Set([...labels.keys(), ...purposes.keys()])].map((address) => ({
    address,
    label: labels.get(address) ?? null,
    purpose: purposes.get(address) ?? null,
  }));
}
