/** Wallets with impossible amounts and descriptors, or damaged records: every call answers, and none with an internal error. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeTestFolder } from '../../files/testing/testFolder.ts';
import { writeBerkeley } from '../../recovery/repair/writeBerkeley.ts';
import { readBerkeley } from '../../walletfile/database/berkeley.ts';
import { withChecksum } from '../../walletfile/descriptor/checksum.ts';
import { typeIn, type WalletRecord } from '../../walletfile/records/records.ts';
import { transactionId } from '../../walletfile/script/transaction.ts';
import { changeFirst, editedWallet } from '../../walletfile/testing/wallets.ts';
import { engineForTest, putWallet, type TestEngine } from '../testing/testEngine.ts';

type Edits = typeof editedWallet extends (name: string, ...edits: infer T) => unknown ? T : never;

/** An engine with the changed wallet `w`. */
async function withWallet(...edits: Edits): Promise<TestEngine> {
  const dataFolder = makeTestFolder();
  const file = putWallet(join(dataFolder, 'regtest', 'wallets'), 'w', 'descriptor-hd');
  writeFileSync(file, await editedWallet('descriptor-hd', ...edits));
  return engineForTest({}, dataFolder);
}

const calls: [method: string, params: unknown[]][] = [
  ['getwalletinfo', []],
  ['getbalances', []],
  ['listunspent', [0]],
  ['listtransactions', ['*', 1000]],
  ['listdescriptors', []],
  ['getaddressinfo', ['bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080']],
];

const INTERNAL = -32603;

async function answersOf({
  call,
}: TestEngine): Promise<Map<string, { code: number; message: string } | null>> {
  const loaded = await call('loadwallet', ['w']);
  const found = new Map([['loadwallet', loaded.error]]);
  for (const [method, params] of calls) found.set(method, (await call(method, params, '/wallet/w')).error);
  return found;
}

describe('a wallet in the engine', () => {
  // SECURITY.md: A hostile wallet file
  it.each([2n ** 63n - 1n, -(2n ** 63n), -1n, 2_100_000_000_000_001n])(
    'with a payment of %s satoshi answers as without it',
    async (value) => {
      const engine = await withWallet((record) => {
        if (record.type !== 'tx') return record;
        const outputs = record.transaction.outputs.map((output) => ({ ...output, value }));
        const transaction = { ...record.transaction, outputs };
        return { ...record, transaction, txid: transactionId(transaction) };
      });
      for (const [method, error] of await answersOf(engine)) expect(error, method).toBeNull();
      const { result } = await engine.call('getbalances', [], '/wallet/w');
      expect(result).toMatchObject({ mine: { trusted: 0 } });
    },
  );

  it.each([
    ['a script of 100 kB', `raw(${'51'.repeat(100_000)})`],
    ['a script of 10 MB', `raw(${'51'.repeat(10_000_000)})`],
    [
      'a key path of 300 steps',
      `wpkh([00000000${'/0'.repeat(300)}]02${'79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'})`,
    ],
    ['no meaning', 'x'.repeat(1_000_000)],
  ])('with a descriptor of %s answers, or says why it cannot', async (_, text) => {
    const descriptor = withChecksum(text);
    const engine = await withWallet(changeFirst('walletdescriptor', (record) => ({ ...record, descriptor })));
    for (const [method, error] of await answersOf(engine)) {
      expect(error?.code, method).not.toBe(INTERNAL);
      expect(error?.message ?? '', method).not.toContain('inside the engine');
      expect((error?.message ?? '').length, method).toBeLessThan(1000);
    }
  });

  it('with a record of another coin is loaded if only its header shows that it is Bitcoin’s', async () => {
    const isEvidence = ({ type }: WalletRecord) => /^(?:name|purpose|bestblock)/.test(type);
    const record = { key: Buffer.from('\x09mweb_coin'), value: Uint8Array.of(1) };
    const { call } = await withWallet((each) => (isEvidence(each) ? null : each), [record]);
    expect((await call('loadwallet', ['w'])).error).toBeNull();
  });

  it('with damaged records that a node skips is loaded and migrated', async () => {
    const types = ['flags', 'bestblock', 'bestblock_nomerkle'];
    const dataFolder = makeTestFolder();
    const file = putWallet(join(dataFolder, 'regtest', 'wallets'), 'w', 'legacy-hd');
    const { records } = readBerkeley(readFileSync(file));
    expect(records.map(({ key }) => typeIn(key))).toEqual(expect.arrayContaining(types));
    const damaged = records.map(({ key, value }) => ({
      key,
      value: types.includes(typeIn(key)) ? Uint8Array.of(9) : value,
    }));
    writeFileSync(file, writeBerkeley(damaged));
    const { call } = await engineForTest({ release: 28 }, dataFolder);
    expect((await call('loadwallet', ['w'])).error).toBeNull();
    expect((await call('migratewallet', ['w'])).error).toBeNull();
  });
});
