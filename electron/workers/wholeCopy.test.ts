import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { needsRescue } from '../../shared/model/inspection.ts';
import { makeTestFolder } from '../files/testing/testFolder.ts';
import { writeBerkeley } from '../recovery/repair/writeBerkeley.ts';
import { inspect } from '../walletfile/inspect/inspect.ts';
import { conditionFiles } from '../walletfile/testing/conditionFiles.ts';
import { berkeleyFile, editedWallet, entriesOf, walletFile } from '../walletfile/testing/wallets.ts';
import { examineFile } from './examineFile.ts';
import { copyStates } from './wholeCopy.ts';

let file = '';

beforeEach(() => {
  file = join(makeTestFolder(), 'wallet.dat');
});

async function stateOf(bytes: Uint8Array) {
  writeFileSync(file, bytes);
  return (await copyStates({ paths: [file] }))[0];
}

const damagedRecord = (type: string) => ({
  key: Uint8Array.of(type.length, ...Buffer.from(type), 0),
  value: Uint8Array.of(9),
});

it('calls no copy of a text with keys damaged', async () => {
  expect(await stateOf(Buffer.from('cVpF924EspNh8KjYsfhgY96mmxvT6DgdWiTYMtMjuM74hJaU5psW\n'))).toBe(
    'unknown',
  );
  expect(await stateOf(new Uint8Array(4096))).toBe('damaged');
  expect(await stateOf(Buffer.from('<html>a page in its place</html>'))).toBe('damaged');
});

describe('a copy with a damaged record', () => {
  it.each(['acc', 'minversion', 'orderposnext', 'flags', 'bestblock'])(
    'of type %s is whole, since every release from 23 on goes on without that record',
    async (type) => {
      const records = [...(await entriesOf('legacy-hd')), damagedRecord(type)];
      const bytes = writeBerkeley(records.filter((one) => isOnly(one, type)));
      expect(await stateOf(bytes)).toBe('whole');
      const { problems, records: counts } = await inspect(bytes);
      expect(counts.damaged.total).toBe(1);
      expect(problems.filter(({ lost }) => lost)).toEqual([]);
    },
  );

  it('of another type makes a legacy wallet damaged', async () => {
    const records = [...(await entriesOf('legacy-hd')), damagedRecord('keymeta')];
    expect(await stateOf(writeBerkeley(records))).toBe('damaged');
  });

  it.each(['key-damaged', 'descriptor-key', 'descriptor-key-sealed'] as const)(
    'of a private key is damaged: %s',
    async (code) => {
      expect(await stateOf((await conditionFiles[code]()).bytes)).toBe('damaged');
    },
  );

  it('makes a descriptor wallet damaged if it holds the flags', async () => {
    const flags = await editedWallet('descriptor-hd', undefined, [damagedRecord('flags')]);
    expect(await stateOf(flags)).toBe('damaged');
    const position = await editedWallet('descriptor-hd', undefined, [damagedRecord('orderposnext')]);
    expect(await stateOf(position)).toBe('whole');
  });

  /** Leaves out the undamaged record that has the place of the damaged one. */
  function isOnly({ key, value }: { key: Uint8Array; value: Uint8Array }, type: string): boolean {
    return (
      Buffer.from(key)
        .subarray(1, 1 + type.length)
        .toString() !== type || value.length === 1
    );
  }
});

it('a copy that only a release before 30 opens is whole', async () => {
  const byBerkeley6 = Buffer.from(walletFile('legacy-blank'));
  for (const page of [0, 2]) byBerkeley6.writeUInt32LE(10, page * 4096 + 16);
  expect(await stateOf(byBerkeley6)).toBe('whole');
});

it('a copy with a broken tree is damaged', async () => {
  expect(await stateOf(berkeleyFile('imported-bare'))).toBe('damaged');
});

it('a copy with a damaged index is damaged, because nodes refuse it', async () => {
  const bytes = walletFile('descriptor-hd').fill(0, 2 * 4096, 3 * 4096);
  expect(await stateOf(bytes)).toBe('damaged');
  expect(await examineFile({ path: file })).toMatchObject({ state: 'damaged' });
  expect(needsRescue(await inspect(bytes))).toBe(true);
});

it('a copy whose header nodes refuse is damaged', async () => {
  const newer = walletFile('descriptor-hd');
  newer[63] = 9;
  expect(await stateOf(newer)).toBe('damaged');
});
