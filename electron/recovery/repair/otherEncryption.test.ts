import { bytesToHex } from '@noble/hashes/utils.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { needsRescue } from '../../../shared/model/inspection.ts';
import { balanceInFile, totalBalance } from '../../../shared/model/money.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import type { RawRecord } from '../../walletfile/database/rawRecord.ts';
import { writeSqlite } from '../../walletfile/database/walletDatabase.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import { keysOf } from '../../walletfile/descriptor/descriptor.ts';
import { parseDescriptor } from '../../walletfile/descriptor/descriptorParse.ts';
import { descriptorId } from '../../walletfile/descriptor/descriptorWrite.ts';
import { inspect } from '../../walletfile/inspect/inspect.ts';
import { decryptKey } from '../../walletfile/keys/crypter.ts';
import { encryptionOf, masterKeyOf } from '../../walletfile/records/encryption.ts';
import { recordOf, recordsByType, typeIn, writeRecord } from '../../walletfile/records/records.ts';
import { conditionFiles } from '../../walletfile/testing/conditionFiles.ts';
import { encryptMasterKey } from '../../walletfile/testing/encryptMasterKey.ts';
import {
  brokenWallet,
  foreignNote,
  hasForeignWallets,
  leavesWith,
  withOldCopies,
  withPages,
} from '../../walletfile/testing/foreignWallets.ts';
import {
  inOrder,
  keyRecords,
  masterKey,
  masterKeyRecord,
  sampleKey,
} from '../../walletfile/testing/sampleWallet.ts';
import { editedWallet, entriesOf, factsOf, walletFile } from '../../walletfile/testing/wallets.ts';
import { encryptedKeyRecord, plainKeyRecord } from '../salvage/provedKeys.ts';
import { salvage } from '../salvage/salvage.ts';
import { repairDescriptors } from './repairDescriptors.ts';
import { repairWallet } from './repairWallet.ts';
import { SavedKeys } from './savedKeys.ts';
import { writeBerkeley } from './writeBerkeley.ts';

const encrypted = walletFile('legacy-hd-encrypted');
const { passphrase } = factsOf('legacy-hd-encrypted');
const OPTIONS = { logs: [], network: 'regtest' } as const;

/** The keys and encryption of a repaired file, and the facts of its repair. */
async function repaired(
  file: Uint8Array,
  more: { passphrase?: string | undefined; openOnly?: boolean } = {},
) {
  const { bytes, facts } = await repairWallet(file, { ...OPTIONS, ...more });
  const { encryption, keys } = await inspect(bytes, { network: 'regtest' });
  const { sealed, unowned, open, missing, saved } = facts;
  return {
    encrypted: encryption !== null,
    plain: keys.plain,
    locked: keys.encrypted,
    sealed,
    unowned,
    open,
    missing: missing.keys,
    saved: saved.keys,
  };
}

const isEncrypted = async (file: Uint8Array) =>
  (await inspect(file, { network: 'regtest' })).encryption !== null;

it('a plain key in an encrypted wallet waits for the passphrase, which a rescue without it says', async () => {
  const { bytes } = await conditionFiles['keys-mixed']();
  expect(needsRescue(await inspect(bytes, { network: 'regtest' }))).toBe(true);
  const common = { encrypted: true, plain: 0, unowned: 0, open: 1, missing: 0 };
  expect(await repaired(bytes)).toEqual({ ...common, locked: 134, sealed: 1, saved: 134 });
  expect(await repaired(bytes, { passphrase })).toEqual({ ...common, locked: 135, sealed: 0, saved: 135 });
});

it('misses a key that its only master key does not open, also beside an older copy of that one', async () => {
  const keys = [masterKey, new Uint8Array(32).fill(0x77)].map((secret, at) => {
    const { publicKey, privateKey } = sampleKey(at + 1);
    return [encryptedKeyRecord(secret, publicKey, privateKey), ...keyRecords(sampleKey(at + 1)).slice(1)];
  });
  const file = writeBerkeley(inOrder(...keys, await masterKeyRecord('new')));
  const changed = withOldCopies(file, [await masterKeyRecord('old')]);
  // Only a damaged file is searched for older copies.
  const damaged = Buffer.concat([changed, new Uint8Array(100).fill(1)]);
  const found = await repaired(damaged, { passphrase: 'new' });
  expect(found).toMatchObject({ locked: 1, sealed: 0, missing: 1, saved: 1 });
});

