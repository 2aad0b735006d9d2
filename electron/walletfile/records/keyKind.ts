/**
 * Whether a wallet's private keys are encrypted. A whole wallet has keys of one kind. A damaged file can have pages of another
 * wallet in it, with keys of the other kind: they must not decide over the wallet's own.
 */
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import { parseRecord } from './records.ts';
import { typeIn } from './recordsByType.ts';

export const PLAIN_TYPES: ReadonlySet<string> = new Set(['key', 'wkey', 'walletdescriptorkey']);
export const ENCRYPTED_TYPES: ReadonlySet<string> = new Set(['ckey', 'walletdescriptorckey']);

/**
 * `tree`: the records that the wallet's own tree reaches. `others`: all other records, in order of certainty. The tree decides. If
 * it has no keys, three encrypted keys must stand against one plain key: plain keys can be saved without a passphrase, so a wrong
 * guess costs nothing. `isOf`: whether another record connects a public key to the wallet.
 */
export function hasEncryptedKeys(
  tree: readonly RawRecord[],
  others: readonly (readonly RawRecord[])[],
  isOf: (publicKey: Uint8Array) => boolean = () => true,
): boolean {
  const own = keysIn(tree, () => true);
  if (own.plain + own.encrypted > 0) return own.encrypted > own.plain;
  if (hasMasterKey(tree)) return true;
  for (const records of others) {
    const { plain, encrypted } = keysIn(records, isOf);
    if (plain + encrypted > 0) return encrypted > ENCRYPTED_PER_PLAIN * plain;
  }
  return others.some(hasMasterKey);
}

const ENCRYPTED_PER_PLAIN = 3;

/** Counts the public keys that have a private key of each kind. */
function keysIn(records: readonly RawRecord[], isOf: (publicKey: Uint8Array) => boolean) {
  const plain = new Set<string>();
  const encrypted = new Set<string>();
  for (const { key, value } of records) {
    const type = typeIn(key);
    const isPlain = PLAIN_TYPES.has(type);
    if (!isPlain && !ENCRYPTED_TYPES.has(type)) continue;
    const record = parseRecord(key, value);
    if (!('publicKey' in record) || (!type.startsWith('walletdescriptor') && !isOf(record.publicKey)))
      continue;
    (isPlain ? plain : encrypted).add(byteText(record.publicKey));
  }
  return { plain: plain.size, encrypted: encrypted.size };
}

function hasMasterKey(records: readonly RawRecord[]): boolean {
  return records.some(({ key }) => typeIn(key) === 'mkey');
}

/** The records of a file without the private keys of the other kind, and the master keys of a wallet that needs none. */
export function ofOneKind(
  tree: readonly RawRecord[],
  orphaned: readonly RawRecord[],
): { records: readonly RawRecord[]; left: number } {
  if (orphaned.length === 0) return { records: tree, left: 0 };
  const isEncrypted = hasEncryptedKeys(tree, [orphaned]);
  const others = isEncrypted ? PLAIN_TYPES : ENCRYPTED_TYPES;
  const all = [...tree, ...orphaned];
  const records = all.filter(({ key }) => {
    const type = typeIn(key);
    return !others.has(type) && (isEncrypted || type !== 'mkey');
  });
  return { records, left: all.filter(({ key }) => others.has(typeIn(key))).length };
}
