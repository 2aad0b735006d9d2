/** A legacy wallet of imported keys as text, from which Debian's `db5.3_load` creates a Berkeley DB file. */
import { createECDH, createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { keyChecksum, makeStoredKey } from '../../electron/walletfile/keys/privateKey.ts';
import { type KnownRecord, writeRecord } from '../../electron/walletfile/records/records.ts';
import { addressOf } from '../../electron/walletfile/script/address.ts';
import { hash160, makeOutputScript } from '../../electron/walletfile/script/script.ts';

/**
 * Writes the dump of a regtest wallet. Each key has the records that `importprivkey` writes: key, metadata, and an entry of
 * the address book for each of its three addresses. The same number of keys gives the same wallet.
 */
export async function writeSampleDump(path: string, keys: number): Promise<void> {
  const file = createWriteStream(path);
  file.write(HEAD);
  for (const record of walletRecords()) file.write(entry(record));
  for (let number = 0; number < keys; number += 1) {
    const text = keyRecords(number).map(entry).join('');
    if (!file.write(text)) await once(file, 'drain');
  }
  file.end('DATA=END\n');
  await once(file, 'close');
}

const HEAD = 'VERSION=3\nformat=bytevalue\ndatabase=main\ntype=btree\ndb_pagesize=4096\nHEADER=END\n';

function entry(record: KnownRecord): string {
  const { key, value } = writeRecord(record);
  return ` ${hex(key)}\n ${hex(value)}\n`;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

/** The records that release 28 writes for a wallet that has seen only the first block of regtest. */
function walletRecords(): KnownRecord[] {
  return [
    { type: 'version', version: 280100 },
    { type: 'minversion', version: 169900 },
    { type: 'flags', flags: 0n },
    { type: 'bestblock', version: 70016, blockHashes: [] },
    { type: 'bestblock_nomerkle', version: 70016, blockHashes: [FIRST_BLOCK] },
  ];
}

const FIRST_BLOCK = '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206';

function keyRecords(number: number): KnownRecord[] {
  const privateKey = createHash('sha256').update(`key ${number} of the bench`).digest();
  const publicKey = publicKeyOf(privateKey);
  const der = derOf(privateKey, publicKey);
  const keyHash = hash160(publicKey);
  const p2wpkh = makeOutputScript({ kind: 'p2wpkh', keyHash });
  const scripts = [
    makeOutputScript({ kind: 'p2pkh', keyHash }),
    makeOutputScript({ kind: 'p2sh', scriptHash: hash160(p2wpkh) }),
    p2wpkh,
  ];
  return [
    { type: 'key', publicKey, der, checksum: keyChecksum(publicKey, der) },
    { type: 'keymeta', publicKey, ...IMPORTED },
    ...scripts.flatMap((script): KnownRecord[] => {
      const address = addressOf(script, 'regtest');
      if (address === null) return [];
      return [
        { type: 'name', address, label: '' },
        { type: 'purpose', address, purpose: 'receive' },
      ];
    }),
  ];
}

const IMPORTED = {
  version: 12,
  createTime: 1,
  hd: { keyPath: '', seedId: new Uint8Array(20) },
  origin: { fingerprint: new Uint8Array(4), path: [], known: false },
};

/** Uses Node's own crypto: `@noble/curves` would take most of a minute for 100,000 keys. */
function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  const pair = createECDH('secp256k1');
  pair.setPrivateKey(privateKey);
  return Uint8Array.from(pair.getPublicKey(null, 'compressed'));
}

const PRIVATE_KEY_AT = 8;
const first = new Uint8Array(32).fill(1);
const example = makeStoredKey({ privateKey: first, compressed: true }).der;

/** The DER form of each key differs only in these two numbers. */
function derOf(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  const der = example.slice();
  der.set(privateKey, PRIVATE_KEY_AT);
  der.set(publicKey, der.length - publicKey.length);
  return der;
}
