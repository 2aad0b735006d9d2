/** Values in a row, as the user's region lists them. */
import { perRegion } from './perRegion.ts';

const ALL = perRegion((region) => new Intl.ListFormat(region, { style: 'narrow' }));

/** `7 private keys, 19 labels`; what is null or false is left out. */
export function listed(values: readonly (string | null | false)[]): string {
  return ALL().format(values.filter((value) => value !== null && value !== false));
}

/** Titles and sentences in a row, which may hold commas: `No keys; Made blank`. */
export function listedApart(texts: readonly string[]): string {
  return texts.join('; ');
}
