/** Files that a node wrote which was built with Berkeley DB 6 or later. Bitcoin Core refuses them by their number alone. */
import { berkeleyByteOrder } from '../../database/fileStart.ts';

const NEWER = 10;

/**
 * A copy in which pages that describe a tree say that it is of version 9, where they say 10; else the bytes themselves. The
 * other pages are alike, and what version 10 adds lies behind what is read of these (`BTMETA` of Berkeley DB 6).
 */
export function asVersion9(bytes: Uint8Array): Uint8Array {
  const little = bytes.length >= 512 && berkeleyByteOrder(bytes) === 'little';
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 512 || berkeleyByteOrder(bytes) === null || view.getUint32(16, little) !== NEWER)
    return bytes;
  const size = view.getUint32(20, little);
  if (size < 512) return bytes;
  const copy = bytes.slice();
  const written = new DataView(copy.buffer);
  for (let page = 0; page + size <= copy.length; page += size) {
    const describesTree = berkeleyByteOrder(copy, page) !== null && copy[page + 25] === 9;
    if (describesTree && view.getUint32(page + 16, little) === NEWER) written.setUint32(page + 16, 9, little);
  }
  return copy;
}
