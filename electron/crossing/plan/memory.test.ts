import { expect, it } from 'vitest';
import { memory, namesBefore } from './memory.ts';

it('reads what an earlier version of the app kept, which did not look at the disk', () => {
  const kept = {
    kind: 'migrate',
    name: 'w',
    loadedBefore: ['other'],
    gavePassphrase: false,
    encrypted: null,
    before: null,
    balanceBefore: null,
  };
  const read = memory.parse(kept);
  if (read.kind !== 'migrate') throw new Error('It is another kind.');
  expect([...namesBefore(read)]).toEqual(['other']);
  const now = memory.parse({ ...kept, onDiskBefore: ['w', 'other'] });
  if (now.kind !== 'migrate') throw new Error('It is another kind.');
  expect([...namesBefore(now)]).toEqual(['other', 'w']);
});
