/** Capitals and small letters: as given, first letters of pieces the other way, all of one kind, and Caps Lock. */

/** `parts` as `madeBases` gives them. */
export function* capitalsOf(parts: readonly string[]): Generator<string> {
  yield parts.join('');
  const pieces = parts.flatMap((part, at) => (part === ' ' ? [] : [at]));
  for (let turned = 1; turned < 2 ** pieces.length; turned += 1) {
    const isTurned = (at: number) =>
      pieces.includes(at) && Math.floor(turned / 2 ** pieces.indexOf(at)) % 2 === 1;
    yield parts.map((part, at) => (isTurned(at) ? firstTurned(part) : part)).join('');
  }
  const text = parts.join('');
  yield mapped(text, upper);
  yield mapped(text, lower);
  yield mapped(text, otherCase);
}

/** At most how many, of so many pieces. */
export function countOfCapitals(pieces: number): number {
  return 2 ** pieces + 3;
}

function firstTurned(part: string): string {
  const [first = '', ...rest] = part;
  return otherCase(first) + rest.join('');
}

function mapped(text: string, to: (letter: string) => string): string {
  return Array.from(text, to).join('');
}

/** Keyboards have no capital that is two letters: `ß` stays. */
const single = (made: string, letter: string) => ([...made].length === 1 ? made : letter);
const upper = (letter: string) => single(letter.toUpperCase(), letter);
const lower = (letter: string) => single(letter.toLowerCase(), letter);
const otherCase = (letter: string) => (lower(letter) === letter ? upper(letter) : lower(letter));
