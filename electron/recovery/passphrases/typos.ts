/** Typing errors: a character left out, doubled, swapped with the next one, or another in its place. */

/** All texts with so many errors. `letters`: what may stand in a character's place. */
export function* typosOf(text: string, errors: number, letters: readonly string[]): Generator<string> {
  if (errors === 0) yield text;
  else for (const typed of withOneError([...text], letters)) yield* typosOf(typed, errors - 1, letters);
}

/** At most how many a text of so many characters makes, with none to `errors` errors. */
export function countOfTypos(length: number, errors: number, letters: number): number {
  if (errors === 0) return 1;
  // Left out, doubled, swapped; and doubling makes a longer text, for the error after it.
  return 1 + length * (3 + letters) * countOfTypos(length + 1, errors - 1, letters);
}

function* withOneError(text: readonly string[], letters: readonly string[]): Generator<string> {
  for (const [at, letter] of text.entries()) {
    const [before, after] = [text.slice(0, at).join(''), text.slice(at + 1).join('')];
    yield before + after;
    yield before + letter + letter + after;
    const [next, ...rest] = text.slice(at + 1);
    if (next !== undefined) yield before + next + letter + rest.join('');
  }
  // They are many more, and rarer.
  for (const [at, letter] of text.entries()) {
    const [before, after] = [text.slice(0, at).join(''), text.slice(at + 1).join('')];
    for (const other of letters) if (other !== letter) yield before + other + after;
  }
}
