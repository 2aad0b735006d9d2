/** What a descriptor is for and how far it reaches, in words. */
import type { InspectedDescriptor } from '../../shared/inspection.ts';
import { say } from '../../shared/say.ts';
import { formatCount } from '../words/formatCount.ts';

type Told = Pick<InspectedDescriptor, 'active' | 'internal' | 'addressType' | 'range' | 'next'>;

/** One line: `Active, for new bech32 change addresses, range 0 to 999, next 5`. */
export function descriptorWords({ active, internal, addressType, range, next }: Told): string {
  const words = [
    active
      ? say('Active, for new {addressType}', { addressType: kindOf(addressType, internal) })
      : say('Not active'),
  ];
  if (range)
    words.push(
      say('range {range} to {range2}', { range: formatCount(range[0]), range2: formatCount(range[1]) }),
    );
  if (range && next !== null) words.push(`next ${formatCount(next)}`);
  return words.join(', ');
}

function kindOf(addressType: Told['addressType'], internal: Told['internal']): string {
  const words = [addressType, internal === true ? 'change' : null, 'addresses'];
  return words.filter((word) => word !== null).join(' ');
}
