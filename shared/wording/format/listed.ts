/** Lists of values in the format of the user's region. */
import { perRegion } from './perRegion.ts';

const ALL = perRegion((region) => new Intl.ListFormat(region, { style: 'narrow' }));

/** `7 private keys, 19 labels`. Skips null and false. */
export function listed(values: readonly (string | null | false)[]): string {
  return ALL().format(values.filter((value) => value !== null && value !== false));
}

/** For titles and sentences that may contain commas: `No keys; Made blank`. */
export function listedApart(texts: readonly string[]): string {
  return texts.join('; ');
}
