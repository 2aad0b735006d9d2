/** Conditions of a legacy wallet's encryption: a missing or needless master key, and keys that it does not decrypt. */
import type { Condition } from '../../../shared/model/conditions.ts';
import { decryptKey } from '../keys/crypter.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { RecordsByType } from '../records/recordsByType.ts';
import { found } from './recordConditions.ts';

export function masterConditions({ records, watchesOnly }: LegacyWallet): Condition[] {
  const masters = records.of('mkey').length;
  const plain = records.entries('key').length;
  const encrypted = records.entries('ckey').length;
  const isNeedless = masters > 0 && encrypted === 0;
  return [
    // `LegacyDataSPKM::GetKey` looks among the plain keys then, and `MigrateToDescriptor` asserts that it finds each.
    ...found('master-missing', encrypted > 0 && masters === 0 ? ['mkey'] : []),
    // `CheckDecryptionKey` asserts that there are none.
    ...found('master-needless', isNeedless && plain > 0 ? ['mkey'] : []),
    // `EraseMasterKey` cannot change a file that is only read.
    ...found('master-watching', isNeedless && watchesOnly ? ['mkey'] : []),
  ];
}

/** Public keys whose private key the master key does not decrypt. If all have checksums, a node tries only one. */
export function sealedKeys(records: RecordsByType, masterKey: Uint8Array): string[] {
  return records.of('ckey').flatMap(({ publicKey, encrypted }) => {
    const secret = decryptKey(masterKey, { publicKey, encrypted });
    secret?.fill(0);
    return secret ? [] : [Buffer.from(publicKey).toString('hex')];
  });
}
