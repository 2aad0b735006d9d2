import { ByteReader, type Coder } from '../bytes/serialization.ts';

/** The value of bytes, all of them. Throws RangeError. */
export function decode<T>(coder: Coder<T>, bytes: Uint8Array): T {
  const from = new ByteReader(bytes);
  const value = coder.read(from, {});
  if (from.left > 0) throw new RangeError('there are bytes behind the last field');
  return value;
}
