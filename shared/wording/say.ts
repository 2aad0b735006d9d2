/** Every text that a user reads, in the language the app speaks. The English text is the key of its translations. */
import { IntlMessageFormat } from 'intl-messageformat';

/** English text to the same text in another language, both in ICU message format. */
type Catalogue = Readonly<Record<string, string>>;

export type Values = Readonly<Record<string, string | number | bigint>>;

interface Speech {
  /** BCP 47, of the text. */
  readonly language: string;
  /** BCP 47, of numbers and dates: of the same language, and of the user's region where that is known. */
  readonly region: string;
  readonly catalogue: Catalogue;
}

let speech: Speech = { language: 'en', region: 'en-GB', catalogue: {} };
const formats = new Map<string, IntlMessageFormat>();

/**
 * Sets the language, once, before any text is made: constants keep the one of the moment they were made in.
 *
 * @param preferred BCP 47 tags of the user, best first: the first one of this language gives the form of numbers and
 * dates. Amounts of money keep a point in all of them.
 */
export function speak(language: string, catalogue: Catalogue, preferred: readonly string[] = []): void {
  speech = { language, region: regionFor(language, preferred), catalogue };
  formats.clear();
}

/**
 * Takes the region of the user from the page, so that reports have the dates that the page shows. A server or a terminal
 * may have been started without any.
 */
export function takeRegion(preferred: readonly string[]): void {
  speech = { ...speech, region: regionFor(speech.language, preferred) };
  formats.clear();
}

function regionFor(language: string, preferred: readonly string[]): string {
  const spoken = language.split('-')[0];
  const region = preferred.find((tag) => tag.split('-')[0] === spoken && isKnown(tag));
  return region ?? (spoken === 'en' ? 'en-GB' : language);
}

/** What a file of translations holds. By hand, as it comes before anything else is loaded. @throws TypeError */
export function parseCatalogue(read: unknown): Catalogue {
  const texts =
    typeof read === 'object' && read !== null && !Array.isArray(read) ? Object.entries(read) : null;
  if (!texts?.every(([, text]) => typeof text === 'string'))
    throw new TypeError('Not a file of translations.');
  return Object.fromEntries(texts);
}

/** The language of the texts, and the locale for numbers and dates. */
export function spoken(): Pick<Speech, 'language' | 'region'> {
  return speech;
}

/** The translations in use; none for English. */
export function catalogue(): Catalogue {
  return speech.catalogue;
}

/**
 * @param text ICU message format: `{name}` for a value, `{count, plural, one {# wallet} other {# wallets}}` for a number
 * with its noun. A brace that is meant as one stands in apostrophes.
 */
export function say(text: string, values?: Values): string {
  // Most texts hold nothing to put in: a format of their own would cost a tenth of a millisecond each.
  if (values === undefined) {
    const plain = speech.catalogue[text] ?? text;
    if (!SYNTAX.test(plain)) return plain;
  }
  return String(formatOf(text).format(values));
}

/** What ICU message format reads as more than text. */
const SYNTAX = /[{}']/;

/** As `say`, in parts, for values that are not text: each stays what it is, at its place. */
export function sayParts<Part>(text: string, values: Readonly<Record<string, Part>>): (string | Part)[] {
  const parts = formatOf(text).formatToParts<Part>({ ...values });
  return parts.map(({ value }) => value);
}

function formatOf(text: string): IntlMessageFormat {
  const known = formats.get(text);
  if (known) return known;
  const format = new IntlMessageFormat(speech.catalogue[text] ?? text, speech.region, undefined, {
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