describe('an encrypted wallet without its master key', () => {
  const locked = (records: readonly RawRecord[]) => records.filter(({ key }) => typeIn(key) !== 'mkey');

  it('misses all encrypted keys, waits for no passphrase, and knows the coins on them', async () => {
    const whole = await inspect(encrypted, { network: 'regtest' });
    const file = writeBerkeley(locked(await entriesOf('legacy-hd-encrypted')));
    const nothing = { encrypted: false, plain: 0, locked: 0, sealed: 0, unowned: 0, open: undefined };
    expect(await repaired(file)).toEqual({ ...nothing, missing: 134, saved: 0 });
    const { facts } = await repairWallet(file, OPTIONS);
    expect(facts.missing.masterKey).toBe(true);
    expect(facts.lostCoins?.amount).toBe(totalBalance(balanceInFile(whole.balance)));
  });

  it('keeps its plain keys', async () => {
    const { bytes } = await conditionFiles['keys-mixed']();
    const { records } = readBerkeley(bytes);
    const found = await repaired(writeBerkeley(locked(records)));
    expect(found).toMatchObject({ encrypted: false, plain: 1, sealed: 0, missing: 134, saved: 1 });
  });
});

it.each(['one', 'two'])(
  'keys under a second master key wait for its passphrase, with %s',
  async (passphrase) => {
    const masterKeys = [masterKey, new Uint8Array(32).fill(0x77)];
    const records = masterKeys.flatMap((secret, at) =>
      [1, 2, 3].flatMap((number) => {
        const { publicKey, privateKey } = sampleKey(10 * at + number);
        const keymeta = keyRecords(sampleKey(10 * at + number)).slice(1);
        return [encryptedKeyRecord(secret, publicKey, privateKey), ...keymeta];
      }),
    );
    const locks = await Promise.all(
      masterKeys.map((secret, at) =>
        encryptMasterKey(secret, ['one', 'two'][at] ?? '', new Uint8Array(8), 25),
      ),
    );
    const mkeys = locks.map((lock, at) =>
      writeRecord({ type: 'mkey', id: at + 1, ...lock, otherParameters: new Uint8Array() }),
    );
    const found = await repaired(writeBerkeley(inOrder(records, mkeys)), { passphrase });
    expect(found).toMatchObject({ locked: 3, sealed: 3, missing: 0, saved: 3 });
  },
);

describe.skipIf(!hasForeignWallets)(`keys of an encrypted wallet in a plain one’s file${foreignNote}`, () => {
  const orphaned: [string, (file: Uint8Array) => Uint8Array, number, boolean][] = [
    ['on whole pages', (file) => withPages(file, leavesWith(encrypted, '\x04ckey')), 134, true],
    [
      'without their master key',
      (file) => withPages(file, leavesWith(encrypted, '\x04ckey', '\x04mkey')),
      106,
      false,
    ],
    [
      'on pages of other numbers',
      (file) => withPages(file, leavesWith(encrypted, '\x04ckey'), false),
      134,
      true,
    ],
  ];

  it.each([
    ['damaged-some-leaves', 90],
    ['damaged-root', 106],
    ['damaged-first-page', 106],
    ['damaged-cut', 73],
  ])('do not prevent a rescue of %s', async (name, plain) => {
    const alone = await repaired(brokenWallet(name).bytes);
    for (const [where, withOrphaned, count, canBeOpened] of orphaned) {
      const file = withOrphaned(brokenWallet(name).bytes);
      expect(await repaired(file), where).toEqual({
        ...alone,
        encrypted: false,
        plain,
        locked: 0,
        ...(canBeOpened ? { sealed: count } : { unowned: alone.unowned + count }),
      });
      if (name !== 'damaged-first-page') expect(await isEncrypted(file), where).toBe(false);
    }
  });

  it('are saved as plain keys with their passphrase', async () => {
    const file = withPages(brokenWallet('damaged-root').bytes, leavesWith(encrypted, '\x04ckey'));
    const { plain, locked, sealed } = await repaired(file, { passphrase });
    expect({ locked, sealed }).toEqual({ locked: 0, sealed: 0 });
    // The wallet’s own keys, those of the other, and keys of its chain that its seed derives.
    expect(plain).toBeGreaterThanOrEqual(106 + 134);
    await expect(repaired(file, { passphrase: 'wrong' })).rejects.toMatchObject({ code: 'wrong_passphrase' });
  });

  it('of two encrypted wallets do not block it; each passphrase saves its own', async () => {
    const other = brokenWallet('damaged-encrypted-leaves');
    const [ofOne, ofOther] = [encrypted, other.bytes].map((file) => leavesWith(file, '\x04ckey', '\x04mkey'));
    const masterKeys = [encrypted, other.bytes].flatMap((file) => salvage(file).masterKeys);
    const { bytes } = brokenWallet('damaged-root');
    const plain = withPages(bytes, [...(ofOne ?? []), ...(ofOther ?? [])], false);
    const file = withOldCopies(plain, masterKeys);
    const without = await repaired(file);
    expect(without).toMatchObject({ encrypted: false, plain: 106, locked: 0 });
    expect(without.sealed).toBeGreaterThan(134);
    expect(await isEncrypted(file)).toBe(false);
    for (const word of [passphrase, other.facts.passphrase ?? undefined]) {
      const { plain: opened, locked, sealed } = await repaired(file, { passphrase: word });
      expect({ locked, sealed, more: opened > 106 }).toEqual({ locked: 0, sealed: 0, more: true });
    }
  });

  it('encrypted keys in the free space of its pages do not make it an encrypted wallet', async () => {
    const records = await entriesOf('legacy-hd-encrypted');
    const masterKey = records.filter(({ key }) => typeIn(key) === 'mkey');
    const { bytes } = brokenWallet('damaged-some-leaves');
    const alone = await repaired(bytes);
    expect(await repaired(withOldCopies(bytes, masterKey))).toEqual(alone);
    const keys = records.filter(({ key }) => typeIn(key) === 'ckey').slice(0, 5);
    expect(await repaired(withOldCopies(bytes, [...masterKey, ...keys]))).toEqual({ ...alone, sealed: 5 });
    expect(await repaired(withOldCopies(bytes, keys))).toEqual({ ...alone, unowned: alone.unowned + 5 });
  });
});

