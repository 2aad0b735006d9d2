/** The records of the wallets that come of a migration. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Network } from '../../../shared/network.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { OwnKey } from '../legacy/ownKeys.ts';
import { RecordWriter, writeRecord } from '../record/records.ts';
import { flagBits } from '../record/walletFlags.ts';
import { addressOf } from '../script/address.ts';
import type { AddressPlaces } from './addressPlaces.ts';
import { branchDescriptor } from './chainDescriptors.ts';
import { keyDescriptor } from './keyDescriptors.ts';
import { type MigrationPlan, type PlacedScript, scriptsIn } from './migrationPlan.ts';
import { descriptorRecords, type PlannedDescriptor } from './plannedDescriptor.ts';
import type { TransactionPlaces } from './transactionPlaces.ts';

interface SharedOut {
  legacy: LegacyWallet;
  plan: MigrationPlan;
  /** Own keys that stored transactions pay to. */
  paid: ReadonlySet<OwnKey>;
  /** Descriptors for new addresses; none in a wallet that only watches. */
  active: readonly PlannedDescriptor[];
  addresses: AddressPlaces;
  transactions: TransactionPlaces;
  network: Network;
}

/**
 * The main wallet's: what it keeps of the legacy wallet, and its descriptors. Those of keys are made one by one as they
 * are asked for, so that of thousands only the records stay in memory.
 */
export function* mainRecords(shared: SharedOut): Generator<RawRecord> {
  const { legacy, plan, paid, active, addresses, transactions } = shared;
  const kept = active.length > 0 ? legacy.flags & ~flagBits.blank : legacy.flags;
  yield* ownRecords(kept);
  yield* legacy.others;
  yield* orderOf(legacy);
  const writer = new RecordWriter();
  for (const key of plan.singles) yield* descriptorRecords(keyDescriptor(key, paid.has(key)), writer);
  for (const { planned } of scriptsIn(plan, 'primary')) yield* descriptorRecords(planned, writer);
  for (const branch of plan.branches) yield* descriptorRecords(branchDescriptor(branch), writer);
  for (const planned of active) yield* descriptorRecords(planned, writer);
  yield* addresses.records.primary;
  yield* transactions.records.primary;
}

/** Those of a wallet beside the main one, which never has private keys. */
export function* furtherRecords(
  place: Exclude<WalletPart, 'primary'>,
  shared: SharedOut,
): Generator<RawRecord> {
  const { legacy, plan, addresses, transactions, network } = shared;
  const kept = legacy.flags & (flagBits.avoid_reuse | flagBits.key_origin_metadata);
  const scripts = scriptsIn(plan, place);
  const book = addresses.records[place];
  const stored = transactions.records[place];
  yield* ownRecords(kept | flagBits.disable_private_keys | flagBits.blank);
  if (stored.length > 0) yield* orderOf(legacy);
  yield* lastBlockOf(legacy);
  const writer = new RecordWriter();
  for (const { planned } of scripts) yield* descriptorRecords(planned, writer);
  yield* book;
  yield* addressesOf(scripts, book, network);
  yield* stored;
}

/** The release whose migration this is (31.0), as `version` records have it. */
const VERSION = 310000;
/** `CBlockLocator::DUMMY_VERSION` */
const LOCATOR_VERSION = 70016;

function ownRecords(kept: bigint): RawRecord[] {
  const flags = kept | flagBits.descriptor_wallet | flagBits.last_hardened_xpub_cached;
  return [writeRecord({ type: 'version', version: VERSION }), writeRecord({ type: 'flags', flags })];
}

function orderOf({ orderPosNext }: LegacyWallet): RawRecord[] {
  return orderPosNext ? [orderPosNext] : [];
}

/** How far the wallet has seen the chain. The record of old releases is written empty, as nodes do. */
function lastBlockOf({ bestBlock }: LegacyWallet): RawRecord[] {
  if (!bestBlock) return [];
  const none = { version: LOCATOR_VERSION, blockHashes: [] };
  const { key } = writeRecord({ type: 'bestblock_nomerkle', ...none });
  return [writeRecord({ type: 'bestblock', ...none }), { key, value: bestBlock }];
}

/**
 * Entries for those of a wallet's addresses that have none yet: for receiving, without a label. Source:
 * `AddWalletDescriptor` in `wallet.cpp`.
 */
function addressesOf(
  scripts: readonly PlacedScript[],
  book: readonly RawRecord[],
  network: Network,
): RawRecord[] {
  const known = new Set(book.map(({ key }) => byteText(key)));
  return scripts.flatMap(({ script }) => {
    const address = addressOf(script, network);
    if (address === null) return [];
    const records = [
      writeRecord({ type: 'name', address, label: '' }),
      writeRecord({ type: 'purpose', address, purpose: 'receive' }),
    ];
    return records.filter(({ key }) => !known.has(byteText(key)));
  });
}
