/** The system's name of what went wrong, like `ENOENT`; null for an error that has none. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}
