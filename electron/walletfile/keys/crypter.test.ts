import { cbc } from '@noble/ciphers/aes.js';
import { hexToBytes, randomBytes } from '@noble/hashes/utils.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyVariant, passphraseVariant } from '../../../shared/model/passphraseVariants.ts';
import { judgePassphrase, tryPassphrase } from '../records/encryption.ts';
import { encryptMasterKey } from '../testing/encryptMasterKey.ts';
import { entriesOf, factsOf, knownRecords } from '../testing/wallets.ts';
import {
  cutAtZero,
  decryptKey,
  type EncryptedKey,
  type EncryptedMasterKey,
  encryptedKeyChecksum,
  encryptKey,
  likelyIterations,
  unlock,
} from './crypter.ts';
import { makeStoredKey } from './privateKey.ts';

const salt = hexToBytes('0102030405060708');
const masterKey = new Uint8Array(32).fill(0x4d);
const key = makeStoredKey({ privateKey: new Uint8Array(32).fill(7), compressed: true });
const sample: EncryptedKey = {
  publicKey: key.publicKey,
  encrypted: encryptKey(masterKey, key.publicKey, new Uint8Array(32).fill(7)),
};
const under = (passphrase: string) => encryptMasterKey(masterKey, passphrase, salt, 3);

async function recorded(wallet: string) {
  const records = knownRecords(await entriesOf(wallet));
  return {
    masterKeys: records.filter((record) => record.type === 'mkey'),
    legacy: records.filter((record) => record.type === 'ckey'),
    keys: records.filter((record) => record.type === 'ckey' || record.type === 'walletdescriptorckey'),
    passphrase: factsOf(wallet).passphrase ?? '',
  };
}

describe('the recorded encrypted wallets', () => {
  it.each([
    ['legacy-hd-encrypted', 134],
    ['descriptor-encrypted', 8],
  ])('%s opens, and each of its keys yields its public key', async (wallet, count) => {
    const { masterKeys, legacy, keys, passphrase } = await recorded(wallet);
    expect([masterKeys.length, keys.length]).toEqual([1, count]);
    const masterKey = await unlock(masterKeys, keys.slice(0, 1), passphrase);
    if (!masterKey) throw new Error('the passphrase is right');
    for (const encrypted of keys) {
      const privateKey = decryptKey(masterKey, encrypted);
      expect(privateKey).toHaveLength(32);
      if (privateKey)
        expect(encryptKey(masterKey, encrypted.publicKey, privateKey)).toEqual(encrypted.encrypted);
    }
    for (const { encrypted, checksum } of legacy) expect(encryptedKeyChecksum(encrypted)).toEqual(checksum);
  });

  it('do not open with another passphrase', async () => {
    const { masterKeys, keys, passphrase } = await recorded('descriptor-encrypted');
    expect(await unlock(masterKeys, keys.slice(0, 1), `${passphrase} `)).toBeNull();
  });
});

describe('a passphrase', () => {
  // Bitcoin Core's wallet_crypto_tests: key and IV of "test" under this salt and 25,000 iterations.
  it('makes the key that Bitcoin Core makes', async () => {
    const encrypted = cbc(
      hexToBytes('fc7aba077ad5f4c3a0988d8daa4810d0d4a0e3bcb53af662998898f33df0556a'),
      hexToBytes('cf2f2691526dd1aa220896fb8bf7c369'),
    ).encrypt(masterKey);
    const fields = await encryptMasterKey(masterKey, 'test', hexToBytes('0000deadbeef0000'), 25_000);
    expect(fields.encrypted).toEqual(encrypted);
  });

  it('may have any characters, and each counts', async () => {
    const passphrase = 'Füße ☕ \0 after';
    const masterKeys = [await under(passphrase)];
    expect(await unlock(masterKeys, [sample], passphrase)).toEqual(masterKey);
    expect(await unlock(masterKeys, [sample], 'Füße ☕ \0 afteR')).toBeNull();
    expect(await unlock(masterKeys, [sample], 'Füße ☕ ')).toBeNull();
  });

  it('can be cut at its first zero byte, as releases before 25 did', async () => {
    const cut = cutAtZero('before\0after\0');
    expect(cut).toBe('before');
    expect(await unlock([await under('before')], [sample], cut ?? '')).toEqual(masterKey);
    expect(cutAtZero('without')).toBeNull();
    expect(cutAtZero('\0')).toBe('');
  });

  it('may open any of several master keys', async () => {
    const masterKeys = [await under('first'), await under('second'), await under('third')];
    for (const passphrase of ['first', 'second', 'third']) {
      expect(await unlock(masterKeys, [sample], passphrase)).toEqual(masterKey);
    }
    expect(await unlock(masterKeys, [sample], 'fourth')).toBeNull();
  });

  it('is wrong if it opens the master key of other keys', async () => {
    const other = await encryptMasterKey(new Uint8Array(32).fill(1), 'words', salt, 3);
    expect(await unlock([other], [sample], 'words')).toBeNull();
    expect(await unlock([other], [], 'words')).toEqual(new Uint8Array(32).fill(1));
  });
});

