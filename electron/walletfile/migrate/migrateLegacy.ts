/** Migrates a legacy wallet's records to the files of the new wallets. */
import { randomBytes } from '@noble/hashes/utils.js';
import { FileError } from '../../../shared/model/findings/fileError.ts';
import type { WalletPart } from '../../../shared/model/migrationPreview.ts';
import type { Network } from '../../../shared/model/network.ts';
import type { FileBytes } from '../bytes/byteSource.ts';
import { listInFinding } from '../bytes/lists.ts';
import { once } from '../bytes/once.ts';
import { toLatin1 } from '../bytes/textCoding.ts';
import { deriveChainKeys } from '../conditions/recordConditions.ts';
import type { RawRecord } from '../database/rawRecord.ts';
import type { PageSink } from '../database/sqlitePages.ts';
import { makeSqliteIn } from '../database/walletDatabase.ts';
import { yieldsPublicKey } from '../keys/privateKey.ts';
import {
  type KeyMatcher,
  type LegacyKey,
  legacyPrivateKeys,
  matchedInAnotherThread,
} from '../legacy/legacyKeys.ts';
import type { DerivedKeys, LegacyWallet } from '../legacy/legacyWallet.ts';
import { assignTransactions, type MigrationPlan, planMigration } from '../legacy/migrationPlan.ts';
import { hasFlag, hasUnknownMandatoryFlag, type RecordsByType, recordsByType } from '../records/records.ts';
import { type CompanionPart, companionPrefix } from './companionNames.ts';
import {
  assignAddresses,
  collectPreservedRecords,
  companionRecords,
  historyRecords,
  type MigrationContents,
  mainRecords,
  type PreservedRecords,
  scriptsIn,
} from './migratedRecords.ts';
import { proveMigration } from './migrationProof.ts';
import {
  activeDescriptors,
  type ChainBranch,
  chainDescriptors,
  chainRootOfSeed,
} from './plannedDescriptor.ts';

export interface MigrationOptions {
  network: Network;
  name: string;
  /** Unix seconds: creation time of the new active descriptors. */
  now: number;
  /** Number of unused keys for each descriptor (`-keypool`). Default 1000. */
  keypoolSize?: number;
  /** Source of a new seed for a wallet without one. */
  random?: (size: number) => Uint8Array;
  /** Whether a private key yields its public key. */
  fits?: KeyMatcher;
  /** From `deriveChainKeys`, for a caller that needs the rest of that too: it takes much of the time. */
  chainKeys?: DerivedKeys;
}

/** Makes the file of a new wallet, of about `size` bytes. */
export type CreateFile<Content extends FileBytes> = (part: WalletPart, size: number) => NewFile<Content>;

interface NewFile<Content extends FileBytes> extends PageSink {
  /** Ends the writing. Returns the file, which the migration proves. Somebody must also have SQLite check it (`checkNewSqlite`). */
  end(): Content | Promise<Content>;
}

export type Migration<Content extends FileBytes = Uint8Array> = Awaited<
  ReturnType<typeof migrateLegacy<Content>>
>;

export interface NewWallet<Content extends FileBytes = Uint8Array> {
  name: string;
  /** An SQLite file. */
  bytes: Content;
}

interface ProvedWallet<Content extends FileBytes> extends NewWallet<Content> {
  /** The records, which the proof has compared with the file. */
  records: RecordsByType;
}

export type MigratedWallet = NewWallet & { part: WalletPart };

/** `masterKey`: null for a wallet without encryption. Throws as `migrateWallet` does. */
export async function migrateLegacy<Content extends FileBytes>(
  wallet: LegacyWallet,
  masterKey: Uint8Array | null,
  options: MigrationOptions,
  create: CreateFile<Content>,
) {
  refuseFlags(wallet);
  const { network, name } = options;
  const contents = migrationContents(wallet, masterKey, options);
  const { plan } = contents;
  const main = mainWalletPart(plan);
  const writePart = async (part: WalletPart, records: RawRecord[]) => {
    const bytes = await makeSqliteIn((size) => create(part, size), records, network).end();
    return { records, byType: once(() => recordsByType(records)), bytes };
  };
  const writeCompanion = async (part: CompanionPart) =>
    scriptsIn(plan, part).length > 0 ? await writePart(part, companionRecords(part, contents)) : null;
  const files = {
    primary: main === 'primary' ? await writePart('primary', mainRecords(contents)) : null,
    watchonly: await writeCompanion('watchonly'),
    solvables: await writeCompanion('solvables'),
  };
  const proof = proveMigration({ ...contents, masterKey, main, files });
  const newWallet = (part: WalletPart): ProvedWallet<Content> | null => {
    const file = files[part];
    const ownName = part === 'primary' ? name : `${companionPrefix(name)}_${part}`;
    return file && { name: ownName, bytes: file.bytes, records: file.byType() };
  };
  return {
    /** Null for a watch-only legacy wallet: it leaves nothing for a wallet of its name. */
    primary: newWallet('primary'),
    /** Watched scripts without private keys in the wallet. */
    watchonly: newWallet('watchonly'),
    /** Unwatched scripts that the wallet can help to sign. */
    solvables: newWallet('solvables'),
    proof,
  };
}

