/** Lists within sentences, in the language of the texts. */
import { perRegion } from './perRegion.ts';

const ALL = perRegion((region) => new Intl.ListFormat(region, { type: 'conjunction' }));
const ONE = perRegion((region) => new Intl.ListFormat(region, { type: 'disjunction' }));

/** `a, b and c`. */
export function allOf(items: readonly string[]): string {
  return ALL().format(items);
}

/** `a, b or c`. */
export function oneOf(items: readonly string[]): string {
  return ONE().format(items);
}
