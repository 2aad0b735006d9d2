/** Suggests names that are similar to a mistyped one. */

const MOST = 3;
/** Characters. Longer names match only if one contains the other. */
const LONGEST = 64;

/** At most three of `names` that are similar to `word`, the nearest first. Ignores case and accents. */
export function nearNames(word: string, names: readonly string[]): string[] {
  const wanted = plain(word);
  return names
    .map((name) => ({ name, far: distance(wanted, plain(name)) }))
    .filter(({ far }) => far !== null)
    .toSorted((one, other) => (one.far ?? 0) - (other.far ?? 0))
    .slice(0, MOST)
    .map(({ name }) => name);
}

const plain = (name: string) => name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** The number of different characters; null for too many. A name that contains the other counts as two edits away. */
function distance(one: string, other: string): number | null {
  if (one === '' || other === '') return null;
  if (one === other) return 0;
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  const contained = short.length >= 3 && long.includes(short) ? 2 : null;
  const most = Math.max(1, Math.floor(long.length / 3));
  if (long.length > LONGEST || long.length - short.length > most) return contained;
  const changes = edits([...short], [...long]);
  return changes <= most ? changes : contained;
}

/** The number of characters to delete, insert, replace or swap with the next. */
function edits(from: readonly string[], to: readonly string[]): number {
  const rows: number[][] = [to.map((_, at) => at + 1)];
  rows[0]?.unshift(0);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [row];
    rows.push(current);
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (same ? 0 : 1),
          swapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(from.length, to.length);
}
