/** Work on a made-up wallet, until the code for it is compiled: so that the first real one is as fast as others. */
import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { byteText } from '../../walletfile/bytes/byteText.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { derForms, keyChecksum, writeDer } from '../../walletfile/keys/privateKey.ts';
import { readLegacyWallet } from '../../walletfile/legacy/readLegacyWallet.ts';
import { migrateLegacy } from '../../walletfile/migrate/migrateLegacy.ts';
import { type KnownRecord, writeRecord } from '../../walletfile/records/records.ts';
import { addressOf } from '../../walletfile/script/address.ts';
import { hash160, makeOutputScript } from '../../walletfile/script/script.ts';

/**
 * Migrates it, and gives the last file that came of it. Ends early, between two rounds and with null, once `isWanted`
 * says that there is work.
 */
export async function warmUpMigrating(isWanted: () => boolean): Promise<Uint8Array | null> {
  const example = writeDer({ privateKey: new Uint8Array(32).fill(1), compressed: true });
  const records: RawRecord[] = [];
  for (let made = 0; made < KEYS && !isWanted(); made += 1) {
    records.push(...keyRecords(example).map(writeRecord));
    // Lets a message with work come in.
    if (made % 20 === 0) await setImmediate();
  }
  records.sort((a, b) => (byteText(a.key) < byteText(b.key) ? -1 : 1));
  let file: Uint8Array | null = null;
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isWanted()) return null;
    const options = { network: NETWORK, name: 'warm', now: 0 } as const;
    const { primary } = await migrateLegacy(readLegacyWallet(records), null, options);
    file = primary?.bytes ?? null;
    await setImmediate();
  }
  return file;
}

const NETWORK = 'regtest';
/** As many as it takes: with half of both a migration takes a fifth longer. */
const KEYS = 600;
const ROUNDS = 7;

/** What `importprivkey` leaves of a key. */
function keyRecords(example: Uint8Array): KnownRecord[] {
  // No point of the curve, which nobody asks: a plain key is proved by its checksum.
  const publicKey = Uint8Array.from([2, ...randomBytes(32)]);
  const der = example.slice();
  der.set(randomBytes(32), derForms.compressed.start.length);
  const keyHash = hash160(publicKey);
  const p2wpkh = makeOutputScript({ kind: 'p2wpkh', keyHash });
  const nested = makeOutputScript({ kind: 'p2sh', scriptHash: hash160(p2wpkh) });
  const scripts = [makeOutputScript({ kind: 'p2pkh', keyHash }), p2wpkh, nested];
  return [
    { type: 'key', publicKey, der, checksum: keyChecksum(publicKey, der) },
    { type: 'keymeta', publicKey, version: 1, createTime: 1, hd: null, origin: null },
    ...scripts.flatMap((script): KnownRecord[] => {
      const address = addressOf(script, NETWORK);
      if (address === null) return [];
      return [
        { type: 'name', address, label: '' },
        { type: 'purpose', address, purpose: 'receive' },
      ];
    }),
  ];
}