describe.skipIf(!hasForeignWallets)(`other keys in an encrypted wallet’s file${foreignNote}`, () => {
  const { bytes, facts } = brokenWallet('damaged-encrypted-leaves');
  const right = facts.passphrase ?? undefined;

  it('do not belong to it if they are plain, and can be saved alone', async () => {
    const [, page = new Uint8Array()] = leavesWith(walletFile('legacy-hd'), '\x03key');
    const file = withPages(bytes, [page]);
    const orphaned = (await repaired(withPages(bytes, [page]), { openOnly: true })).plain;
    expect(orphaned).toBeGreaterThan(5);
    const alone = await repaired(bytes);
    // The page also names public keys of its wallet whose private keys are on other pages.
    expect(await repaired(file)).toEqual({ ...alone, missing: 9, unowned: orphaned, open: orphaned });
    expect(await repaired(file, { openOnly: true })).toMatchObject({
      encrypted: false,
      locked: 0,
      sealed: 147,
    });
    expect(await repaired(file, { passphrase: right })).toMatchObject({
      encrypted: true,
      plain: 0,
      unowned: orphaned,
    });
    expect(await isEncrypted(file)).toBe(true);
  });

  it('are left out with its passphrase if they have another one', async () => {
    const file = withPages(bytes, leavesWith(encrypted, '\x04ckey'));
    const alone = await repaired(bytes, { passphrase: right });
    expect(await repaired(file, { passphrase: right })).toEqual({ ...alone, unowned: 134 });
    const { bytes: both } = await repairWallet(file, OPTIONS);
    for (const word of [right, passphrase])
      expect((await inspect(both, { network: 'regtest', passphrase: word })).passphrase).toBe('right');
  });

  it('are saved without the passphrase if an old plain copy is left', async () => {
    const own = withOldCopies(bytes, await plainCopies(right ?? '', 3));
    expect(await repaired(own)).toMatchObject({
      encrypted: true,
      plain: 0,
      locked: 147,
      open: 3,
      unowned: 0,
    });
    expect(await repaired(own, { openOnly: true })).toMatchObject({
      encrypted: false,
      plain: 3,
      sealed: 144,
    });
  });
});

