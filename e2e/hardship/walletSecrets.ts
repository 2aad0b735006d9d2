/** The secrets of the recorded wallets, in every form in which a program might write them. */
import { readFileSync } from 'node:fs';
import { decryptKey } from '../../electron/walletfile/keys/crypter.ts';
import { readStoredKey, writeWif } from '../../electron/walletfile/keys/privateKey.ts';
import { encryptionOf, masterKeyOf } from '../../electron/walletfile/records/encryption.ts';
import { recordsByType } from '../../electron/walletfile/records/records.ts';
import { entriesOf, walletNames } from '../../electron/walletfile/testing/wallets.ts';

export interface Secret {
  /** Describes the secret for a message, without the secret itself. */
  readonly what: string;
  readonly bytes: Buffer;
}

const wallets = new URL('../fixtures/wallets/', import.meta.url);

export async function secretsOfWallets(): Promise<Secret[]> {
  const all = await Promise.all(walletNames.map(secretsOf));
  return all.flat();
}

/** Describes the secrets that the bytes contain. */
export function secretsIn(bytes: Buffer, secrets: readonly Secret[]): string[] {
  return secrets.filter((secret) => bytes.includes(secret.bytes)).map(({ what }) => what);
}

async function secretsOf(name: string): Promise<Secret[]> {
  const text = readFileSync(new URL(`${name}/facts.json`, wallets), 'utf8');
  const { passphrase }: { passphrase?: string } = JSON.parse(text);
  const records = recordsByType(await entriesOf(name));
  const secrets: Secret[] = [];
  const add = (what: string, bytes: Buffer | string) =>
    secrets.push({ what: `${what} of ${name}`, bytes: Buffer.from(bytes) });

  for (const extended of new Set(text.match(/[tx]prv[1-9A-HJ-NP-Za-km-z]{100,}/g)))
    add('an extended private key', extended);
  for (const record of [...records.of('key'), ...records.of('walletdescriptorkey')]) {
    const key = readStoredKey(record);
    if (key) addKey('a private key', key.privateKey);
  }
  if (passphrase !== undefined) {
    add('the passphrase', passphrase);
    const encryption = encryptionOf(records);
    if (!encryption) throw new Error(`${name} is not encrypted`);
    const masterKey = await masterKeyOf(encryption, passphrase);
    addKey('the encrypted master key', masterKey);
    for (const record of [...records.of('ckey'), ...records.of('walletdescriptorckey')]) {
      const privateKey = decryptKey(masterKey, record);
      if (!privateKey) throw new Error(`a key of ${name} cannot be decrypted`);
      addKey('an encrypted private key', privateKey);
    }
  }
  return secrets;

  function addKey(what: string, privateKey: Uint8Array): void {
    const raw = Buffer.from(privateKey);
    add(what, raw);
    add(`${what} in hex`, raw.toString('hex'));
    add(`${what} in base64`, raw.toString('base64').replace(/=+$/, ''));
    add(`${what} in hex, last byte first`, Buffer.from(raw.toReversed()).toString('hex'));
    // The form of a printed array.
    add(`${what} in numbers`, [...raw].join(','));
    for (const compressed of [true, false]) {
      add(`${what} in the import format`, writeWif({ privateKey, compressed }, 'regtest'));
    }
  }
}
