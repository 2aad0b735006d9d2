/** Values in a row, as the user's region lists them. */
import { perRegion } from '../../text/perRegion.ts';

const ALL = perRegion((region) => new Intl.ListFormat(region, { style: 'narrow' }));

/** `7 private keys, 19 labels`. */
export function listed(values: readonly string[]): string {
  return ALL().format(values);
}

/** Titles and sentences in a row, which may hold commas: `No keys; Made blank`. */
export function listedApart(texts: readonly string[]): string {
  return texts.join('; ');
}
