/** The records of the wallets that come of a migration. */
import type { WalletPart } from '../../../shared/migrationPreview.ts';
import type { Network } from '../../../shared/network.ts';
import { byteText } from '../bytes/byteText.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { HeldKeys } from '../legacy/heldKeys.ts';
import type { LegacyKey } from '../legacy/legacyKeys.ts';
import type { LegacyWallet } from '../legacy/legacyWallet.ts';
import type { MigrationPlan, PlacedScript } from '../legacy/migrationPlan.ts';
import { RecordWriter, writeRecord } from '../record/records.ts';
import { flagBits } from '../record/walletFlags.ts';
import { addressOf } from '../script/address.ts';
import type { AddressPlaces } from './addressPlaces.ts';
import type { ChainBranch } from './chainDescriptors.ts';
import type { KeptRecords } from './keptRecords.ts';
import {
  branchDescriptor,
  descriptorRecords,
  keyDescriptor,
  type PlannedDescriptor,
  scriptDescriptors,
} from './plannedDescriptor.ts';

export interface SharedOut {
  wallet: LegacyWallet;
  held: HeldKeys;
  kept: KeptRecords;
  plan: MigrationPlan;
  branches: readonly ChainBranch[];
  /** Keys and scripts (`byteText`) that stored transactions pay to. */
  paid: { keys: ReadonlySet<LegacyKey>; scripts: ReadonlySet<string> };
  /** Descriptors for new addresses; none in a wallet that only watches. */
  active: readonly PlannedDescriptor[];
  addresses: AddressPlaces;
  /** Of transactions and locked coins. */
  history: Readonly<Record<WalletPart, readonly RawRecord[]>>;
  network: Network;
}

/**
 * The main wallet's: what it keeps of the legacy wallet, and its descriptors. Those of keys are made one by one as they
 * are asked for, so that of thousands only the records stay in memory.
 */
export function* mainRecords(shared: SharedOut): Generator<RawRecord> {
  const { wallet, held, kept, plan, branches, paid, active, addresses, history } = shared;
  yield* headRecords(active.length > 0 ? wallet.flags & ~flagBits.blank : wallet.flags);
  yield* kept.others;
  if (kept.orderPosNext) yield kept.orderPosNext;
  const writer = new RecordWriter();
  for (const key of plan.singles) {
    yield* descriptorRecords(keyDescriptor(key, held, paid.keys.has(key)), writer);
  }
  yield* scriptRecords('primary', shared, writer);
  for (const branch of branches) yield* descriptorRecords(branchDescriptor(branch), writer);
  for (const planned of active) yield* descriptorRecords(planned, writer);
  yield* addresses.records.primary;
  yield* history.primary;
}

/** Those of a wallet beside the main one, which never has private keys. */
export function* sideRecords(place: Exclude<WalletPart, 'primary'>, shared: SharedOut): Generator<RawRecord> {
  const { wallet, kept, plan, addresses, history, network } = shared;
  const flags = wallet.flags & (flagBits.avoid_reuse | flagBits.key_origin_metadata);
  yield* headRecords(flags | flagBits.disable_private_keys | flagBits.blank);
  if (history[place].length > 0 && kept.orderPosNext) yield kept.orderPosNext;
  yield* lastBlockOf(kept);
  yield* scriptRecords(place, shared, new RecordWriter());
  yield* addresses.records[place];
  yield* addressesOf(scriptsIn(plan, place), addresses.records[place], network);
  yield* history[place];
}

/** The scripts of a plan that are for one of the wallets. */
export function scriptsIn(plan: MigrationPlan, place: WalletPart): PlacedScript[] {
  return [...plan.placed().values()].filter((placed) => placed.place === place);
}

/** The release whose migration this is (31.0), as `version` records have it. */
const VERSION = 310000;
/** `CBlockLocator::DUMMY_VERSION` */
const LOCATOR_VERSION = 70016;

function* scriptRecords(
  place: WalletPart,
  { plan, wallet, held, paid }: SharedOut,
  writer: RecordWriter,
): Generator<RawRecord> {
  const descriptorOf = scriptDescriptors(wallet, held);
  for (const placed of scriptsIn(plan, place)) {
    yield* descriptorRecords(descriptorOf(placed, paid.scripts.has(byteText(placed.script))), writer);
  }
}

function headRecords(kept: bigint): RawRecord[] {
  const flags = kept | flagBits.descriptor_wallet | flagBits.last_hardened_xpub_cached;
  return [writeRecord({ type: 'version', version: VERSION }), writeRecord({ type: 'flags', flags })];
}

/** How far the wallet has seen the chain. The record of old releases is written empty, as nodes do. */
function lastBlockOf({ bestBlock }: KeptRecords): RawRecord[] {
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
