/**
 * Compares the offline engine's migrations with those of a real node from the same files. `BITCOIND` names the node, of
 * release 28 or later.
 */

import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod/mini';
import { fixtureFile } from '../testNode/walletFixture.ts';
import { migrateTwice } from './migratedTwice.ts';
import type { RealNode } from './realNode.ts';
import { fixtureFacts, fixturesWithKeys, legacyFixtures, test } from './sharedNode.ts';
import { coinKnowledge, spendAll } from './spending.ts';
import { historyOnNode, walletOnNode } from './walletOnNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const fixture of legacyFixtures) {
  test.describe(fixture, () => {
    // In one worker, so that the fixture is migrated once.
    test.describe.configure({ mode: 'default' });
    const seedKept = 'hdseedid' in fixtureFacts(fixture).info;

    test('migrates to wallets that the node loads without a warning', async ({ migrated }) => {
      const { parts, pairs } = await migrated(fixture);
      expect(parts.engine).toEqual(parts.node);
      expect(pairs.map(({ loaded }) => loaded)).toEqual(pairs.map(({ engine }) => ({ name: engine })));
    });

    test('migrates to the same contents as in the node', async ({ node, migrated }) => {
      const { pairs, span } = await migrated(fixture);
      for (const { part, engine, node: own } of pairs) {
        const as = { span, seedKept, companion: part !== 'wallet_name' };
        expect(await walletOnNode(node, engine, as)).toEqual(await walletOnNode(node, own, as));
        expect(await coinKnowledge(node, engine)).toEqual(await coinKnowledge(node, own));
      }
    });

    if (!fixturesWithKeys.includes(fixture)) {
      test('has no new addresses, like after the node’s migration', async ({ node, migrated }) => {
        const { pairs } = await migrated(fixture);
        const refusal = (wallet: string) =>
          node.call('getnewaddress', [], wallet).then(String, (error: Error) => error.message);
        for (const { engine, node: own } of pairs) {
          expect(await refusal(engine)).toBe('Error: This wallet has no available keys');
          expect(await refusal(own)).toBe('Error: This wallet has no available keys');
        }
      });
    } else {
      test('signs for all its coins, and for new addresses of every type', async ({ node, migrated }) => {
        const { pairs } = await migrated(fixture);
        const [{ engine } = { engine: '' }] = pairs;
        const { coins, allowed } = await spendAll(node, engine);
        expect(coins).toBeGreaterThan(0);
        expect(allowed).toEqual([true, true]);
      });
    }

    test('leaves a backup with the bytes of the old file', async ({ node, migrated }) => {
      const { backup } = await migrated(fixture);
      expect(readFileSync(backup).equals(readFileSync(fixtureFile(fixture)))).toBe(true);
      // Later releases cannot load a legacy wallet.
      if (node.version >= 300_000) return;
      const [restored, old] = [`${fixture} restored`, `${fixture} not migrated`];
      node.putWallet(old, fixtureFile(fixture));
      const loaded = await node.call('loadwallet', [old]);
      expect(await node.call('restorewallet', [restored, backup])).toEqual({
        ...Object(loaded),
        name: restored,
      });
      expect(await historyOnNode(node, restored)).toEqual(await historyOnNode(node, old));
    });
  });
}

test('migrates a wallet with locked coins, labels of all kinds and more watched scripts like a node', async ({
  node,
}) => {
  test.skip(node.version >= 300_000, 'This release cannot change a legacy wallet.');
  const name = 'changed';
  const file = join(node.dataFolder, `${name}.dat`);
  copyFileSync(await changeLegacyWallet(node, name, fixtureFile('legacy-watchonly')), file);
  const { parts, pairs, span } = await migrateTwice(node, `${name} and migrated`, file, null);
  expect(parts.engine).toEqual(['wallet_name', 'watchonly_name', 'solvables_name']);
  expect(parts.node).toEqual(parts.engine);
  for (const { part, engine, node: own, loaded } of pairs) {
    expect(loaded).toEqual({ name: engine });
    // For a wallet that has seen the whole chain, a node counts used keys only after a rescan. The engine counts them from
    // the wallet's transactions at once.
    await node.call('rescanblockchain', [], own);
    const as = { span, seedKept: true, companion: part !== 'wallet_name' };
    const contents = await walletOnNode(node, engine, as);
    expect(contents).toEqual(await walletOnNode(node, own, as));
    if (part === 'wallet_name') expect(contents.lockedCoins).toHaveLength(2);
  }
});

/** Loads a copy of `file` under that name, changes it, unloads it, and resolves with the changed file's path. */
async function changeLegacyWallet(node: RealNode, name: string, file: string): Promise<string> {
  node.putWallet(name, file);
  await node.call('loadwallet', [name]);
  const ask = (method: string, params: unknown[] = []) => node.call(method, params, name);

  const coins = coinsShape.parse(await ask('listunspent'));
  const [first, second] = coins
    .filter(({ spendable }) => spendable)
    .map(({ txid, vout }) => ({ txid, vout }));
  await ask('lockunspent', [false, [first, second], true]);

  await ask('setlabel', [FOREIGN, 'someone else']);
  const own = z.string().parse(await ask('getnewaddress', ['new – “quoted” 💰', 'legacy']));
  await ask('setlabel', [z.string().parse(await ask('getnewaddress', ['', 'bech32'])), 'twice']);
  await ask('setlabel', [z.string().parse(await ask('getrawchangeaddress', ['bech32'])), 'twice']);

  await ask('importaddress', [WATCHED, 'watched', false]);
  const { pubkey } = z.object({ pubkey: z.string() }).parse(await ask('getaddressinfo', [own]));
  await ask('addmultisigaddress', [1, [pubkey, STRANGER], 'one of two', 'p2sh-segwit']);
  await ask('setwalletflag', ['avoid_reuse', true]);
  await node.call('unloadwallet', [name]);
  return join(node.walletsFolder, name, 'wallet.dat');
}

const coinsShape = z.array(z.object({ txid: z.string(), vout: z.number(), spendable: z.boolean() }));

/** Addresses of hashes that repeat one byte, and the curve's base point as a public key. No fixture has them. */
const FOREIGN = 'mfWxJ45yp2SFn7UciZyNpvDKrzbhyfKrY8';
const WATCHED = 'bcrt1qqyqszqgpqyqszqgpqyqszqgpqyqszqgpvxat9t';
const STRANGER = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
