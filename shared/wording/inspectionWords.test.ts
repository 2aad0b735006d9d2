import { describe, expect, it } from 'vitest';
import type { Inspection } from '../model/inspection.ts';
import { sampleInspection } from '../testing/sampleInspection.ts';
import {
  amountNetwork,
  birthWords,
  contentsWords,
  descriptorWords,
  encryptionWords,
  keyRows,
  kindWords,
  multisigWords,
  networkWords,
  privateKeyWords,
  unitRemark,
} from './inspectionWords.ts';

const keys = (change: Partial<Inspection['keys']>) => ({ ...sampleInspection().keys, ...change });
const unknown = (candidates: Inspection['network']['candidates']) => ({
  name: 'unknown' as const,
  from: candidates.length === 0 ? ('nothing' as const) : ('addresses' as const),
  candidates,
});

describe('the network of a file', () => {
  it('says where it is from', () => {
    const said = networkWords({ name: 'regtest', from: 'genesis-block', candidates: ['regtest'] });
    expect(said.name).toBe('Regtest');
    expect(said.how).toContain('first block');
  });

  it('lists the possible ones, or none if nothing shows it', () => {
    expect(networkWords(unknown(['testnet3', 'signet'])).how).toContain('Testnet 3 or Signet');
    expect(networkWords(unknown([]))).toMatchObject({ name: 'Not known' });
  });

  it('uses the unit of the first possible one, and says so if another would differ', () => {
    expect(amountNetwork(unknown(['testnet4', 'regtest']))).toBe('testnet4');
    expect(unitRemark(unknown(['testnet4', 'regtest']))).toContain('tBTC, as on Testnet 4');
    expect(unitRemark(unknown(['testnet3', 'testnet4', 'signet']))).toBeNull();
    expect(unitRemark(unknown([]))).toContain('in BTC, as on Main network');
    expect(unitRemark({ name: 'main', from: 'file', candidates: ['main'] })).toBeNull();
  });
});

describe('birthWords', () => {
  it('claims no more than the file shows', () => {
    const time = 1_795_180_497;
    expect(birthWords({ known: 'exactly', time }).when).not.toContain('earlier');
    const latest = birthWords({ known: 'at-latest', time, undated: 1 });
    expect(latest.when).toMatch(/, or earlier$/);
    expect(latest.note).toContain('1 key without a date');
    expect(birthWords({ known: 'at-latest', time, undated: 7 }).note).toContain('7 keys without a date');
    expect(birthWords({ known: 'no', undated: 0 })).toMatchObject({ when: 'Not known' });
    expect(birthWords({ known: 'no', undated: 3 }).note).toContain('first block');
  });
});

describe('words on what is in the file', () => {
  it('names the kind with its format, also a half-migrated legacy wallet in SQLite', () => {
    expect(kindWords(sampleInspection())).toBe('Legacy wallet (Berkeley DB)');
    const sqlite = { kind: 'sqlite', pageSize: 4096, applicationId: 0, userVersion: 0 } as const;
    expect(kindWords({ kind: 'legacy', file: { size: 1, format: sqlite } })).toBe('Legacy wallet (SQLite)');
  });

  it('says who can spend with the file', () => {
    const said = (encryption: Inspection['encryption'], change: Partial<Inspection['keys']>) =>
      encryptionWords(sampleInspection({ encryption, keys: keys(change) }));
    const locked = { masterKeys: 1, iterations: 25_000, secondsPerTry: null };
    expect(said(locked, { encrypted: 3 })).toBe('Yes');
    expect(said(locked, { encrypted: 3, plain: 1 })).toBe('Yes, but not 1 private key');
    expect(said(null, { plain: 3 })).toContain('Whoever has this file can spend');
    expect(said(null, {})).toBe('No private keys');
    const problems = [{ page: null, finding: { code: 'no_main_database' }, lost: true } as const];
    expect(encryptionWords(sampleInspection({ problems }))).toContain('Not known');
  });

  it('counts the readable contents of a damaged file', () => {
    expect(contentsWords(sampleInspection())).toBeNull();
    const labels = { total: 1234, shown: [] };
    expect(contentsWords(sampleInspection({ keys: keys({ plain: 1, encrypted: 1 }), labels }))).toBe(
      '2 private keys, 1,234 labels',
    );
  });

  it('omits kinds of keys without any', () => {
    const facts = keyRows(sampleInspection({ keys: keys({ plain: 7, single: 7, uncompressed: 1 }) }));
    expect(facts.map(([label]) => label)).toEqual(['Private keys', 'Without a seed', 'Uncompressed']);
    expect(facts[0]?.[1]).toBe('7, not encrypted');
    const [mixed] = keyRows(sampleInspection({ keys: keys({ plain: 1, encrypted: 2 }) }));
    expect(mixed?.[1]).toBe('3, 1 not encrypted');
    const [none] = keyRows(sampleInspection({ flags: ['disable_private_keys'] }));
    expect(none?.[1]).toContain('only watches');
  });

  it('says how many of a multisig’s keys the file has', () => {
    expect(multisigWords({ required: 2, keys: 3, own: 1 })).toBe('Multisig 2 of 3, 1 here');
  });
});

const single = {
  active: false,
  internal: null,
  addressType: null,
  range: null,
  next: null,
  form: null,
} as const;

describe('descriptorWords', () => {
  it('says what an active descriptor is for', () => {
    const receiving = {
      active: true,
      internal: false,
      addressType: 'bech32',
      range: [0, 1004],
      next: 5,
      form: null,
    } as const;
    expect(descriptorWords(receiving)).toBe('Active, for bech32 addresses, range 0 to 1,004, next 5');
    expect(descriptorWords({ ...receiving, internal: true, next: 0 })).toBe(
      'Active, for bech32 change addresses, range 0 to 1,004, next 0',
    );
    expect(descriptorWords({ ...single, active: true })).toBe('Active, for addresses');
  });

  it('says that a descriptor is not active, and omits a missing range', () => {
    expect(descriptorWords(single)).toBe('Not active');
    expect(descriptorWords({ ...single, range: [0, 35], next: 6 })).toBe('Not active, range 0 to 35, next 6');
    expect(descriptorWords({ ...single, form: 'musig' })).toBe('Not active, MuSig2');
  });
});

it('says of exported keys what is true of an import into Electrum and of a sweep with Sparrow', () => {
  expect(privateKeyWords({ lines: 9, used: 2, p2pk: 0, leftOut: 2, taproot: 2 })).toEqual({
    remarks: ['Lines after 2 may hold coins too.'],
    lacks: ['Left out: taproot. Export for Sparrow too.'],
  });
  expect(privateKeyWords({ lines: 9, used: 9, p2pk: 3, leftOut: 1, taproot: 0 })).toEqual({
    remarks: [],
    lacks: ['Coins on public keys need Electrum’s Sweep.', 'Left out: scripts that one key cannot spend.'],
  });
});