describe('a passphrase that is nearly right', () => {
  const composed = 'é t\u00fcr'.normalize('NFC');
  const decomposed = composed.normalize('NFD');
  it.each([
    ['with a space at its end', 'words ', 'words', 'right-trimmed'],
    ['with a line end', 'words\n', 'words', 'right-trimmed'],
    ['without the space at its end', 'words', 'words ', 'right-spaced'],
    ['with composed accents', composed, decomposed, 'right-decomposed'],
    ['with decomposed accents', decomposed, composed, 'right-composed'],
    ['with both', ` ${decomposed}`, composed, 'right-composed'],
    ['in other letters', 'wordz', 'words', 'wrong'],
  ])('%s', async (_, typed, right, verdict) => {
    const encryption = { masterKeys: [await under(right)], samples: [sample] };
    expect(await judgePassphrase(encryption, typed)).toBe(verdict);
    expect(await judgePassphrase(encryption, right)).toBe('right');
    // What a node gets is never another passphrase than the typed one.
    expect((await tryPassphrase(encryption, typed)).masterKey).toBeNull();
    if (verdict !== 'wrong') {
      const variant = passphraseVariant.parse(verdict.slice('right-'.length));
      expect(applyVariant(variant, typed)).toBe(right);
    }
  });
});

describe('a master key that cannot be tried', () => {
  const broken: [string, Partial<EncryptedMasterKey>, code?: string][] = [
    ['another method', { derivationMethod: 1 }],
    ['no iteration', { iterations: 0 }],
    ['iterations for days', { iterations: 0xffffffff }, 'beyond_limits'],
    ['a short salt', { salt: new Uint8Array(7) }],
  ];

  it.each(broken)('%s: is reported, unless another one fits', async (_, change, code = 'not_a_wallet') => {
    const good = await under('words');
    const bad = { ...good, ...change };
    await expect(unlock([bad], [sample], 'words')).rejects.toMatchObject({ code });
    expect(await unlock([bad, good], [sample], 'words')).toEqual(masterKey);
  });

  it('is reported for a wallet without any', async () => {
    await expect(unlock([], [sample], 'words')).rejects.toMatchObject({ code: 'not_a_wallet' });
  });
});

describe('an encrypted key', () => {
  it('of any bytes is rejected without an error', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 66 }),
        fc.uint8Array({ maxLength: 64 }),
        (publicKey, encrypted) => {
          expect(decryptKey(masterKey, { publicKey, encrypted })).toBeNull();
        },
      ),
      { numRuns: 100 },
    );
  });

  it('opens under its own master key only', () => {
    expect(decryptKey(masterKey, sample)).toEqual(new Uint8Array(32).fill(7));
    expect(decryptKey(randomBytes(32), sample)).toBeNull();
  });

  it('is rejected if its private key does not yield its public key, though it decrypts', () => {
    const { publicKey } = makeStoredKey({ privateKey: new Uint8Array(32).fill(8), compressed: true });
    const encrypted = encryptKey(masterKey, publicKey, new Uint8Array(32).fill(7));
    expect(decryptKey(masterKey, { publicKey, encrypted })).toBeNull();
  });
});

it.each([
  [2 ** 26 + 250_000, 250_000],
  [2 ** 31 + 25_000, 25_000],
  [60_000_000, 60_000_000],
  [100_000_000, 100_000_000],
])('takes %i rounds for %i: only a flipped high bit leaves as few as a release chooses', (stored, likely) => {
  expect(likelyIterations(stored)).toBe(likely);
});
