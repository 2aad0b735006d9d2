/** A legacy wallet that takes long enough to migrate to interrupt it. */
import { readFileSync } from 'node:fs';
import { writeBerkeley } from '../../electron/recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../electron/walletfile/database/berkeley.ts';
import type { RawRecord } from '../../electron/walletfile/database/rawRecord.ts';
import { makeStoredKey } from '../../electron/walletfile/keys/privateKey.ts';
import { writeRecord } from '../../electron/walletfile/records/records.ts';

/** A recorded wallet with this many more imported keys. */
export function largeWallet(keys: number): Uint8Array {
  const recorded = readFileSync(new URL('../fixtures/wallets/legacy-hd/wallet.dat', import.meta.url));
  const records = readBerkeley(recorded).records.concat(
    Array.from({ length: keys }, (_, number) => keyRecord(number + 1)),
  );
  return writeBerkeley(records.toSorted((a, b) => Buffer.compare(a.key, b.key)));
}

function keyRecord(number: number): RawRecord {
  const privateKey = new Uint8Array(32);
  new DataView(privateKey.buffer).setUint32(28, number, false);
  const { publicKey, der, checksum } = makeStoredKey({ privateKey, compressed: true });
  return writeRecord({ type: 'key', publicKey, der, checksum });
}
