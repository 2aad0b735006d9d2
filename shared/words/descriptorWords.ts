/** What a descriptor is for and how far it reaches, in words. */
import type { InspectedDescriptor } from '../inspection.ts';
import { say } from '../text/say.ts';
import { listed } from './format/listed.ts';

type Told = Pick<InspectedDescriptor, 'active' | 'internal' | 'addressType' | 'range' | 'next'>;

/** One line: `Active, for new bech32 change addresses, range 0 to 999, next 5`. */
export function descriptorWords({ active, internal, addressType, range, next }: Told): string {
  const words = [active ? purposeOf(addressType, internal) : say('Not active')];
  if (range) words.push(say('range {from, number} to {to, number}', { from: range[0], to: range[1] }));
  if (range && next !== null) words.push(say('next {index, number}', { index: next }));
  return listed(words);
}

function purposeOf(type: Told['addressType'], internal: Told['internal']): string {
  if (type === null) {
    return internal === true ? say('Active, for new change addresses') : say('Active, for new addresses');
  }
  return internal === true
    ? say('Active, for new {type} change addresses', { type })
    : say('Active, for new {type} addresses', { type });
}