describe('keys of an encrypted descriptor wallet in a plain one’s file', () => {
  let plain: Uint8Array;
  let other: RawRecord[];
  const withPagesOf = async (records: readonly RawRecord[]) =>
    Buffer.concat([plain, (await writeSqlite(records, 'regtest')).slice(4096)]);

  beforeAll(async () => {
    plain = await writeSqlite(await entriesOf('descriptor-hd'), 'regtest');
    // Only a damaged file is searched for pages that the tree does not reach.
    plain.fill(0, 4 * 4096, 5 * 4096);
    other = (await entriesOf('descriptor-encrypted')).filter(({ key }) =>
      /^(walletdescriptor|mkey)/.test(typeIn(key)),
    );
  });

  async function descriptors(
    file: Uint8Array,
    more: { passphrase?: string | undefined; openOnly?: boolean } = {},
  ) {
    const repair = await repairDescriptors(file, { network: 'regtest', ...more });
    if (!repair) throw new Error('nothing was repaired');
    const { encryption, keys, descriptors } = await inspect(repair.bytes, { network: 'regtest' });
    const { sealed, unowned, missing } = repair.facts;
    return {
      ...{
        encrypted: encryption !== null,
        plain: keys.plain,
        locked: keys.encrypted,
        descriptors: descriptors.total,
      },
      sealed,
      unowned,
      missing,
    };
  }

  it('do not prevent a rescue, and are saved with their passphrase', async () => {
    const alone = await descriptors(plain);
    expect(alone).toMatchObject({ encrypted: false, locked: 0, sealed: 0, unowned: 0 });
    expect(alone.plain).toBeGreaterThan(0);
    const { passphrase: word } = factsOf('descriptor-encrypted');
    const both = await withPagesOf(other);
    expect(await descriptors(both)).toEqual({ ...alone, sealed: 1 });
    const without = await withPagesOf(other.filter(({ key }) => typeIn(key) !== 'mkey'));
    expect(await descriptors(without)).toEqual({ ...alone, unowned: 1 });
    const opened = await descriptors(both, { passphrase: word });
    expect(opened).toMatchObject({ encrypted: false, locked: 0, sealed: 0, plain: alone.plain + 1 });
    expect(opened.descriptors).toBeGreaterThan(alone.descriptors);
    await expect(descriptors(both, { passphrase: 'wrong' })).rejects.toMatchObject({
      code: 'wrong_passphrase',
    });
  });

  it('wait for their passphrase if a taproot key has its other form', async () => {
    const alone = await descriptors(await withPagesOf(other));
    const odd = [1, 2].map((number) => sampleKey(number)).find((key) => key.publicKey[0] === 3);
    const { publicKey } = odd ?? expect.fail('no odd key');
    const [template] = recordsByType(other).of('walletdescriptor');
    const text = withChecksum(`rawtr(${bytesToHex(publicKey.subarray(1))})`);
    const { descriptor } = parseDescriptor(text, { network: 'regtest', checksum: 'required' });
    const id = { descriptorId: descriptorId(descriptor) };
    const taproot = [
      writeRecord({ ...(template ?? expect.fail('no descriptor')), ...id, descriptor: text }),
      writeRecord({ type: 'walletdescriptorckey', ...id, publicKey, encrypted: new Uint8Array(48).fill(1) }),
    ];
    const found = await descriptors(await withPagesOf([...other, ...taproot]));
    expect(found).toEqual({ ...alone, sealed: alone.sealed + 1 });
    const saved = salvage(await withPagesOf([...other, ...taproot]));
    const [even, form] = [publicKey.slice().fill(2, 0, 1), keysOf(descriptor.script)[0]?.key];
    const open = plainKeyRecord(odd?.privateKey ?? expect.fail('no odd key'), true);
    const waits = (records: RawRecord[]) =>
      new SavedKeys({ ...saved, records }, null, false).isWaiting(form ?? expect.fail('no key'));
    const copy = writeRecord({ ...(recordOf('key', open) ?? expect.fail('no key')), publicKey: even });
    expect([waits([]), waits([copy])]).toEqual([true, false]);
  });
});

it.each([
  ['legacy-hd-encrypted', 'derivationMethod', 8],
  ['descriptor-encrypted', 'derivationMethod', 8],
  ['legacy-hd-encrypted', 'iterations', 26],
  ['descriptor-encrypted', 'iterations', 31],
] as const)(
  'a rescue of %s restores the %s of a master key with bit %i flipped',
  async (wallet, field, bit) => {
    const bytes = await editedWallet(wallet, (record) =>
      record.type === 'mkey' ? { ...record, [field]: record[field] + 2 ** bit } : record,
    );
    const damaged = [{ finding: { code: 'encryption_record_damaged' } }];
    expect(await inspect(bytes, { network: 'regtest' })).toMatchObject({ problems: damaged });
    const word = factsOf(wallet).passphrase ?? expect.fail('no passphrase');
    const repair =
      (await repairDescriptors(bytes, { network: 'regtest' })) ?? (await repairWallet(bytes, OPTIONS));
    expect(repair.facts).toMatchObject({ missing: { masterKey: false }, damaged: { keys: 0, others: 0 } });
    const { passphrase, problems } = await inspect(repair.bytes, { network: 'regtest', passphrase: word });
    expect([passphrase, problems]).toEqual(['right', []]);
  },
);

/** Decrypted key records of `damaged-encrypted-leaves`. */
async function plainCopies(word: string, count: number) {
  const opened = await repairWallet(brokenWallet('damaged-encrypted-leaves').bytes, OPTIONS);
  const records = recordsByType(readBerkeley(opened.bytes).records);
  const masterKey = await masterKeyOf(encryptionOf(records) ?? expect.fail('not encrypted'), word);
  return records
    .of('ckey')
    .slice(0, count)
    .map((key) => plainKeyRecord(decryptKey(masterKey, key) ?? expect.fail('not opened'), true));
}
