/** Which private keys a migrated wallet's file has for its descriptors, told without a passphrase. */
import { byteText } from '../bytes/byteText.ts';
import { keysOf } from '../descriptor/descriptor.ts';
import type { StoredDescriptor } from '../descriptor/storedDescriptors.ts';
import type { LegacyOwnership } from '../legacy/legacyOwnership.ts';
import type { RecordsByType } from '../record/recordsByType.ts';

export interface KeptKeys {
  /** Whether there is a private key for each key of a descriptor, and any key in it. */
  hasAllOf(stored: StoredDescriptor): boolean;
  /** Whether one is not there that the old wallet had: a root of keys came of a seed that it had. */
  lacksOf(stored: StoredDescriptor, old: LegacyOwnership): boolean;
}

/** Encrypted ones count where there is a record that a passphrase opens. None is decrypted. */
export function keptKeys(records: RecordsByType): KeptKeys {
  const encrypted = records.of('mkey').length > 0 ? records.of('walletdescriptorckey') : [];
  const kept = new Set(
    [...records.of('walletdescriptorkey'), ...encrypted].map(({ descriptorId, publicKey }) =>
      idOf(descriptorId, publicKey),
    ),
  );
  const asked = ({ record, read }: StoredDescriptor) =>
    (read.as === 'read' ? keysOf(read.descriptor.script) : []).map(({ key }) => {
      const publicKey = key.kind === 'tree' ? key.root.publicKey : key.publicKey;
      return { kind: key.kind, publicKey, isKept: kept.has(idOf(record.descriptorId, publicKey)) };
    });
  return {
    hasAllOf(stored) {
      const keys = asked(stored);
      return keys.length > 0 && keys.every(({ isKept }) => isKept);
    },
    lacksOf: (stored, old) =>
      asked(stored).some(
        ({ kind, publicKey, isKept }) => !isKept && (kind === 'tree' || old.hasKey(publicKey)),
      ),
  };
}

/** All ids are of one length. */
function idOf(descriptorId: Uint8Array, publicKey: Uint8Array): string {
  return byteText(descriptorId) + byteText(publicKey);
}
