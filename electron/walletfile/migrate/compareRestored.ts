/** Compares the repaired file of a descriptor wallet with the wallet that a node restored from it. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { AppError } from '../../../shared/model/errors.ts';
import { balanceInFile, wholeOf } from '../../../shared/model/money.ts';
import type { Network } from '../../../shared/model/network.ts';
import {
  descriptorOwnership,
  eachScript,
  expansionOf,
  indexesOf,
  MOST_INDEXES,
  mayBePaid,
} from '../descriptor/descriptorScripts.ts';
import { type StoredDescriptor, storedDescriptors } from '../descriptor/storedDescriptors.ts';
import { lastKnownBalance } from '../legacy/storedHistory.ts';
import { flagsOf, hasFlag } from '../records/walletFlags.ts';
import {
  compared,
  isCutOff,
  keysAskedBy,
  labelsOf,
  type MigrationComparison,
  named,
  notThese,
  readCompared,
  transactionsOf,
} from './compareMigration.ts';
import type { MadeWallet } from './migrateLegacy.ts';

/**
 * In the shape of a migration's comparison, with one new wallet. Throws AppError `not_a_wallet` for files that cannot be read,
 * `bad_input` for one that is no descriptor wallet.
 */
export async function compareRestored(
  mended: Uint8Array,
  { part, name, bytes }: MadeWallet,
  network: Network,
): Promise<MigrationComparison> {
  const [before, after] = [await readCompared(mended), await readCompared(bytes)];
  if (before.format !== 'sqlite' || after.format !== 'sqlite') throw notThese();
  const [old, made] = [before, after].map(({ records }) => ({
    records,
    descriptors: storedDescriptors(records, network),
    asked: keysAskedBy(records),
    labels: labelsOf(records),
    transactions: transactionsOf(records),
    watches: hasFlag(flagsOf(records), 'disable_private_keys'),
  }));
  if (!old || !made) throw notThese();
  const scripts = new Set<string>();
  const others = old.descriptors.filter((one) => !made.descriptors.some((other) => covers(other, one)));
  await eachScript(others, (script) => scripts.add(script));
  if (scripts.size > 0) await eachScript(made.descriptors, (script) => scripts.delete(script));
  const keysOf = ({ asked }: Pick<typeof old, 'asked'>, one: StoredDescriptor) =>
    asked(one).flatMap(({ isKept, publicKey }) => (isKept ? [bytesToHex(publicKey)] : []));
  const kept = new Set(made.descriptors.flatMap((one) => keysOf(made, one)));
  const keyless = old.descriptors.filter((one) => keysOf(old, one).some((key) => !kept.has(key)));
  const paid = mayBePaid(old.descriptors, old.records.of('tx'), MOST_INDEXES);
  const ownership = await descriptorOwnership(paid, { privateKeys: !old.watches });
  const { balance } = lastKnownBalance(old.records, ownership, null);
  const parts = balanceInFile(balance);
  return {
    scripts: compared(
      old.descriptors.reduce((sum, one) => sum + scriptCount(one), 0),
      scripts,
    ),
    misplaced: named(new Set()),
    keyless: named(new Set(keyless.map(({ record }) => record.descriptor))),
    labels: compared(old.labels.size, without(old.labels, made.labels)),
    transactions: compared(old.transactions.size, without(old.transactions, made.transactions)),
    balance: {
      amount: wholeOf(parts),
      unconfirmed: balance.spendable.unconfirmed + balance.watched.unconfirmed,
      newest: balance.newestTransaction,
      parts,
    },
    wallets: [
      {
        ...{ part, name, twice: 0n, watches: made.watches },
        descriptors: made.descriptors.length,
        labels: made.labels.size,
        transactions: made.transactions.size,
        cutOff: isCutOff(made.records, null),
      },
    ],
    unread: before.unread || after.unread,
  };
}

/** Whether one descriptor derives all scripts of another. Saves deriving thousands of scripts. */
function covers({ record: one }: StoredDescriptor, { record: other }: StoredDescriptor): boolean {
  return (
    one.descriptor === other.descriptor &&
    one.rangeStart <= other.rangeStart &&
    one.rangeEnd >= other.rangeEnd
  );
}

/** How many scripts it derives, with the same number at every index. 0 if its keys are missing. */
function scriptCount(stored: StoredDescriptor): number {
  const { descriptor, record } = stored;
  if (!descriptor) return 0;
  const [index, end] = indexesOf(descriptor, record);
  try {
    return expansionOf({ stored, descriptor, index }).scripts.length * (end - index);
  } catch (thrown) {
    if (thrown instanceof AppError) return 0;
    throw thrown;
  }
}

function without(all: ReadonlySet<string>, those: ReadonlySet<string>): Set<string> {
  return new Set([...all].filter((one) => !those.has(one)));
}
