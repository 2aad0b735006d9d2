/**
 * Compares the balance and transactions in an inspection with those of the real node that `BITCOIND` names. The fixtures
 * know all blocks that concern them.
 */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { z } from 'zod/mini';
import { inspect } from '../../electron/walletfile/inspect/inspect.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import { satoshiOfBitcoin } from '../../shared/model/money.ts';
import { fixtureFile, fixtureNames } from '../testNode/walletFixture.ts';
import type { Pair } from './migratedTwice.ts';
import type { RealNode } from './realNode.ts';
import { legacyFixtures, test } from './sharedNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const fixture of legacyFixtures) {
  test(`the inspection of ${fixture} shows what the node shows after its migration`, async ({
    node,
    migrated,
  }) => {
    const pairs = (await migrated(fixture)).pairs.filter(hasOldCoins);
    const own = pairs.map((pair) => pair.node);
    expect(coinsIn(await inspected(fixtureFile(fixture)))).toEqual(await coinsOf(node, own));
  });
}

test('the inspection of the engine’s wallets shows what the node shows', async ({ node, migrated }) => {
  for (const { file, engine } of (await migrated('legacy-watchonly')).pairs) {
    expect(coinsIn(await inspected(file))).toEqual(await coinsOf(node, [engine]));
  }
});

for (const fixture of fixtureNames.filter((name) => name.startsWith('descriptor'))) {
  test(`the inspection of ${fixture} shows what the node shows`, async ({ node }) => {
    node.putWallet(fixture, fixtureFile(fixture));
    await node.call('loadwallet', [fixture]);
    expect(coinsIn(await inspected(fixtureFile(fixture)))).toEqual(await coinsOf(node, [fixture]));
  });
}

/** The legacy wallet did not watch the scripts of its solvables wallet, so it does not know their coins. */
function hasOldCoins({ part }: Pair): boolean {
  return part !== 'solvables_name';
}

/** The coins of wallets that sign and of those that watch, in satoshi. */
interface Coins {
  confirmed: Record<Kind, bigint>;
  unconfirmed: Record<Kind, bigint>;
  /** The effect and the time of each transaction. */
  transactions: Record<string, Record<Kind, bigint> & { time: number }>;
}
type Kind = 'spendable' | 'watched';

function inspected(file: string): Promise<Inspection> {
  return inspect(readFileSync(file));
}

function coinsIn({ balance: { spendable, watched }, transactions }: Inspection): Coins {
  const effect = (of: { received: bigint; spent: bigint }) => of.received - of.spent;
  return {
    confirmed: { spendable: spendable.confirmed, watched: watched.confirmed },
    unconfirmed: { spendable: spendable.unconfirmed, watched: watched.unconfirmed },
    transactions: Object.fromEntries(
      transactions.shown.map((one) => [
        one.txid,
        { spendable: effect(one.spendable), watched: effect(one.watched), time: one.time },
      ]),
    ),
  };
}

async function coinsOf(node: RealNode, wallets: readonly string[]): Promise<Coins> {
  const coins: Coins = {
    confirmed: { spendable: 0n, watched: 0n },
    unconfirmed: { spendable: 0n, watched: 0n },
    transactions: {},
  };
  for (const wallet of wallets) {
    const info = infoShape.parse(await node.call('getwalletinfo', [], wallet));
    const kind = info.private_keys_enabled ? 'spendable' : 'watched';
    const { mine } = balancesShape.parse(await node.call('getbalances', [], wallet));
    coins.confirmed[kind] += satoshiOfBitcoin(mine.trusted) + satoshiOfBitcoin(mine.immature);
    coins.unconfirmed[kind] += satoshiOfBitcoin(mine.untrusted_pending);
    const entries = entriesShape.parse(await node.call('listtransactions', ['*', 10_000, 0, true], wallet));
    for (const txid of new Set(entries.map((entry) => entry.txid))) {
      const { amount, fee, time } = transactionShape.parse(
        await node.call('gettransaction', [txid, true], wallet),
      );
      const before = coins.transactions[txid] ?? { spendable: 0n, watched: 0n, time };
      const change = satoshiOfBitcoin(amount) + satoshiOfBitcoin(fee);
      coins.transactions[txid] = { ...before, [kind]: before[kind] + change };
    }
  }
  return coins;
}

const infoShape = z.object({ private_keys_enabled: z.boolean() });
const balancesShape = z.object({
  mine: z.object({ trusted: z.number(), untrusted_pending: z.number(), immature: z.number() }),
});
const entriesShape = z.array(z.object({ txid: z.string() }));
/** `fee` is negative, and present only if the wallet paid it. */
const transactionShape = z.object({ amount: z.number(), fee: z._default(z.number(), 0), time: z.number() });
