import { expect, it } from 'vitest';
import { sampleRescue } from '../testing/sampleRescue.ts';
import { excludedText } from './rescueWords.ts';

const facts = sampleRescue();
const excluded = {
  transactions: [{ txid: 'ab', hex: '00' }],
  addresses: [
    { address: 'bcrt1qx', isReadable: true },
    { address: 'bcrt1q\nw5\u202e08d6', isReadable: false },
  ],
};

it('lists excluded records with reasons, and escapes hidden characters', () => {
  expect(excludedText(excluded, facts)).toBe(
    [
      'ab\tNo coins of this wallet.\t00',
      'bcrt1qx\tIts key is not in the file.',
      'bcrt1q⟨U+000A⟩w5⟨U+202E⟩08d6\tNot a Bitcoin address.',
      '',
    ].join('\n'),
  );
});

it('says that the key of an excluded transaction may be lost, if the rescue lost something', () => {
  const lossy = { ...facts, damaged: { keys: 1, others: 0 } };
  expect(excludedText({ ...excluded, addresses: [] }, lossy)).toBe(
    'ab\tNo saved key matches: its key may be lost.\t00\n',
  );
});

it('is null if nothing was excluded', () => {
  expect(excludedText({ transactions: [], addresses: [] }, facts)).toBeNull();
});
