/** Lists within sentences, in the language of the texts. */
import { spoken } from './say.ts';

/** `a, b and c`. */
export function allOf(items: readonly string[]): string {
  return listed(items, 'conjunction');
}

/** `a, b or c`. */
export function oneOf(items: readonly string[]): string {
  return listed(items, 'disjunction');
}

function listed(items: readonly string[], type: 'conjunction' | 'disjunction'): string {
  return new Intl.ListFormat(spoken().region, { type }).format(items);
}
