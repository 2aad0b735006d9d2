/** Berkeley DB's checksum of log records and of pages (`__ham_func4`, by Chris Torek), unsigned. */
export function berkeleyHash(bytes: Uint8Array): number {
  let hash = 0;
  const { length } = bytes;
  for (let at = 0; at < length; at += 1) hash = (Math.imul(hash, 33) + (bytes[at] ?? 0)) | 0;
  return hash >>> 0;
}
