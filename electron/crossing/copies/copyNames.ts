/** Names of safety copies, fit for a file on every system. */

/** `2026-11-21 04.55.12`, in UTC, fit for a file name on every system. */
export function fileTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ').replaceAll(':', '.');
}

export function fileName(wallet: string): string {
  const safe = wallet.replace(/[^\p{L}\p{N}._-]+/gu, '_').slice(0, 60);
  return safe === '' || /^\.+$/.test(safe) ? 'wallet' : safe;
}
