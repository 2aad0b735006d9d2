/** The engine reports the same facts of the recorded wallets as the node. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../files/testing/removeTestFolder.ts';
import { factsOf, walletNames } from '../walletfile/testing/wallets.ts';
import { makeDataFolder, startTestEngine, type TestEngine } from './testing/testEngine.ts';
import { workHere } from './testing/workHere.ts';

type Members = Record<string, unknown>;

describe.each<[string, boolean]>([
  ...walletNames.map((name): [string, boolean] => [name, false]),
  ['legacy-imported', true],
  ['descriptor-hd', true],
])('%s (read from its disk: %s)', (name, onDisk) => {
  const { before, passphrase } = factsOf(name);
  const dataFolder = makeDataFolder();
  let test: TestEngine;

  beforeAll(async () => {
    test = await startTestEngine(dataFolder, {
      release: 28,
      copies: { [name]: name },
      work: workHere({ onDisk }),
    });
    await test.call('loadwallet', [name]);
  });
  afterAll(async () => {
    await test.engine.stop();
    await removeTestFolder(dataFolder);
  });

  it('getwalletinfo', async () => {
    const { result } = await test.call('getwalletinfo');
    const expected: Members = { ...before.getwalletinfo };
    // The file does not contain the height.
    delete expected.lastprocessedblock;
    // The age of an empty key pool is the time of the call.
    if (expected.keypoolsize === 0 && 'keypoololdest' in expected)
      expected.keypoololdest = expect.any(Number);
    // The recorded node still knew the age of its own keys. The file does not contain it, and a node that loads it says 1.
    if (name === 'legacy-nokeys') expected.birthtime = 1;
    expect(result).toEqual(expected);
  });

  it('getbalances', async () => {
    const { lastprocessedblock, ...expected }: Members = { ...before.getbalances };
    expect(lastprocessedblock).toBeDefined();
    expect((await test.call('getbalances')).result).toEqual(expected);
  });

  it('listunspent', async () => {
    const { result } = await test.call('listunspent', [0]);
    const answered = asCoins(result).map(({ confirmations, ...coin }) => {
      expect(confirmations).toBe(1);
      return coin;
    });
    const expected = before.listunspent.map((coin) => {
      // The recorded node still knew the key's own fingerprint, which the file does not contain.
      const inSession = name === 'legacy-watchonly' && String(coin.desc).startsWith('wpkh([4c3f27dd]');
      return inSession ? { ...coin, desc: expect.stringMatching(/^wpkh\(03e1a94f/) } : coin;
    });
    expect(sorted(answered)).toEqual(sorted(expected));
  });

  it('listtransactions', async () => {
    const { result } = await test.call('listtransactions', ['*', 1000, 0, true]);
    const ids = new Set(asCoins(result).map(({ txid }) => txid));
    expect([...ids].sort()).toEqual(before.transactions.toSorted());
  });

  it('labels', async () => {
    for (const { address, label } of before.listreceivedbyaddress) {
      const info = await test.call('getaddressinfo', [address]);
      expect(info.result).toMatchObject({ address, labels: [label], ischange: false });
      const { result } = await test.call('getaddressesbylabel', [label]);
      expect(result).toHaveProperty([address]);
    }
    const { result } = await test.call('listlabels');
    expect(result).toEqual(expect.arrayContaining(before.listreceivedbyaddress.map(({ label }) => label)));
  });

  it('listdescriptors', async () => {
    const { result, error } = await test.call('listdescriptors');
    if (before.listdescriptors) expect(result).toEqual(before.listdescriptors);
    else expect(error?.code).toBe(-4);
  });

  it('listdescriptors true', async () => {
    if (passphrase && before.listdescriptors) {
      expect((await test.call('listdescriptors', [true])).error?.code).toBe(-13);
    } else if (before.listdescriptors_private) {
      expect((await test.call('listdescriptors', [true])).result).toEqual(before.listdescriptors_private);
    }
  });
});

function asCoins(value: unknown): Members[] {
  if (!Array.isArray(value)) throw new Error('not a list');
  return value;
}

function sorted(coins: Members[]): Members[] {
  const keyOf = (coin: Members) => `${coin.txid}:${coin.vout}`;
  return coins.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}
