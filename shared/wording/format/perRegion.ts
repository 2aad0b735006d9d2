/** Formats of the user's region, and lists in them. Each is created once, because creating it costs more than a thousand uses. */
import { currentLocale } from '../say.ts';

/** Calls `make` again when the region changes. */
export function perRegion<Format>(make: (region: string) => Format): () => Format {
  let latest: { region: string; format: Format } | null = null;
  return () => {
    const { region } = currentLocale();
    if (latest?.region !== region) latest = { region, format: make(region) };
    return latest.format;
  };
}

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

const LISTED = perRegion((region) => new Intl.ListFormat(region, { style: 'narrow' }));

/** `7 private keys, 19 labels`. Skips null and false. */
export function joinList(values: readonly (string | null | false)[]): string {
  return LISTED().format(values.filter((value) => value !== null && value !== false));
}

/** For titles and sentences that may contain commas: `No keys; Made blank`. */
export function joinWithSemicolons(texts: readonly string[]): string {
  return texts.join('; ');
}
