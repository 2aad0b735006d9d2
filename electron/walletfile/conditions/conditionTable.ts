/**
 * What each release of Bitcoin Core does with a wallet file in which a condition is found. Read whole in the sources of 31.0;
 * in those of 24.1, 25.2, 26, 27.0, 28.1, 29.3, 30.0 and of 32 before its release as far as they differ. `docs/releases.md`
 * shows the table.
 */
import type { ConditionCode } from '../../../shared/model/conditions.ts';

/**
 * `warns`: it loads the wallet with a warning. `refuses`: it gives an error. `ends`: the process ends, at once or, with
 * `ends-later`, when it is asked for the balance or the descriptors of the wallet that it loaded.
 */
export type Effect = 'warns' | 'refuses' | 'ends' | 'ends-later';

/** One condition can have several, each of other releases. */
export interface ConditionRule {
  readonly code: ConditionCode;
  /** Numbers of releases: the first with it and the first without. */
  readonly releases: readonly (readonly [first: number, without: number])[];
  /** What `loadwallet` and `restorewallet` come to; absent where they do not meet it. */
  readonly loading?: Effect;
  /** What `migratewallet` comes to; absent for what a legacy wallet cannot have. */
  readonly migrating?: Effect;
  /** What the app's own engine does; it never ends. */
  readonly engine: 'goes on' | 'refuses';
  /** What a rescue does about it; null where it can do nothing. */
  readonly rescue: 'leaves out' | 'repairs' | null;
  /** File and function in `src/wallet`. */
  readonly source: string;
}

/** Whether a release is in one of the ranges. `release`: its number, as 310000 for 31.0. */
export function isInRelease(release: number, ranges: ConditionRule['releases']): boolean {
  return ranges.some(([first, without]) => release >= first && release < without);
}

const ALWAYS = Number.POSITIVE_INFINITY;
const ALL: ConditionRule['releases'] = [[0, ALWAYS]];

