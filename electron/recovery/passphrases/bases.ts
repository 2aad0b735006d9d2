/** What the pieces make before anything was changed: which of them are there, in which order, and what is between. */
import type { PassphraseMemory } from '../../../shared/model/search/passphraseMemory.ts';

/** Each as its parts; the spaces between them are parts, too. */
export function* madeBases({ pieces, orders, spaces }: PassphraseMemory): Generator<readonly string[]> {
  for (const chosen of choices(pieces)) {
    for (const parts of orders ? permutations(chosen) : [chosen]) {
      yield parts;
      if (spaces && parts.length > 1) yield parts.flatMap((part, at) => (at === 0 ? [part] : [' ', part]));
    }
  }
}

/** At most how many, each taken as often as `times` says for so many pieces. */
export function countOfBases(
  { pieces, orders, spaces }: PassphraseMemory,
  times: (pieces: number) => number,
): number {
  // How many choices have 0, 1, 2… pieces.
  let bySize = [1];
  for (const { alternatives, optional } of pieces) {
    const next = new Array<number>(bySize.length + 1).fill(0);
    for (const [size, ways] of bySize.entries()) {
      next[size + 1] = (next[size + 1] ?? 0) + ways * alternatives.length;
      if (optional) next[size] = (next[size] ?? 0) + ways;
    }
    bySize = next;
  }
  return bySize.reduce((sum, ways, size) => {
    const inOrder = orders ? factorial(size) : 1;
    return sum + ways * inOrder * (spaces && size > 1 ? 2 : 1) * times(size);
  }, 0);
}

function* choices([first, ...rest]: PassphraseMemory['pieces']): Generator<readonly string[]> {
  if (first === undefined) {
    yield [];
    return;
  }
  for (const one of first.alternatives) for (const others of choices(rest)) yield [one, ...others];
  if (first.optional) yield* choices(rest);
}

/** The order as given comes first. */
function* permutations(parts: readonly string[]): Generator<readonly string[]> {
  if (parts.length < 2) {
    yield parts;
    return;
  }
  for (const [at, part] of parts.entries()) {
    for (const others of permutations(parts.toSpliced(at, 1))) yield [part, ...others];
  }
}

function factorial(size: number): number {
  return size < 2 ? 1 : size * factorial(size - 1);
}
