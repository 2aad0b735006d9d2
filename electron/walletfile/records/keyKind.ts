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
 * `tree` are the records that the wallet's own tree reaches; `others` all else that was found, the surest first. The tree
 * decides. Where it has no key, there must be three encrypted keys to one plain key: a plain key can be brought home without a
 * passphrase, so that a wrong guess costs nothing. `isOf`: whether another record ties a public key to the wallet.
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
    if (plain + encrypted > 0) return encrypted > MOST_STRAYS * plain;
  }
  return others.some(hasMasterKey);
}

const MOST_STRAYS = 3;

/** How many public keys have a private key of each kind. */
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
  strays: readonly RawRecord[],
): { records: readonly RawRecord[]; left: number } {
  if (strays.length === 0) return { records: tree, left: 0 };
  const isEncrypted = hasEncryptedKeys(tree, [strays]);
  const others = isEncrypted ? PLAIN_TYPES : ENCRYPTED_TYPES;
  const all = [...tree, ...strays];
  const records = all.filter(({ key }) => {
    const type = typeIn(key);
    return !others.has(type) && (isEncrypted || type !== 'mkey');
  });
  return { records, left: all.filter(({ key }) => others.has(typeIn(key))).length };
}