/** Decides what each new wallet contains. */
export function migrationContents(
  wallet: LegacyWallet,
  masterKey: Uint8Array | null,
  {
    network,
    now,
    keypoolSize = DEFAULT_KEYPOOL_SIZE,
    random = randomBytes,
    fits = yieldsPublicKey,
    chainKeys = deriveChainKeys(wallet, masterKey).derived,
  }: MigrationOptions,
): MigrationContents {
  const privateKeys = legacyPrivateKeys(wallet, masterKey, fits);
  const { branches, activeRoot } = chainDescriptors(wallet, privateKeys, masterKey, network, chainKeys);
  const derived = new Set(branches.flatMap(({ keys }) => [...keys.keys()]));
  const plan = planMigration(wallet, network, derived);
  // The checksum already proved plain keys.
  if (masterKey && fits !== matchedInAnotherThread)
    for (const key of [...plan.singles, ...plan.underivedChainKeys]) privateKeys.secretOf(key).fill(0);
  for (const { keys } of plan.placed().values()) for (const key of keys) privateKeys.secretOf(key).fill(0);
  const preserved = collectPreservedRecords(wallet.records);
  const paid = paidBy(preserved, wallet, plan);
  for (const branch of branches) extendBranch(branch, paid.keys, masterKey === null ? keypoolSize : 0);
  const { unowned, ...places } = assignTransactions(
    preserved.transactions.map(({ record }) => record),
    plan.partOfScript,
  );
  const addresses = assignAddresses(preserved, wallet, plan, network);
  // A wallet without keys and scripts only changes its format, whatever else it contains.
  if (wallet.isLegacy) refuseUnowned(unowned, addresses.unowned);
  const needsActive = hasOwnDescriptors(plan) && !wallet.watchesOnly;
  const root = () => activeRoot ?? chainRootOfSeed(random(SEED_SIZE), masterKey);
  const active = needsActive ? activeDescriptors(root(), network, now, keypoolSize) : [];
  const history = historyRecords(preserved, places, mainWalletPart(plan));
  return { wallet, privateKeys, preserved, plan, branches, paid, active, addresses, history, network };
}

const DEFAULT_KEYPOOL_SIZE = 1000;
const SEED_SIZE = 32;

/** Keys and scripts that stored transactions pay. */
function paidBy(
  { transactions }: PreservedRecords,
  { keys }: LegacyWallet,
  plan: MigrationPlan,
): MigrationContents['paid'] {
  const paid = { keys: new Set<LegacyKey>(), scripts: new Set<string>() };
  for (const { record } of transactions) {
    for (const { scriptPubKey } of record.transaction.outputs) {
      const key = keys.ofScript(scriptPubKey);
      if (key) paid.keys.add(key);
      const script = toLatin1(scriptPubKey);
      if (plan.placed().has(script)) paid.scripts.add(script);
    }
  }
  return paid;
}

/**
 * Sets the next index of a chain behind the highest paid one, and fills a used chain up with `ready` more keys. A node does both
 * when it finds such a transaction, the second only in an unlocked wallet (`MarkUnusedAddresses` in `scriptpubkeyman.cpp`).
 */
function extendBranch(branch: ChainBranch, paid: ReadonlySet<LegacyKey>, ready: number): void {
  for (const [key, index] of branch.keys) {
    if (index >= branch.nextIndex && paid.has(key)) branch.nextIndex = index + 1;
  }
  if (branch.nextIndex === 0) return;
  for (let index = branch.children.length; index < branch.nextIndex + ready; index += 1) {
    branch.children.push(branch.childAt(index));
  }
}

function hasOwnDescriptors(plan: MigrationPlan): boolean {
  return plan.singles.length > 0 || plan.chains.length > 0 || scriptsIn(plan, 'primary').length > 0;
}

/** The wallet for records that belong to no script: the one with the old name, if it has descriptors. */
function mainWalletPart(plan: MigrationPlan): WalletPart {
  if (hasOwnDescriptors(plan) || plan.placed().size === 0) return 'primary';
  return scriptsIn(plan, 'watchonly').length > 0 ? 'watchonly' : 'solvables';
}

/** Refuses wallets with flags that no migration can keep. */
function refuseFlags({ flags, watchesOnly, keys }: LegacyWallet): void {
  if (hasFlag(flags, 'descriptor_wallet') || hasUnknownMandatoryFlag(flags)) {
    throw new FileError('wallet_error', { code: 'flags_not_legacy' });
  }
  if (watchesOnly && keys.all.length > 0) {
    throw new FileError('wallet_error', { code: 'watch_only_with_private_keys' });
  }
}

function refuseUnowned(transactions: readonly string[], addresses: readonly string[]): void {
  if (transactions.length > 0) {
    const list = listInFinding(transactions, (txid) => txid);
    throw new FileError('wallet_error', { code: 'transactions_in_no_wallet', transactions: list });
  }
  if (addresses.length > 0) {
    const list = listInFinding(addresses, (address) => address);
    throw new FileError('wallet_error', { code: 'addresses_in_no_wallet', addresses: list });
  }
}
