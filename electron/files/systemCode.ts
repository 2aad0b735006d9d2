/** The system's name of what went wrong, like `ENOENT`; null for an error that has none. */
export function systemCode(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}

/** Whether there is no room for what is written, or none for this user: a quota. */
export function isOfFullDisk(code: string | null): boolean {
  return code === 'ENOSPC' || code === 'EDQUOT';
}

/** An error as the system would throw it. */
export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}
