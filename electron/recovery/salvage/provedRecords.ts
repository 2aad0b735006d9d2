/** What in a record other than a key proves that it is whole. */
import { equalBytes } from '@noble/curves/utils.js';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { withoutChecksum } from '../../walletfile/descriptor/checksum.ts';
import { parseRecord } from '../../walletfile/records/records.ts';
import { scriptIfAddress } from '../../walletfile/script/address.ts';
import { hash160 } from '../../walletfile/script/script.ts';
import { transactionId } from '../../walletfile/script/transaction.ts';
import { ADDRESS_NETWORKS } from './ownedKeys.ts';

export type OtherVerdict = 'proved' | 'unproved' | 'damaged';

/**
 * A transaction is proved by its id, a script by its hash, a descriptor by its checksum, the address of a label by its own;
 * what is told of a key, a chain or a key of the pool by the key itself being saved. All else is unproved. `savedKeys` and
 * `savedHashes` are the `byteText` of public keys that are saved, and of their hash160.
 */
export function proveRecord(
  { key, value }: RawRecord,
  savedKeys: ReadonlySet<string>,
  savedHashes: ReadonlySet<string>,
): OtherVerdict {
  const record = parseRecord(key, value);
  const verdict = (holds: boolean, otherwise: OtherVerdict): OtherVerdict => (holds ? 'proved' : otherwise);
  switch (record.type) {
    case 'damaged':
      return 'damaged';
    case 'tx':
      return verdict(transactionId(record.transaction) === record.txid, 'damaged');
    case 'cscript':
      return verdict(equalBytes(hash160(record.script), record.scriptId), 'damaged');
    case 'keymeta':
    case 'pool':
    case 'defaultkey':
      return verdict(savedKeys.has(byteText(record.publicKey)), 'unproved');
    case 'hdchain':
      return verdict(savedHashes.has(byteText(record.seedId)), 'unproved');
    case 'name':
    case 'purpose':
    case 'destdata':
      return verdict(isAddress(record.address), 'unproved');
    case 'mkey':
      return record.encrypted.length === 48 && record.salt.length === 8 && record.derivationMethod === 0
        ? 'unproved'
        : 'damaged';
    case 'walletdescriptor':
      return verdict(hasChecksum(record.descriptor), 'damaged');
    default:
      return 'unproved';
  }
}

/** Old wallets hold labels of any text, so one that is no address may be whole all the same. */
function isAddress(text: string): boolean {
  return ADDRESS_NETWORKS.some((network) => scriptIfAddress(text, network) !== null);
}

function hasChecksum(descriptor: string): boolean {
  return orNull(() => withoutChecksum(descriptor, 'required')) !== null;
}
