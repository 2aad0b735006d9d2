/** Whether a host name, as a user types it, means this very machine. */

/** 127.0.0.0/8, ::1 and localhost; the same rule as in the main process. */
export function isThisMachine(host: string): boolean {
  const name = host
    .trim()
    .toLowerCase()
    .replace(/^\[|\]$/g, '');
  return name === 'localhost' || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}
