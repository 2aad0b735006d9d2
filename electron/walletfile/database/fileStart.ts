/** How the files of both kinds of wallet start. */

/** As many bytes as tell which of them it is. */
export const START_BYTES = 16;

/** SQLite's name at the start of its files ("The Database Header"). */
export function startsLikeSqlite(bytes: Uint8Array): boolean {
  return SQLITE.every((byte, place) => bytes[place] === byte);
}

/** The byte order of the machine that wrote Berkeley DB's B-tree magic (`BTMETA`), null where it is not there. */
export function berkeleyByteOrder(bytes: Uint8Array, offset = 0): 'little' | 'big' | null {
  const place = offset + 12;
  if (place + 4 > bytes.length) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset + place, 4);
  if (view.getUint32(0, true) === BERKELEY_BTREE) return 'little';
  return view.getUint32(0, false) === BERKELEY_BTREE ? 'big' : null;
}

const SQLITE = new TextEncoder().encode('SQLite format 3\0');
/** The magic of a B-tree of Berkeley DB. */
export const BERKELEY_BTREE = 0x00053162;
