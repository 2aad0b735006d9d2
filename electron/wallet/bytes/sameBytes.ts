/** Whether two byte strings are the same. Not for secrets that someone could find out by the time it takes. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  const { length } = a;
  if (length !== b.length) return false;
  for (let at = 0; at < length; at += 1) if (a[at] !== b[at]) return false;
  return true;
}
