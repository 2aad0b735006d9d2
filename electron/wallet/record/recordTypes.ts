/** The types of a file's records, read off their keys one after the other. */
import { byteText } from '../bytes/byteText.ts';

/**
 * A function that gives the type that a record's key names, as the text of its bytes. Fastest where records of a type
 * stand together, as they do in a legacy wallet's file.
 */
export function recordTypes(): (key: Uint8Array) => string {
  let prefix: Uint8Array = new Uint8Array();
  let type = '';
  return (key) => {
    if (prefix.length > 0 && startsWith(key, prefix)) return type;
    const size = 1 + (key[0] ?? 0);
    type = byteText(key.subarray(1, size));
    // A key that ends within its type is damaged, and a whole one can start with the same bytes.
    prefix = key.length < size ? new Uint8Array() : key.subarray(0, size);
    return type;
  };
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  const { length } = start;
  for (let at = 0; at < length; at += 1) if (bytes[at] !== start[at]) return false;
  return true;
}
