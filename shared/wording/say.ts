/** Translates every text that a user reads. The English text is the key of its translations. */
import { IntlMessageFormat } from 'intl-messageformat';

/** English text to the same text in another language, both in ICU message format. */
type Catalogue = Readonly<Record<string, string>>;

export type Values = Readonly<Record<string, string | number | bigint>>;

interface LocaleState {
  /** BCP 47, of the text. */
  readonly language: string;
  /** BCP 47, of numbers and dates: the same language, in the user's region if that is known. */
  readonly region: string;
  readonly catalogue: Catalogue;
}

let locale: LocaleState = { language: 'en', region: 'en-GB', catalogue: {} };
const formats = new Map<string, IntlMessageFormat>();

/**
 * Sets the language. Call it once, before any text is made: constants keep the language of their creation.
 *
 * @param preferred BCP 47 tags of the user, best first. The first one of this language decides the format of numbers and
 * dates. Amounts of bitcoin always have a decimal point.
 */
export function configureLanguage(
  language: string,
  catalogue: Catalogue,
  preferred: readonly string[] = [],
): void {
  locale = { language, region: regionFor(language, preferred), catalogue };
  formats.clear();
}

/**
 * Sets the user's region as the page reports it, so that reports have the same date format as the page. A server may have
 * started without a region.
 */
export function configureRegion(preferred: readonly string[]): void {
  locale = { ...locale, region: regionFor(locale.language, preferred) };
  formats.clear();
}

function regionFor(language: string, preferred: readonly string[]): string {
  const primaryTag = language.split('-')[0];
  const region = preferred.find((tag) => tag.split('-')[0] === primaryTag && isKnown(tag));
  return region ?? (primaryTag === 'en' ? 'en-GB' : language);
}

/** Parses a file of translations. Without zod, because it runs before other modules load. @throws TypeError */
export function parseCatalogue(read: unknown): Catalogue {
  const texts =
    typeof read === 'object' && read !== null && !Array.isArray(read) ? Object.entries(read) : null;
  if (!texts?.every(([, text]) => typeof text === 'string'))
    throw new TypeError('Not a file of translations.');
  return Object.fromEntries(texts);
}

/** The language of the texts, and the locale for numbers and dates. */
export function currentLocale(): Pick<LocaleState, 'language' | 'region'> {
  return locale;
}

/** The translations in use; none for English. */
export function catalogue(): Catalogue {
  return locale.catalogue;
}

/**
 * @param text ICU message format: `{name}` for a value, `{count, plural, one {# wallet} other {# wallets}}` for a number
 * with its noun. Apostrophes escape a brace.
 */
export function say(text: string, values?: Values): string {
  // Most texts have no values. A format for each would take a tenth of a millisecond.
  if (values === undefined) {
    const plain = locale.catalogue[text] ?? text;
    if (!SYNTAX.test(plain)) return plain;
  }
  return String(formatOf(text).format(values));
}

/** Characters with a meaning in ICU message format. */
const SYNTAX = /[{}']/;

/** As `say`, but returns parts, so that values other than text keep their type. */
export function sayParts<Part>(text: string, values: Readonly<Record<string, Part>>): (string | Part)[] {
  const parts = formatOf(text).formatToParts<Part>({ ...values });
  return parts.map(({ value }) => value);
}

function formatOf(text: string): IntlMessageFormat {
  const known = formats.get(text);
  if (known) return known;
  const format = new IntlMessageFormat(locale.catalogue[text] ?? text, locale.region, undefined, {
    ignoreTag: true,
  });
  formats.set(text, format);
  return format;
}

function isKnown(tag: string): boolean {
  try {
    return Intl.PluralRules.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
