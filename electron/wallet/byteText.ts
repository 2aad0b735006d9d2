/** Bytes as a text of one character each, for looking them up. */

/** As long as the bytes, of characters up to U+00FF. Two are equal exactly when their bytes are. */
export function byteText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}
