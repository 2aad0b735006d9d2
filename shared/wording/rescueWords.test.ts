import { describe, expect, it } from 'vitest';
import type { TextLines } from '../model/findings/textLines.ts';
import type { RescueFacts } from '../model/safety.ts';
import { sampleRescue } from '../testing/sampleRescue.ts';
import {
  continueWithoutText,
  damagedLine,
  excludedText,
  hasLosses,
  keylessLines,
  keylessText,
  linesSummary,
  lostWords,
} from './rescueWords.ts';

const facts = sampleRescue();
const excluded = {
  transactions: [{ txid: 'ab', hex: '00' }],
  addresses: [
    { address: 'bcrt1qx', isReadable: true },
    { address: 'bcrt1q\nw5\u202e08d6', isReadable: false },
  ],
};

it('lists excluded records with reasons, and escapes hidden characters', () => {
  expect(excludedText(excluded, facts, 'regtest')).toBe(
    [
      'ab\tNo coins of this wallet are involved.\t00',
      'bcrt1qx\tIts key is not in the file.',
      'bcrt1q⟨U+000A⟩w5⟨U+202E⟩08d6\tNot an address of Regtest.',
      '',
    ].join('\n'),
  );
});

it('says that the key of an excluded transaction may be lost, if the rescue lost something', () => {
  const lossy = { ...facts, damaged: { keys: 1, others: 0 } };
  expect(excludedText({ ...excluded, addresses: [] }, lossy, 'regtest')).toBe(
    'ab\tNo saved key matches: its key may be lost.\t00\n',
  );
});

it('is null if nothing was excluded', () => {
  expect(excludedText({ transactions: [], addresses: [] }, facts, 'regtest')).toBeNull();
});

const lines = (line: number): TextLines => ({
  keys: 2,
  taken: line - 1,
  damaged: [{ line, column: 14, why: 'letter', letter: '0' }],
  states: [],
});

it('says how many lines can be read, and what is wrong with each of the others', () => {
  expect(linesSummary(lines(3))).toBe('Readable: 2 of 3 lines with keys.');
  expect(linesSummary(lines(1))).toBe('Damaged keys: 1. Readable: 2.');
  expect(lines(3).damaged.map(damagedLine)).toEqual(['Line 3, character 14: no key has “0”.']);
  expect(damagedLine({ line: 2, column: 1, why: 'coin' })).toBe('Line 2: another coin’s key.');
  expect(continueWithoutText(lines(3))).toBe('Continue without 1 key');
  // The private key of a damaged descriptor is read.
  const read = {
    ...lines(2),
    damaged: [{ line: 1, column: 1, why: 'checksum' as const, isKeyRead: true as const }],
  };
  expect(linesSummary(read)).toBe('Readable: 1 of 1 lines with keys.');
  expect(continueWithoutText(read)).toBe('Continue');
});

it('names the first lines that hold no key', () => {
  const found = keylessLines({ states: ['taken', 'other', 'comment', 'empty', 'other', 'damaged'] });
  expect(keylessText(found)).toBe('Lines without a key: 2, 5');
  const many = keylessLines({ states: Array<'other'>(1000).fill('other') });
  expect(many).toHaveLength(11);
  expect(keylessText(many)).toBe('Lines without a key: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 …');
});

describe('lostWords', () => {
  const saved = { keys: 1, derived: 0, seeds: 0, labels: 0, transactions: 2 };
  const lost = (keys: number, chainKeys: number, coins: number, countedTwice?: number) =>
    lostWords(
      sampleRescue({
        saved,
        missing: { keys, chainKeys, countedTwice, counter: false, masterKey: false },
        lostCoins: { amount: 0n, coins, on: { total: 0, shown: [] } },
      }),
      'regtest',
    );

  it('does not calm about coins while those of a lost seed are unknown', () => {
    expect(lost(8, 0, 0)).toEqual(['Missing: 8 private keys.', 'No known coins are on them.']);
    expect(lost(8, 7, 0)).toEqual([
      'Missing: 15 private keys and the seed of 7 of them.',
      'Coins of that seed are unknown.',
    ]);
    expect(lost(8, 7, 1)).toHaveLength(3);
  });

  it.each<[string, Partial<RescueFacts>]>([
    ['no transaction is left', { saved: { ...saved, transactions: 0 } }],
    ['pages are lost', { damaged: { keys: 0, others: 0, pages: 1 } }],
    ['records are damaged', { damaged: { keys: 0, others: 1 } }],
    ['the last changes are missing', { unclean: true }],
    ['a version before this one wrote it', { lostCoins: undefined }],
    [
      'addresses of lost keys are unknown',
      { lostCoins: { amount: 0n, coins: 0, on: { total: 0, shown: [] }, mayBeMore: true } },
    ],
    [
      'no saved key receives some payments',
      { excluded: { transactions: { total: 2, shown: [] }, addresses: { total: 0, shown: [] } } },
    ],
  ])('does not calm about coins if %s', (_, change) => {
    const missing = { keys: 2, chainKeys: 0, counter: false, masterKey: false };
    const lostCoins = { amount: 0n, coins: 0, on: { total: 0, shown: [] } };
    const words = lostWords(sampleRescue({ saved, missing, lostCoins, ...change }), 'regtest');
    expect(words.slice(0, 2)).toEqual(['Missing: 2 private keys.', 'They may hold unknown coins.']);
    expect(words).not.toContain('No known coins are on them.');
  });

  it('names each loss, so that the headline has a reason', () => {
    const { missing } = facts;
    const losses: Partial<RescueFacts>[] = [
      { unclean: true },
      { damagedTextKeys: 1 },
      { sealed: 1 },
      { sealedDescriptors: 1 },
      { damaged: { keys: 1, others: 0 } },
      { damaged: { keys: 0, others: 1 } },
      { damaged: { keys: 0, others: 0, pages: 1 } },
      { missing: { ...missing, keys: 1 } },
      { missing: { ...missing, chainKeys: 1 } },
      { missing: { ...missing, descriptors: 1 } },
      { missing: { ...missing, addresses: 1 } },
      { missing: { ...missing, masterKey: true } },
      { missing: { ...missing, counter: true } },
    ];
    for (const loss of losses) {
      const short = sampleRescue(loss);
      expect(hasLosses(short)).toBe(true);
      expect(lostWords(short, 'regtest')[0], JSON.stringify(loss)).toMatch(/\w/);
    }
    expect(lostWords(sampleRescue({ missing: { ...missing, counter: true } }), 'regtest')).toEqual([
      'Missing: the key counter.',
    ]);
    expect(lostWords(facts, 'regtest')).toEqual([]);
  });

  it('adds a key once that the pool and a lost seed have', () => {
    expect(lost(2, 1, 0, 1)).toEqual([
      'Missing: 2 private keys and the seed of 1 of them.',
      'Coins of that seed are unknown.',
    ]);
  });
});
