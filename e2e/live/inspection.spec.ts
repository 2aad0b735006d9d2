/**
 * What inspecting a file tells of its balance and transactions, held against what a real node says of the wallet:
 * `BITCOIND` names one. The fixtures know all blocks that concern them.
 */
import { readFileSync } from 'node:fs';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { inspect } from '../../electron/walletfile/inspect/inspect.ts';
import type { Inspection } from '../../shared/model/inspection.ts';
import { satoshiOfBitcoin } from '../../shared/model/money.ts';
import { fixtureFile, fixtureNames } from '../testNode/walletFixture.ts';
import type { Pair } from './migratedTwice.ts';
import type { RealNode } from './realNode.ts';
import { legacyFixtures, test } from './sharedNode.ts';

test.skip(!process.env.BITCOIND, 'BITCOIND names no bitcoind');

for (const fixture of legacyFixtures) {
  test(`${fixture}: is inspected as the node sees what it migrates it to`, async ({ node, migrated }) => {
    const pairs = (await migrated(fixture)).pairs.filter(isOfOldCoins);
    const own = pairs.map((pair) => pair.node);
    expect(toldBy(await inspected(fixtureFile(fixture)))).toEqual(await knownTo(node, own));
  });
}

test('wallets of the engine are inspected as the node sees them', async ({ node, migrated }) => {
  for (const { file, engine } of (await migrated('legacy-watchonly')).pairs) {
    expect(toldBy(await inspected(file))).toEqual(await knownTo(node, [engine]));
  }
});

for (const fixture of fixtureNames.filter((name) => name.startsWith('descriptor'))) {
  test(`${fixture}: is inspected as the node sees it`, async ({ node }) => {
    node.putWallet(fixture, fixtureFile(fixture));
    await node.call('loadwallet', [fixture]);
    expect(toldBy(await inspected(fixtureFile(fixture)))).toEqual(await knownTo(node, [fixture]));
  });
}

/** The legacy wallet did not watch what is in a solvables wallet, and knows of none of its coins. */
function isOfOldCoins({ part }: Pair): boolean {
  return part !== 'solvables_name';
}

/** Of wallets that sign and of those that watch, in satoshi. */
interface Known {
  confirmed: Record<Kind, bigint>;
  unconfirmed: Record<Kind, bigint>;
  /** By transaction: what it brought or took, and its time. */
  transactions: Record<string, Record<Kind, bigint> & { time: number }>;
}
type Kind = 'spendable' | 'watched';

function inspected(file: string): Promise<Inspection> {
  return inspect(readFileSync(file));
}

function toldBy({ balance: { spendable, watched }, transactions }: Inspection): Known {
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

async function knownTo(node: RealNode, wallets: readonly string[]): Promise<Known> {
  const known: Known = {
    confirmed: { spendable: 0n, watched: 0n },
    unconfirmed: { spendable: 0n, watched: 0n },
    transactions: {},
  };
  for (const wallet of wallets) {
    const info = infoShape.parse(await node.call('getwalletinfo', [], wallet));
    const kind = info.private_keys_enabled ? 'spendable' : 'watched';
    const { mine } = balancesShape.parse(await node.call('getbalances', [], wallet));
    known.confirmed[kind] += satoshiOfBitcoin(mine.trusted) + satoshiOfBitcoin(mine.immature);
    known.unconfirmed[kind] += satoshiOfBitcoin(mine.untrusted_pending);
    const entries = entriesShape.parse(await node.call('listtransactions', ['*', 10_000, 0, true], wallet));
    for (const txid of new Set(entries.map((entry) => entry.txid))) {
      const { amount, fee, time } = transactionShape.parse(
        await node.call('gettransaction', [txid, true], wallet),
      );
      const before = known.transactions[txid] ?? { spendable: 0n, watched: 0n, time };
      const change = satoshiOfBitcoin(amount) + satoshiOfBitcoin(fee);
      known.transactions[txid] = { ...before, [kind]: before[kind] + change };
    }
  }
  return known;
}

const infoShape = z.object({ private_keys_enabled: z.boolean() });
const balancesShape = z.object({
  mine: z.object({ trusted: z.number(), untrusted_pending: z.number(), immature: z.number() }),
});
const entriesShape = z.array(z.object({ txid: z.string() }));
/** `fee` is below zero, and there where the wallet paid it. */
const transactionShape = z.object({ amount: z.number(), fee: z.number().default(0), time: z.number() });
