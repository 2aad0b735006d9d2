/**
 * What each release of Bitcoin Core does with a wallet file that has a condition, from its sources: 31.0 whole; 24.1, 25.2,
 * 26, 27.0, 28.1, 29.3, 30.0 and the coming 32 as far as they differ. `docs/releases.md` shows the table.
 */
import { type Condition, type ConditionCode, FIRST_NEW_IDS } from '../../../shared/model/conditions.ts';
import { FileError } from '../../../shared/model/findings/fileError.ts';

/**
 * `refuses`: the node gives an error. `crashes`: the node exits, so the app never sends the call. `ends-later`: the node loads the
 * wallet, and exits at a later call for its balance or descriptors. `misleads`: it loads the wallet, and gives out addresses whose coins
 * the wallet's keys cannot spend. `may`: it warns, or something can be lost or fail. `unknown`: only
 * the passphrase can show whether it crashes.
 */
export type Effect = 'refuses' | 'crashes' | 'ends-later' | 'misleads' | 'may' | 'unknown';

/** What some releases do with a wallet that other releases accept. */
export interface ReleaseRule {
  /** Numbers of releases: the first with the effect and the first without. */
  readonly releases: readonly Releases[];
  /** What `loadwallet` and `restorewallet` do; absent if they load the wallet. */
  readonly loading?: Effect;
  /** What `migratewallet` does; absent if it migrates the wallet, and for what a legacy wallet cannot have. */
  readonly migrating?: Effect;
  /** What the app's own engine does; it never exits. */
  readonly engine: 'migrates' | 'refuses';
}

/** A condition has several rules if releases differ. */
export interface ConditionRule extends ReleaseRule {
  readonly code: ConditionCode;
  /** What a rescue does about it; null for nothing. */
  readonly rescue: 'leaves out' | 'repairs' | null;
  /** File and function in `src/wallet`. */
  readonly source: string;
}

type Releases = readonly [first: number, without: number];
type Effects = Pick<ReleaseRule, 'loading' | 'migrating'>;

/** Whether a release is in one of the ranges. `release`: its number, as 310000 for 31.0. */
export function isInRelease(release: number, ranges: readonly Releases[]): boolean {
  return ranges.some(([first, without]) => release >= first && release < without);
}

/** The conditions that crash a node when it loads the wallet or answers about it. `release`: its number, as 310000 for 31.0. */
export function crashingConditions(conditions: readonly Condition[], release: number): Condition[] {
  const crashing = CONDITION_RULES.filter(
    ({ loading, releases }) =>
      (loading === 'crashes' || loading === 'ends-later') && isInRelease(release, releases),
  );
  return conditions.filter((condition) => crashing.some(({ code }) => code === condition.code));
}

/** Refuses a wallet that the app's own engine refuses. Throws `wallet_error` with the first such condition. */
export function refuseConditions(conditions: readonly Condition[]): void {
  const refused = CONDITION_RULES.filter(({ engine }) => engine === 'refuses');
  const condition = conditions.find((one) => refused.some(({ code }) => code === one.code));
  if (condition) throw new FileError('wallet_error', { code: 'condition_refused', condition });
}

const ALWAYS = Number.POSITIVE_INFINITY;
const ALL: Releases = [0, ALWAYS];

