/** Compares a legacy wallet's file with the files that a node made of it: nothing of the first may be missing. */
import { AppError } from '../../shared/errors.ts';
import type { WalletPart } from '../../shared/migrationPreview.ts';
import type { Network } from '../../shared/network.ts';
import type { Compared } from '../../shared/safety.ts';
import { say } from '../../shared/say.ts';
import { eachScript } from './descriptorScripts.ts';
import { lastKnownBalance } from './lastKnownBalance.ts';
import { legacyOwnership } from './legacyOwnership.ts';
import { parseRecords } from './parseRecords.ts';
import { readEntries } from './readEntries.ts';
import { type RecordsByType, recordsByType } from './recordsByType.ts';
import { shownText } from './shownText.ts';
import { type StoredDescriptor, storedDescriptors } from './storedDescriptors.ts';

interface MadeWallet {
  part: WalletPart;
  name: string;
  bytes: Uint8Array;
}

export interface MigrationComparison {
  /** Output scripts that the old wallet called its own, of which the new ones' descriptors give the same. */
  scripts: Compared;
  /** Addresses with their labels. */
  labels: Compared;
  /** By id. */
  transactions: Compared;
  /**
   * What the old file last knew: satoshi, spendable and watched together, how much of it was in no block, and Unix
   * seconds of its newest transaction.
   */
  balance: { amount: bigint; unconfirmed: bigint; newest: number | null };
  wallets: { part: WalletPart; name: string; descriptors: number; labels: number; transactions: number }[];
  /** Whether one of the files could not be read whole: then what is missing may only be unread. */
  unread: boolean;
}

/**
 * Needs no passphrase: which scripts are a wallet's is told by public keys. Throws AppError `not_a_wallet` for files that
 * cannot be read, `bad_input` when the old one is not a legacy wallet or a new one is.
 */
export async function compareMigration(
  before: Uint8Array,
  after: readonly MadeWallet[],
  network: Network,
): Promise<MigrationComparison> {
  const old = await read(before);
  if (old.format !== 'berkeley-db') throw notThese();
  const ownership = legacyOwnership(old.records, 'all');
  const scripts = new Set(ownership.scripts.mine.keys());
  const labels = labelsOf(old.records);
  const transactions = transactionsOf(old.records);
  const counts = { scripts: scripts.size, labels: labels.size, transactions: transactions.size };
  const wallets: MigrationComparison['wallets'] = [];
  const all: StoredDescriptor[] = [];
  let unread = old.unread;
  for (const { part, name, bytes } of after) {
    const made = await read(bytes);
    if (made.format !== 'sqlite') throw notThese();
    unread ||= made.unread;
    const descriptors = storedDescriptors(made.records, network);
    all.push(...descriptors);
    const own = { labels: labelsOf(made.records), transactions: transactionsOf(made.records) };
    for (const label of own.labels) labels.delete(label);
    for (const id of own.transactions) transactions.delete(id);
    wallets.push({
      part,
      name,
      descriptors: descriptors.length,
      labels: own.labels.size,
      transactions: own.transactions.size,
    });
  }
  // The active ones are new with the migration: thousands of scripts, which need not be made when nothing is missing.
  for (const active of [false, true]) {
    if (scripts.size === 0) break;
    const some = all.filter((stored) => (stored.active !== null) === active);
    await eachScript(some, (script) => scripts.delete(script));
  }
  const { balance } = lastKnownBalance(old.records, ownership);
  const { spendable, watched } = balance;
  const unconfirmed = spendable.unconfirmed + watched.unconfirmed;
  return {
    scripts: compared(counts.scripts, scripts),
    labels: compared(counts.labels, labels),
    transactions: compared(counts.transactions, transactions),
    balance: {
      amount: spendable.confirmed + watched.confirmed + unconfirmed,
      unconfirmed,
      newest: balance.newestTransaction,
    },
    wallets,
    unread,
  };
}

async function read(bytes: Uint8Array) {
  const { records, format, problems } = await readEntries(bytes);
  const parsed = parseRecords(records);
  return {
    records: recordsByType(parsed.records),
    format: format.kind,
    unread: problems.some(({ lost }) => lost) || parsed.damaged.length > 0,
  };
}

/** An address and its label as one text, for people too. */
function labelsOf(records: RecordsByType): Set<string> {
  return new Set(records.of('name').map(({ address, label }) => `${address}: ${label}`));
}

function transactionsOf(records: RecordsByType): Set<string> {
  return new Set(records.of('tx').map(({ txid }) => txid));
}

/** How many of what is missing are named. */
const MOST_SHOWN = 1000;

function compared(before: number, missing: ReadonlySet<string>): Compared {
  return {
    before,
    after: before - missing.size,
    missing: { total: missing.size, shown: [...missing].slice(0, MOST_SHOWN).map(shownText) },
  };
}

function notThese(): AppError {
  return new AppError(
    'bad_input',
    say('These files are not a legacy wallet and what came of it.'),
    say('Nothing was changed. Choose the file of the old wallet and those that the migration made of it.'),
  );
}