export const CONDITION_RULES: readonly ConditionRule[] = [
  {
    code: 'record-unreadable',
    releases: [[0, 260_000]],
    ...both('warns'),
    ...{ engine: 'refuses', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadWallet (IsKeyType)',
  },
  {
    code: 'record-unreadable',
    releases: [[260_000, ALWAYS]],
    ...both('refuses'),
    ...{ engine: 'refuses', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadWallet',
  },
  {
    code: 'flags-unknown',
    releases: ALL,
    ...both('refuses'),
    ...{ engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadWalletFlags',
  },
  {
    code: 'transaction-id',
    releases: [[0, 270_000]],
    ...both('warns'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, ReadKeyValue and LoadTxRecords',
  },
  {
    code: 'transaction-id',
    releases: [[270_000, 319_900]],
    ...both('ends-later'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadTxRecords; wallet.cpp, GetTxDepthInMainChain',
  },
  {
    code: 'transaction-id',
    releases: [[319_900, ALWAYS]],
    ...both('warns'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadTxRecords',
  },
  {
    code: 'transaction-amount',
    releases: ALL,
    ...both('warns'),
    ...{ engine: 'goes on', rescue: null },
    source: 'wallet.cpp, GetDebit',
  },
  {
    code: 'transaction-notes',
    releases: [[319_900, ALWAYS]],
    ...both('refuses'),
    ...{ engine: 'goes on', rescue: 'repairs' },
    source: 'transaction.h, CWalletTx::Unserialize',
  },
  {
    code: 'transaction-variant',
    releases: [[319_900, ALWAYS]],
    ...both('refuses'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, ReadWtxVariants',
  },
  {
    code: 'reward-conflicted',
    releases: ALL,
    ...both('ends-later'),
    ...{ engine: 'goes on', rescue: 'repairs' },
    source: 'wallet.cpp, GetTxBlocksToMaturity',
  },
  {
    code: 'reward-spent',
    releases: [[290_000, ALWAYS]],
    ...both('ends'),
    ...{ engine: 'goes on', rescue: 'repairs' },
    source: 'wallet.cpp, AbandonTransaction',
  },
  {
    code: 'database-damaged',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'sqlite.cpp, Verify',
  },
  {
    code: 'flags-missing',
    releases: ALL,
    ...{ loading: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'wallet.cpp, LoadActiveScriptPubKeyMan',
  },
  {
    code: 'legacy-record',
    releases: [[0, 250_000]],
    ...{ loading: 'ends', engine: 'refuses', rescue: 'leaves out' },
    source: 'walletdb.cpp, ReadKeyValue; wallet.cpp, GetLegacyScriptPubKeyMan',
  },
  {
    code: 'legacy-record',
    releases: [[250_000, ALWAYS]],
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadLegacyWalletRecords',
  },
  {
    code: 'descriptor-unknown',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'leaves out' },
    source: 'walletutil.h, DeserializeDescriptor; walletdb.cpp, LoadDescriptorWalletRecords',
  },
  {
    code: 'descriptor-id',
    releases: [[260_000, ALWAYS]],
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadDescriptorWalletRecords',
  },
  {
    code: 'descriptor-range',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, SetCache',
  },
  {
    code: 'descriptor-range-negative',
    releases: ALL,
    ...{ loading: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'pubkey.cpp, CPubKey::Derive; scriptpubkeyman.cpp, TopUpWithDB',
  },
  {
    code: 'descriptor-cache',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, SetCache',
  },
  {
    code: 'descriptor-cache-key',
    releases: ALL,
    ...{ loading: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'pubkey.cpp, CPubKey::Derive and CExtPubKey::Encode',
  },
  {
    code: 'descriptor-key',
    releases: [[0, 260_000]],
    ...{ loading: 'warns', engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadWallet (IsKeyType)',
  },
  {
    code: 'descriptor-key',
    releases: [[260_000, ALWAYS]],
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadDescriptorWalletRecords',
  },
  {
    // bitcoin/bitcoin#28333
    code: 'descriptor-keys-mixed',
    releases: [[319_900, ALWAYS]],
    ...{ loading: 'refuses', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, DescriptorScriptPubKeyMan',
  },
  {
    code: 'descriptor-keys-open',
    releases: ALL,
    ...{ loading: 'warns', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, CheckDecryptionKey',
  },
  {
    code: 'descriptor-next',
    releases: ALL,
    ...{ loading: 'ends-later', engine: 'goes on', rescue: 'repairs' },
    source: 'pubkey.cpp, CPubKey::Derive; scriptpubkeyman.cpp, MarkUnusedAddresses',
  },
  {
    code: 'descriptor-orphan',
    releases: [[0, 260_000]],
    ...{ loading: 'ends', engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadWallet',
  },
  {
    code: 'descriptor-seed',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, UpgradeDescriptorCache',
  },
  {
    code: 'descriptor-size',
    releases: ALL,
    ...{ loading: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, SetCache and TopUpWithDB',
  },
  {
    code: 'active-unknown',
    releases: ALL,
    ...{ loading: 'refuses', engine: 'refuses', rescue: 'leaves out' },
    source: 'wallet.cpp, LoadActiveScriptPubKeyMan',
  },
  {
    code: 'active-type',
    releases: ALL,
    ...{ loading: 'ends', engine: 'refuses', rescue: 'leaves out' },
    source: 'outputtype.cpp, FormatOutputType',
  },
  {
    code: 'active-kind',
    releases: ALL,
    ...{ loading: 'ends-later', engine: 'goes on', rescue: 'repairs' },
    source: 'wallet.cpp, IsInternalScriptPubKeyMan',
  },
  {
    code: 'descriptor-record',
    releases: ALL,
    ...both('ends'),
    ...{ engine: 'refuses', rescue: 'leaves out' },
    source: 'wallet.cpp, LoadActiveScriptPubKeyMan',
  },
  {
    code: 'flags-blank',
    releases: [[0, 280_000]],
    ...both('ends'),
    ...{ engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, GenerateNewKey',
  },
  {
    code: 'flags-blank',
    releases: [[280_000, 300_000]],
    ...{ loading: 'ends', migrating: 'refuses', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, GenerateNewKey; wallet.cpp, MigrateLegacyToDescriptor',
  },
  {
    code: 'flags-descriptor',
    releases: [[0, 250_000]],
    ...both('ends'),
    ...{ engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, ReadKeyValue; wallet.cpp, GetLegacyScriptPubKeyMan',
  },
  {
    code: 'flags-descriptor',
    releases: [[250_000, ALWAYS]],
    ...both('refuses'),
    ...{ engine: 'refuses', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadLegacyWalletRecords; wallet.cpp, MigrateLegacyToDescriptor',
  },
  {
    code: 'flags-signer',
    releases: [[240_000, 290_000]],
    ...{ migrating: 'refuses', engine: 'refuses', rescue: 'repairs' },
    source: 'wallet.cpp, SetupDescriptorScriptPubKeyMans',
  },
  {
    code: 'flags-signer',
    releases: [[290_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'wallet.cpp, SetupOwnDescriptorScriptPubKeyMans',
  },
  {
    code: 'flags-no-keys',
    releases: [[0, 300_000]],
    ...both('ends'),
    ...{ engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, GenerateNewKey and AddDescriptorKey',
  },
  {
    code: 'flags-no-keys',
    releases: [[300_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, AddDescriptorKeyWithDB',
  },
  {
    code: 'key-damaged',
    releases: ALL,
    ...both('refuses'),
    ...{ engine: 'refuses', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadKey and LoadCryptedKey',
  },
  {
    code: 'key-form',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    code: 'key-misfit',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: 'leaves out' },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    code: 'key-sealed',
    releases: [[240_000, 250_000]],
    ...{ migrating: 'refuses', engine: 'refuses', rescue: 'leaves out' },
    source: 'scriptpubkeyman.cpp, CheckDecryptionKey',
  },
  {
    code: 'key-sealed',
    releases: [[250_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: 'leaves out' },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    code: 'keys-mixed',
    releases: ALL,
    ...both('ends'),
    ...{ engine: 'goes on', rescue: null },
    source: 'scriptpubkeyman.cpp, AddCryptedKeyInner',
  },
  {
    code: 'default-key',
    releases: ALL,
    ...both('refuses'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadLegacyWalletRecords',
  },
  {
    code: 'master-missing',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: null },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    code: 'master-needless',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, CheckDecryptionKey',
  },
  {
    code: 'master-watching',
    releases: [[290_000, ALWAYS]],
    ...{ migrating: 'refuses', engine: 'goes on', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadWallet (EraseMasterKey)',
  },
  {
    code: 'pool-damaged',
    releases: [[0, 260_000]],
    ...both('warns'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadWallet',
  },
  {
    code: 'pool-damaged',
    releases: [[260_000, 300_000]],
    ...both('refuses'),
    ...{ engine: 'goes on', rescue: 'leaves out' },
    source: 'walletdb.cpp, LoadLegacyWalletRecords',
  },
  {
    code: 'pool-key',
    releases: [[0, 300_000]],
    ...{ loading: 'ends-later', engine: 'goes on', rescue: 'leaves out' },
    source: 'scriptpubkeyman.cpp, GetOldestKeyTimeInPool',
  },
  {
    code: 'version-rewrite',
    releases: [[0, 319_900]],
    ...both('refuses'),
    ...{ engine: 'goes on', rescue: 'repairs' },
    source: 'walletdb.cpp, LoadLegacyWalletRecords (NEED_REWRITE)',
  },
  {
    code: 'chain-apart',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'goes on', rescue: 'repairs' },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    // bitcoin/bitcoin#35437
    code: 'chain-twice',
    releases: [[240_000, 319_900]],
    ...{ migrating: 'ends', engine: 'refuses', rescue: null },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
  {
    code: 'chain-unknown',
    releases: [[240_000, ALWAYS]],
    ...{ migrating: 'ends', engine: 'goes on', rescue: null },
    source: 'scriptpubkeyman.cpp, MigrateToDescriptor',
  },
];

function both(effect: Effect): Pick<ConditionRule, 'loading' | 'migrating'> {
  return { loading: effect, migrating: effect };
}

/** Codes that release 31 refuses to load, or ends over, and that the engine refuses too. */
export const ENGINE_REFUSES: ReadonlySet<ConditionCode> = new Set(
  CONDITION_RULES.filter(({ engine }) => engine === 'refuses').map(({ code }) => code),
);