export const CONDITION_RULES: readonly ConditionRule[] = [
  ...rules('record-unreadable', 'refuses', 'leaves out', [
    [[0, 260_000], both('may'), 'walletdb.cpp, LoadWallet (IsKeyType)'],
    [[260_000, ALWAYS], both('refuses'), 'walletdb.cpp, LoadWallet'],
  ]),
  ...rules('record-longer', 'migrates', 'repairs', [
    [[280_000, ALWAYS], { migrating: 'refuses' }, 'migrate.cpp, BerkeleyROCursor::Next'],
  ]),
  ...rules('flags-unknown', 'refuses', 'repairs', [[ALL, both('refuses'), 'walletdb.cpp, LoadWalletFlags']]),
  ...rules('transaction-id', 'migrates', 'leaves out', [
    [[0, 270_000], both('may'), 'walletdb.cpp, ReadKeyValue and LoadTxRecords'],
    [
      [270_000, 319_900],
      both('ends-later'),
      'walletdb.cpp, LoadTxRecords; wallet.cpp, GetTxDepthInMainChain',
    ],
    // 32 migrates it under its own id too, and refuses to load both.
    [[319_900, ALWAYS], { loading: 'may', migrating: 'refuses' }, 'walletdb.cpp, LoadTxRecords'],
  ]),
  ...rules('transaction-amount', 'migrates', null, [[ALL, both('may'), 'wallet.cpp, GetDebit']]),
  ...rules('transaction-notes', 'migrates', 'repairs', [
    [[319_900, ALWAYS], both('refuses'), 'transaction.h, CWalletTx::Unserialize'],
  ]),
  ...rules('transaction-variant', 'migrates', 'leaves out', [
    [[319_900, ALWAYS], both('refuses'), 'walletdb.cpp, ReadWtxVariants'],
  ]),
  ...rules('transaction-place', 'migrates', 'repairs', [
    [[230_000, ALWAYS], both('crashes'), 'wallet.cpp, AddToWallet'],
  ]),
  ...rules('reward-conflicted', 'migrates', 'repairs', [
    [ALL, both('ends-later'), 'wallet.cpp, GetTxBlocksToMaturity'],
  ]),
  ...rules('reward-spent', 'migrates', 'repairs', [
    [[290_000, ALWAYS], both('crashes'), 'wallet.cpp, AbandonTransaction'],
  ]),
  ...rules('database-damaged', 'refuses', 'repairs', [[ALL, { loading: 'refuses' }, 'sqlite.cpp, Verify']]),
  ...rules('flags-missing', 'refuses', 'repairs', [
    [ALL, { loading: 'crashes' }, 'wallet.cpp, LoadActiveScriptPubKeyMan'],
  ]),
  ...rules('descriptor-flag-watching', 'migrates', 'repairs', [
    [ALL, { loading: 'may' }, 'wallet.cpp, LoadExisting'],
  ]),
  ...rules('descriptor-flag-signer', 'migrates', 'repairs', [
    [ALL, { loading: 'may' }, 'wallet.cpp, LoadDescriptorScriptPubKeyMan'],
  ]),
  ...rules('legacy-record', 'refuses', 'leaves out', [
    [
      [0, 250_000],
      { loading: 'crashes' },
      'walletdb.cpp, ReadKeyValue; wallet.cpp, GetLegacyScriptPubKeyMan',
    ],
    [[250_000, ALWAYS], { loading: 'refuses' }, 'walletdb.cpp, LoadLegacyWalletRecords'],
  ]),
  ...rules('descriptor-unknown', 'refuses', 'leaves out', [
    [
      ALL,
      { loading: 'refuses' },
      'walletutil.h, DeserializeDescriptor; walletdb.cpp, LoadDescriptorWalletRecords',
    ],
  ]),
  ...rules('descriptor-id', 'refuses', 'repairs', [
    [[260_000, ALWAYS], { loading: 'refuses' }, 'walletdb.cpp, LoadDescriptorWalletRecords'],
  ]),
  ...rules('descriptor-id-earlier', 'migrates', 'repairs', [
    [[FIRST_NEW_IDS, ALWAYS], { loading: 'refuses' }, 'script/descriptor.cpp, StringMaker'],
  ]),
  ...rules('descriptor-id-later', 'migrates', 'repairs', [
    [[260_000, FIRST_NEW_IDS], { loading: 'refuses' }, 'script/descriptor.cpp, StringMaker'],
  ]),
  ...rules('descriptor-range', 'refuses', 'repairs', [
    [ALL, { loading: 'refuses' }, 'scriptpubkeyman.cpp, SetCache'],
  ]),
  ...rules('descriptor-range-negative', 'refuses', 'repairs', [
    [ALL, { loading: 'crashes' }, 'pubkey.cpp, CPubKey::Derive; scriptpubkeyman.cpp, TopUpWithDB'],
  ]),
  ...rules('descriptor-cache', 'refuses', 'repairs', [
    [ALL, { loading: 'refuses' }, 'scriptpubkeyman.cpp, SetCache'],
  ]),
  ...rules('descriptor-cache-key', 'refuses', 'repairs', [
    [ALL, { loading: 'crashes' }, 'pubkey.cpp, CPubKey::Derive and CExtPubKey::Encode'],
  ]),
  ...rules('descriptor-cache-locked', 'migrates', 'repairs', [
    [ALL, { loading: 'may' }, 'descriptor.cpp, BIP32PubkeyProvider::ToNormalizedString'],
  ]),
  ...rules('descriptor-misfit', 'refuses', 'repairs', [
    [
      ALL,
      { loading: 'misleads' },
      'descriptor.cpp, BIP32PubkeyProvider::GetPubKey; wallet.cpp, LoadActiveScriptPubKeyMan',
    ],
  ]),
  ...rules('descriptor-keyless', 'refuses', 'repairs', [
    [ALL, { loading: 'misleads' }, 'wallet.cpp, LoadActiveScriptPubKeyMan'],
  ]),
  ...rules('descriptor-key', 'refuses', 'repairs', [
    [[0, 260_000], { loading: 'may' }, 'walletdb.cpp, LoadWallet (IsKeyType)'],
    [[260_000, ALWAYS], { loading: 'refuses' }, 'walletdb.cpp, LoadDescriptorWalletRecords'],
  ]),
  // bitcoin/bitcoin#28333
  ...rules('descriptor-keys-mixed', 'migrates', 'repairs', [
    [[319_900, ALWAYS], { loading: 'refuses' }, 'scriptpubkeyman.cpp, DescriptorScriptPubKeyMan'],
  ]),
  ...rules('descriptor-keys-open', 'migrates', 'repairs', [
    [ALL, { loading: 'may' }, 'scriptpubkeyman.cpp, CheckDecryptionKey'],
  ]),
  ...rules('descriptor-key-sealed', 'refuses', 'repairs', [
    [ALL, { loading: 'may' }, 'scriptpubkeyman.cpp, CheckDecryptionKey'],
  ]),
  ...rules('descriptor-next', 'migrates', 'repairs', [
    [ALL, { loading: 'ends-later' }, 'pubkey.cpp, CPubKey::Derive; scriptpubkeyman.cpp, MarkUnusedAddresses'],
  ]),
  ...rules('descriptor-orphan', 'migrates', 'leaves out', [
    [[0, 260_000], { loading: 'crashes' }, 'walletdb.cpp, LoadWallet'],
  ]),
  ...rules('descriptor-seed', 'migrates', 'repairs', [
    [ALL, { loading: 'refuses' }, 'scriptpubkeyman.cpp, UpgradeDescriptorCache'],
  ]),
  ...rules('descriptor-size', 'refuses', 'repairs', [
    [ALL, { loading: 'crashes' }, 'scriptpubkeyman.cpp, SetCache and TopUpWithDB'],
  ]),
  ...rules('active-unknown', 'refuses', 'leaves out', [
    [ALL, { loading: 'refuses' }, 'wallet.cpp, LoadActiveScriptPubKeyMan'],
  ]),
  ...rules('active-type', 'refuses', 'leaves out', [
    [ALL, { loading: 'crashes' }, 'outputtype.cpp, FormatOutputType'],
  ]),
  ...rules('active-kind', 'migrates', 'repairs', [
    [ALL, { loading: 'ends-later' }, 'wallet.cpp, IsInternalScriptPubKeyMan'],
  ]),
  ...rules('descriptor-record', 'refuses', 'leaves out', [
    [ALL, both('crashes'), 'wallet.cpp, LoadActiveScriptPubKeyMan'],
  ]),
  ...rules('flags-blank', 'migrates', 'repairs', [
    [[0, 280_000], both('crashes'), 'scriptpubkeyman.cpp, GenerateNewKey'],
    [
      [280_000, 300_000],
      { loading: 'crashes', migrating: 'refuses' },
      'scriptpubkeyman.cpp, GenerateNewKey; wallet.cpp, MigrateLegacyToDescriptor',
    ],
  ]),
  ...rules('flags-descriptor', 'refuses', 'repairs', [
    [[0, 250_000], both('crashes'), 'walletdb.cpp, ReadKeyValue; wallet.cpp, GetLegacyScriptPubKeyMan'],
    [
      [250_000, ALWAYS],
      both('refuses'),
      'walletdb.cpp, LoadLegacyWalletRecords; wallet.cpp, MigrateLegacyToDescriptor',
    ],
  ]),
  ...rules('flags-signer', 'refuses', 'repairs', [
    [[240_000, 290_000], { migrating: 'refuses' }, 'wallet.cpp, SetupDescriptorScriptPubKeyMans'],
    [[290_000, ALWAYS], { migrating: 'crashes' }, 'wallet.cpp, SetupOwnDescriptorScriptPubKeyMans'],
  ]),
  ...rules('flags-no-keys', 'refuses', 'repairs', [
    [[0, 300_000], both('crashes'), 'scriptpubkeyman.cpp, GenerateNewKey and AddDescriptorKey'],
    [[300_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, AddDescriptorKeyWithDB'],
  ]),
  ...rules('key-damaged', 'refuses', 'leaves out', [
    [ALL, both('refuses'), 'walletdb.cpp, LoadKey and LoadCryptedKey'],
  ]),
  ...rules('key-form', 'refuses', 'repairs', [
    [[240_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  ...rules('key-misfit', 'refuses', 'leaves out', [
    [[240_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  ...rules('key-sealed', 'refuses', 'leaves out', [
    [[240_000, 250_000], { migrating: 'refuses' }, 'scriptpubkeyman.cpp, CheckDecryptionKey'],
    [[250_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  ...rules('keys-mixed', 'migrates', 'repairs', [
    [ALL, both('crashes'), 'scriptpubkeyman.cpp, AddCryptedKeyInner'],
  ]),
  ...rules('default-key', 'migrates', 'leaves out', [
    [ALL, both('refuses'), 'walletdb.cpp, LoadLegacyWalletRecords'],
  ]),
  ...rules('master-missing', 'refuses', null, [
    [[240_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  ...rules('master-needless', 'migrates', 'repairs', [
    [[240_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, CheckDecryptionKey'],
  ]),
  ...rules('master-watching', 'migrates', 'repairs', [
    [[290_000, ALWAYS], { migrating: 'refuses' }, 'walletdb.cpp, LoadWallet (EraseMasterKey)'],
  ]),
  ...rules('pool-damaged', 'migrates', 'leaves out', [
    [[0, 260_000], both('may'), 'walletdb.cpp, LoadWallet'],
    [[260_000, 300_000], both('refuses'), 'walletdb.cpp, LoadLegacyWalletRecords'],
  ]),
  ...rules('pool-longer', 'migrates', 'repairs', [
    // Later releases do not read the pool.
    [[280_000, 300_000], { migrating: 'refuses' }, 'migrate.cpp, BerkeleyROCursor::Next'],
  ]),
  ...rules('pool-key', 'migrates', 'leaves out', [
    [[0, 300_000], { loading: 'ends-later' }, 'scriptpubkeyman.cpp, GetOldestKeyTimeInPool'],
  ]),
  ...rules('version-rewrite', 'migrates', 'repairs', [
    [[0, 319_900], both('refuses'), 'walletdb.cpp, LoadLegacyWalletRecords (NEED_REWRITE)'],
  ]),
  ...rules('chain-apart', 'migrates', 'repairs', [
    [[240_000, ALWAYS], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  // bitcoin/bitcoin#35437
  ...rules('chain-twice', 'refuses', null, [
    [[240_000, 319_900], { migrating: 'crashes' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
  ...rules('chain-unknown', 'migrates', null, [
    [[240_000, ALWAYS], { migrating: 'unknown' }, 'scriptpubkeyman.cpp, MigrateToDescriptor'],
  ]),
];

function rules(
  code: ConditionCode,
  engine: ConditionRule['engine'],
  rescue: ConditionRule['rescue'],
  cases: readonly (readonly [Releases, Effects, source: string])[],
): ConditionRule[] {
  return cases.map(([range, effects, source]) => ({
    code,
    releases: [range],
    ...effects,
    engine,
    rescue,
    source,
  }));
}

function both(effect: Effect): Effects {
  return { loading: effect, migrating: effect };
}
