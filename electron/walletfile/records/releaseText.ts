/** The name of a Bitcoin Core release out of the number that it writes into wallets, and that a node gives of itself. */

/** `280100` → `28.1`, `210100` → `0.21.1`: before 22 the first number was 0. A last 0 is left out, as in names. */
export function releaseText(version: number): string {
  const part = (unit: number) => Math.floor(version / unit) % 100;
  const [major, minor, build] = [Math.floor(version / 10_000), part(100), part(1)];
  if (major >= FIRST_WITHOUT_ZERO) return build === 0 ? `${major}.${minor}` : `${major}.${minor}.${build}`;
  return build === 0 ? `0.${major}.${minor}` : `0.${major}.${minor}.${build}`;
}

const FIRST_WITHOUT_ZERO = 22;
