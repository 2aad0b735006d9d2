/** Imports exported descriptors into new wallets of the real node that `BITCOIND` names. */
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from '@playwright/test';
import { z } from 'zod/mini';
import { walletOfText } from '../../electron/recovery/keyImport/walletOfText.ts';
import { exportDescriptors } from '../../electron/walletfile/inspect/exportWallet.ts';
import type { RealNode } from './realNode.ts';
import { fixturesWithKeys, legacyFixtures, test } from './sharedNode.ts';
import { spendAll } from './spending.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const fixture of fixturesWithKeys) {
  test(`the private descriptors of the migrated ${fixture} create the same wallet, which signs`, async ({
    node,
    migrated,
  }) => {
    const { pairs, passphrase } = await migrated(fixture);
    for (const { part, engine, file } of pairs) {
      const exporting = exportDescriptors(readFileSync(file), {
        format: 'importdescriptors',
        private: true,
        passphrase: passphrase ?? undefined,
      });
      if (part !== 'wallet_name') {
        await expect(exporting).rejects.toMatchObject({ code: 'bad_input' });
        continue;
      }
      const { fresh, requests } = await importAll(node, engine, await exporting);
      const listed = listShape.parse(await node.call('listdescriptors', [true], fresh));
      // `next` is a second name of `next_index`.
      expect(listed.descriptors.map(({ next, ...rest }) => rest)).toEqual(requests.map(asImported));
      await expectSameCoins(node, fresh, engine);
      await expectNextAddresses(node, fresh, requests);
      const fromText = `${engine}, from text`;
      const wallet = join(dirname(file), 'of-a-text.dat');
      writeFileSync(wallet, (await walletOfText(Buffer.from(await exporting), 'regtest'))?.bytes ?? '');
      await node.call('restorewallet', [fromText, wallet]);
      await expectSameCoins(node, fromText, engine);
      expect((await spendAll(node, fromText)).allowed).toEqual([true, true]);
      expect((await spendAll(node, fresh)).allowed).toEqual([true, true]);
    }
  });
}

// The descriptors of legacy-hd, one for each key, would be two thousand of the same kind.
for (const fixture of legacyFixtures.filter((name) => name !== 'legacy-hd')) {
  test(`the public descriptors of the migrated ${fixture} create wallets that watch the same`, async ({
    node,
    migrated,
  }) => {
    const { pairs } = await migrated(fixture);
    for (const { engine, file } of pairs) {
      const text = await exportDescriptors(readFileSync(file), {
        format: 'importdescriptors',
        private: false,
      });
      expect(text).not.toMatch(/\b[tx]prv/);
      const { fresh, requests } = await importAll(node, engine, text, { disablePrivateKeys: true });
      await expectSameCoins(node, fresh, engine);
      await expectNextAddresses(node, fresh, requests);
    }
  });
}

const ADDRESS_TYPES = { 'pkh(': 'legacy', 'sh(wpkh(': 'p2sh-segwit', 'wpkh(': 'bech32', 'tr(': 'bech32m' };

type Request = z.infer<typeof requestShape>;

const requestShape = z.looseObject({
  desc: z.string(),
  timestamp: z.number(),
  active: z.boolean(),
  internal: z.optional(z.boolean()),
  range: z.optional(z.tuple([z.number(), z.number()])),
  next_index: z.optional(z.number()),
});
const listShape = z.object({ descriptors: z.array(z.looseObject({ next: z.optional(z.number()) })) });
const coinsShape = z.array(
  z.object({ txid: z.string(), vout: z.number(), amount: z.number(), scriptPubKey: z.string() }),
);
const addressesShape = z.array(z.object({ address: z.string() }));
const addressShape = z.object({ ismine: z.boolean() });

/** A node accepts no time before 1, and derives 1000 keys from the next one. */
function asImported({ timestamp, range, next_index: next = 0, ...rest }: Request): object {
  const ranged = range && { range: [range[0], Math.max(range[1], next + 999)], next_index: next };
  return { ...rest, ...ranged, timestamp: Math.max(1, timestamp) };
}

/** Imports an export into a new blank wallet. Expects that the node accepts every descriptor without a warning. */
async function importAll(
  node: RealNode,
  of: string,
  exported: string,
  { disablePrivateKeys = false } = {},
): Promise<{ fresh: string; requests: Request[] }> {
  const requests = z.array(requestShape).parse(JSON.parse(exported));
  const fresh = `${of}, ${disablePrivateKeys ? 'watched' : 'imported'}`;
  await node.call('createwallet', [fresh, disablePrivateKeys, true]);
  const results = z.array(z.unknown()).parse(await node.call('importdescriptors', [requests], fresh));
  expect(results.filter((result) => JSON.stringify(result) !== '{"success":true}')).toEqual([]);
  expect(results).toHaveLength(requests.length);
  return { fresh, requests };
}

async function expectSameCoins(node: RealNode, fresh: string, original: string): Promise<void> {
  const coinsOf = async (wallet: string) =>
    coinsShape
      .parse(await node.call('listunspent', [0], wallet))
      .sort((a, b) => (`${a.txid}${a.vout}` < `${b.txid}${b.vout}` ? -1 : 1));
  expect(await coinsOf(fresh)).toEqual(await coinsOf(original));
  expect(await node.call('getbalances', [], fresh)).toEqual(await node.call('getbalances', [], original));
  const known = addressesShape.parse(await node.call('listreceivedbyaddress', [0, true, true], original));
  for (const { address } of known) {
    const isMine = async (wallet: string) =>
      addressShape.parse(await node.call('getaddressinfo', [address], wallet)).ismine;
    expect([address, await isMine(fresh)]).toEqual([address, await isMine(original)]);
  }
}

/** Expects that the new wallet continues at the addresses that the export names. */
async function expectNextAddresses(
  node: RealNode,
  fresh: string,
  requests: readonly Request[],
): Promise<void> {
  const inUse = requests.flatMap(({ desc, active, internal, next_index: index }) =>
    active && internal === false ? [{ desc, index }] : [],
  );
  for (const { desc, index } of inUse) {
    const [, type] = Object.entries(ADDRESS_TYPES).find(([start]) => desc.startsWith(start)) ?? [];
    expect([await node.call('getnewaddress', ['', type], fresh)]).toEqual(
      await node.call('deriveaddresses', [desc, [index, index]]),
    );
  }
}
