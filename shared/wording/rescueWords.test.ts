import { expect, it } from 'vitest';
import type { RescueFacts } from '../model/safety.ts';
import { excludedText } from './rescueWords.ts';

const none = { total: 0, shown: [] };
const facts: RescueFacts = {
  log: null,
  unclean: false,
  saved: { keys: 1, derived: 0, seeds: 0, labels: 0, transactions: 0 },
  damaged: { keys: 0, others: 0 },
  missing: { keys: 0, chainKeys: 0, counter: false, masterKey: false },
  sealed: 0,
  unread: 0,
  unowned: 0,
  excluded: { transactions: none, addresses: none },
  excludedFile: null,
};
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
