/** Bytes as a text of one character each, for looking them up. */

/** As long as the bytes, of characters up to U+00FF. Two are equal exactly when their bytes are. */
export function byteText(bytes: Uint8Array): string {
  if (bytes.length <= FEW) return Reflect.apply(String.fromCharCode, undefined, bytes);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

/** So few that they can be the arguments of a call, which is the faster way. */
const FEW = 256;

/** The bytes of a text that `byteText` gave. */
export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'latin1'));
}
