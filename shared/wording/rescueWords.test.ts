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

it('lists what was left out with the reason, and no sign that changes how the list looks', () => {
  expect(excludedText(excluded, facts)).toBe(
    [
      'ab\tPays and spends nothing of this wallet.\t00',
      'bcrt1qx\tIts key is not in the file.',
      'bcrt1q⟨U+000A⟩w5⟨U+202E⟩08d6\tThis is not a Bitcoin address.',
      '',
    ].join('\n'),
  );
});

it('says of a transaction that it may be of a key that is lost, where the rescue lost something', () => {
  const lossy = { ...facts, damaged: { keys: 1, others: 0 } };
  expect(excludedText({ ...excluded, addresses: [] }, lossy)).toBe(
    'ab\tNo saved key matches it. Its key may be lost.\t00\n',
  );
});

it('is nothing where nothing was left out', () => {
  expect(excludedText({ transactions: [], addresses: [] }, facts)).toBeNull();
});
