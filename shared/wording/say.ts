/** Translates every text that a user reads. The English text is the key of its translations. */

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
let intl: { numbers: Intl.NumberFormat; plurals: Intl.PluralRules } | null = null;
const parsed = new Map<string, readonly Piece[]>();

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
  intl = null;
  parsed.clear();
}

/**
 * Sets the user's region as the page reports it, so that reports have the same date format as the page. A server may have
 * started without a region.
 */
export function configureRegion(preferred: readonly string[]): void {
  locale = { ...locale, region: regionFor(locale.language, preferred) };
  intl = null;
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
 * @param text ICU message format: `{name}` for a value, `{count, number}` for a number, and
 * `{count, plural, one {# wallet} other {# wallets}}` for a number with its noun. Apostrophes escape a brace.
 */
export function say(text: string, values: Values = {}): string {
  return sayParts(text, values).join('');
}

/** As `say`, but returns parts, so that values other than text keep their type. A missing value stays in braces. */
export function sayParts<Part>(text: string, values: Readonly<Record<string, Part>>): (string | Part)[] {
  const pieces = parsed.get(text) ?? parse(locale.catalogue[text] ?? text);
  parsed.set(text, pieces);
  return partsOf(pieces, values);
}

/** Words, or a value: as it is, as a number, or as a number with its noun in one of several forms. */
type Piece =
  | string
  | { name: string; kind?: string | undefined; forms: ReadonlyMap<string, readonly Piece[]> };

const WORDS = /^(?:''|'[{}#](?:[^']|'')*'|[^{}#])+/;
const VALUE = /^\{\s*(\w+)\s*(?:,\s*(number|plural)\s*)?,?/;
const CLOSING = /^\s*\}/;
const FORM = /^\s*(=\d+|\w+)\s*\{/;

/** Parses ICU message format. @throws SyntaxError */
function parse(text: string): Piece[] {
  let rest = text;
  function take(pattern: RegExp): RegExpExecArray | null {
    const match = pattern.exec(rest);
    rest = rest.slice(match?.[0].length ?? 0);
    return match;
  }
  function refuse(): never {
    throw new SyntaxError(`Not in ICU message format: ${text}`);
  }
  /** `counted`: the number that `#` stands for. */
  function pieces(counted: string | null): Piece[] {
    const found: Piece[] = [];
    while (rest !== '' && !rest.startsWith('}')) {
      const words = take(WORDS)?.[0]
        .replace(/'([{}#](?:[^']|'')*)'/g, '$1')
        .replaceAll("''", "'");
      if (words !== undefined) found.push(words);
      else if (take(/^#/))
        found.push(counted === null ? '#' : { name: counted, kind: 'number', forms: new Map() });
      else {
        const [, name = '', kind] = take(VALUE) ?? [];
        const forms = new Map<string, Piece[]>();
        for (let form = take(FORM); form; form = take(FORM)) {
          forms.set(form[1] ?? '', pieces(name));
          take(CLOSING) ?? refuse();
        }
        take(CLOSING) ?? refuse();
        found.push({ name, kind, forms });
      }
    }
    return found;
  }
  const all = pieces(null);
  if (rest !== '') refuse();
  return all;
}

function partsOf<Part>(pieces: readonly Piece[], values: Readonly<Record<string, Part>>): (string | Part)[] {
  return pieces.flatMap<string | Part>((piece) => {
    if (typeof piece === 'string') return piece;
    const { name, kind, forms } = piece;
    const value = values[name];
    if (value === undefined) return `{${name}}`;
    if (kind === undefined) return [value];
    intl ??= {
      numbers: new Intl.NumberFormat(locale.region),
      plurals: new Intl.PluralRules(locale.region),
    };
    const number = typeof value === 'bigint' ? value : Number(value);
    if (kind === 'number') return intl.numbers.format(number);
    const form =
      forms.get(`=${number}`) ?? forms.get(intl.plurals.select(Number(number))) ?? forms.get('other');
    return partsOf(form ?? [], values);
  });
}

function isKnown(tag: string): boolean {
  try {
    return Intl.PluralRules.supportedLocalesOf(tag).length > 0;
  } catch {
    return false;
  }
}
