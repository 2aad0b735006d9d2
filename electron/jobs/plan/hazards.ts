/** Known faults of releases with certain wallets, measured on nodes or read in Bitcoin Core's sources. */
import type { Inspection } from '../../../shared/model/inspection.ts';
import type { Hazard } from '../../../shared/model/migrationPreview.ts';
import { conditionLines, conditionText, FORM_NEEDS } from '../../../shared/wording/findings/faultWords.ts';
import { STOPS_EVERY_NODE } from '../../../shared/wording/findings/migrationWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { CONDITION_RULES, type ReleaseRule } from '../../walletfile/conditions/conditionTable.ts';
import type { CommonFacts } from './checkFacts.ts';

/** A fault of some releases with a wallet that others load and migrate. */
export interface ReleaseHazard extends Omit<ReleaseRule, 'engine'> {
  /** Absent if the app's own engine migrates the wallet. */
  readonly engine?: ReleaseRule['engine'];
  readonly appliesTo: (inspection: Inspection, facts: Pick<CommonFacts, 'status' | 'name'>) => boolean;
  /** Whether a rescue repairs it. */
  readonly isRepairable?: true;
  /** Where in Bitcoin Core's sources; absent for what was only measured. */
  readonly source?: string;
  readonly text: string;
  /** The text with the affected records; absent if `text` says everything. */
  readonly lines?: (inspection: Inspection) => string[];
  /** What else works. */
  readonly todo?: string;
  /** What else works unless the wallet has another hazard. */
  readonly todoAlone?: string;
}

/** Whether a wallet lies in a folder below the wallets folder. Full paths and paths that lead out are other names. */
function isInFolder(name: string): boolean {
  return !/^(\/|[A-Za-z]:)/.test(name) && name.replace(/^(\.\.?\/)+/, '').includes('/');
}

const SINCE_MIGRATION = 240_000;
/** From this release on, a migration uses Bitcoin Core's own reader of Berkeley DB, which ignores its log folder. */
export const OWN_READER = 280_000;
const ALWAYS = Number.POSITIVE_INFINITY;

const NOTHING_TO_MIGRATE = say('Nothing to migrate.');
const LENGTH_DIFFERS = say('Its length is not what its header says.');

/** `docs/releases.md` compares the table with recordings of real nodes. Release 32 calls itself 319900 before its release. */
const KNOWN_FAULTS: readonly ReleaseHazard[] = [
  {
    // A node lists each companion wallet for its next start while it migrates, and stops halfway if it cannot.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: ({ migration }, { status }) =>
      status.noSettings === true && (migration?.watchOnly ?? migration?.solvables ?? null) !== null,
    migrating: 'refuses',
    source: '`AddWalletSetting` of `wallet.cpp`, which throws with `-nosettings`',
    text: say('With -nosettings, migrations stop halfway.'),
    todo: say('Remove -nosettings, or nosettings=1 in bitcoin.conf, and restart.'),
  },
  {
    // bitcoin/bitcoin#34198
    releases: [[270_000, 319_900]],
    appliesTo: hasHazard('no-best-block'),
    migrating: 'refuses',
    isRepairable: true,
    text: say('It does not know its last block.'),
    todoAlone: say('Release 32 migrates it.'),
  },
  {
    releases: [[0, ALWAYS]],
    appliesTo: hasHazard('wkey'),
    migrating: 'crashes',
    loading: 'refuses',
    engine: 'refuses',
    text: STOPS_EVERY_NODE.wkey,
    todo: say('Export its keys with release 0.18 (dumpwallet).'),
  },
  {
    // `MigrateToDescriptor` asserts it.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('no-seed'),
    migrating: 'crashes',
    text: STOPS_EVERY_NODE['no-seed'],
  },
  {
    // `MigrateToDescriptor` asserts that each script of a chain is there, and of that chain alone.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('chain-gap'),
    migrating: 'crashes',
    engine: 'refuses',
    isRepairable: true,
    text: say('A key chain has gaps.'),
  },
  {
    // For an inactive seed, a node counts the first address as used (`LoadLegacyWalletRecords`), and asserts that the wallet has its key.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('unused-seed'),
    migrating: 'crashes',
    isRepairable: true,
    text: say('An unused chain lacks a key.'),
  },
  {
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('unowned-labels'),
    migrating: 'refuses',
    engine: 'refuses',
    text: say('Some receiving addresses are not the wallet’s.'),
    todo: say('Run setlabel on these addresses in release 29 or earlier.'),
  },
  {
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('unreadable-labels'),
    migrating: 'refuses',
    text: say('Some receiving addresses are not Bitcoin addresses.'),
  },
  {
    // `DoMigration` asserts that it can read each watched descriptor again; from 29 on `MigrateToDescriptor` drops the script.
    releases: [[SINCE_MIGRATION, 290_000]],
    appliesTo: hasHazard('scripts-without-descriptor'),
    migrating: 'crashes',
    text: say('It watches scripts that no descriptor can express.'),
    todo: say('Release 29 or later leaves them out.'),
  },
  {
    releases: [[290_000, ALWAYS]],
    appliesTo: hasHazard('labels-without-descriptor'),
    migrating: 'refuses',
    isRepairable: true,
    text: say('No descriptor fits a receiving address.'),
  },
  {
    // `MigrateToDescriptor` asserts that the descriptor it infers for a script makes that script.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('non-minimal-pushes'),
    migrating: 'crashes',
    text: say('A multisig script has an unusual form.'),
  },
  {
    releases: [[300_000, ALWAYS]],
    appliesTo: hasHazard('labels-of-others'),
    migrating: 'refuses',
    text: say('Watch-only, with others’ addresses in its address book.'),
  },
  {
    // `ApplyMigrationData` expects the old wallet to have no transactions left, but they leave it only afterwards. The node answers
    // `bad_function_call` and restores nothing: the file stays half converted, beside a new watch-only wallet.
    releases: [[300_000, ALWAYS]],
    appliesTo: hasHazard('watched-transactions'),
    migrating: 'refuses',
    text: say('Watch-only, with transactions.'),
  },
  {
    // `FEATURE_LATEST`; 30 does not ask any more.
    releases: [[0, 300_000]],
    appliesTo: ({ formatVersion }) => formatVersion !== null && formatVersion > 169_900,
    migrating: 'refuses',
    loading: 'refuses',
    text: say('Needs a newer release.'),
    todo: say('Release 30 or later migrates it.'),
  },
  {
    // bitcoin/bitcoin#31244
    releases: [[0, 300_000]],
    appliesTo: hasForm('musig'),
    loading: 'refuses',
    text: FORM_NEEDS.musig,
  },
  {
    // bitcoin/bitcoin#29136
    releases: [[0, 319_900]],
    appliesTo: hasForm('key-only'),
    loading: 'refuses',
    text: FORM_NEEDS['key-only'],
  },
  {
    // Its legacy records are never made (`GetDescriptorsForLegacy`). Since 27, a blank wallet only changes its format.
    releases: [[SINCE_MIGRATION, 300_000]],
    appliesTo: (inspection, facts) =>
      hasHazard('empty')(inspection, facts) &&
      !(inspection.flags.includes('blank') && facts.status.release.number >= 270_000),
    migrating: 'refuses',
    text: NOTHING_TO_MIGRATE,
  },
  {
    // They treat a wallet with neither flag as new: `InitWalletFlags` sets its flags and asserts that it had none.
    releases: [[300_000, 310_000]],
    appliesTo: (inspection, facts) =>
      hasHazard('empty')(inspection, facts) &&
      !inspection.flags.some((flag) => ['blank', 'disable_private_keys'].includes(flag)),
    migrating: 'crashes',
    text: NOTHING_TO_MIGRATE,
  },
  {
    // `MigrateLegacyToDescriptor` removes a wallet that is empty afterwards, and answers with an empty name.
    releases: [[300_000, ALWAYS]],
    appliesTo: ({ migration }) =>
      migration !== null && !migration.primary && !migration.watchOnly && !migration.solvables,
    migrating: 'refuses',
    text: NOTHING_TO_MIGRATE,
  },
  {
    releases: [[0, ALWAYS]],
    appliesTo: refusedFor('version'),
    migrating: 'refuses',
    loading: 'refuses',
    text: say('Written by Berkeley DB 6 or later.'),
  },
  {
    // Releases before 30 have Berkeley DB verify each file that they load (`bdb.cpp`, `BerkeleyDatabase::Verify`).
    releases: [[0, OWN_READER]],
    appliesTo: failsVerify,
    migrating: 'refuses',
    loading: 'refuses',
    text: LENGTH_DIFFERS,
  },
  {
    releases: [[OWN_READER, 300_000]],
    appliesTo: failsVerify,
    loading: 'refuses',
    text: LENGTH_DIFFERS,
  },
  {
    // Bitcoin Core's own reader came in 28.
    releases: [[OWN_READER, ALWAYS]],
    appliesTo: (inspection) => refusedFor('tree')(inspection) || refusedFor('length')(inspection),
    migrating: 'refuses',
    text: say('Unreadable database format.'),
  },
  {
    // Their backup is named `<folder of the wallet>/<name>_<time>.legacy.bak`, in a folder that is not there (`wallet.cpp`).
    releases: [[SINCE_MIGRATION, 300_000]],
    appliesTo: (_, { name }) => isInFolder(name),
    migrating: 'refuses',
    text: say('Its name has a slash.'),
    todo: `${say('Move it into the wallets folder.')} ${say('Release 30 or later migrates it.')}`,
  },
  {
    // bitcoin/bitcoin#34544
    releases: [[319_900, ALWAYS]],
    appliesTo: (_, { name }) => /^\.\.?\//.test(name) || /^\/+$/.test(name),
    migrating: 'refuses',
    engine: 'refuses',
    loading: 'refuses',
    text: say('Its name begins with “./” or “../”.'),
    todo: say('Move it into the wallets folder.'),
  },
  {
    // `MigrateToDescriptor` derives as many keys of a chain as the node's pool has, and asserts that the wallet has each. It
    // fills the pool of a wallet without a passphrase first.
    releases: [[SINCE_MIGRATION, 280_000]],
    appliesTo: hasShortChain,
    migrating: 'may',
    text: say('A short key chain can crash the node.'),
    todo: say('Start the node with -keypool=1 first.'),
  },
  {
    // `MigrateToDescriptor` puts the descriptor into the main wallet, but looks for the private key by the even public key.
    releases: [[SINCE_MIGRATION, ALWAYS]],
    appliesTo: hasHazard('odd-taproot'),
    migrating: 'may',
    text: say('A watched taproot address loses its key.'),
  },
  {
    // bitcoin/bitcoin#28125
    releases: [[240_000, 250_100]],
    appliesTo: ({ migration }) => (migration?.leftOut ?? 0) > 0,
    migrating: 'may',
    text: say('This release migrates invalid scripts too.'),
  },
  {
    // bitcoin/bitcoin#26761, #28038
    releases: [
      [240_000, 240_100],
      [250_000, 250_100],
    ],
    appliesTo: ({ migration, labels }) => (migration?.watchOnly ?? null) !== null && labels.total > 0,
    migrating: 'may',
    text: say('This release can lose labels of watched addresses.'),
  },
];

function hasHazard(hazard: Hazard): ReleaseHazard['appliesTo'] {
  return ({ migration }) => migration?.hazards.includes(hazard) === true;
}

/** Whether it has a descriptor of a kind that earlier releases cannot read. */
function hasForm(form: 'musig' | 'key-only'): ReleaseHazard['appliesTo'] {
  return ({ descriptors }) => descriptors.shown.some((descriptor) => descriptor.form === form);
}

/** `DEFAULT_KEYPOOL_SIZE`. No RPC call reports the node's own setting. */
const USUAL_POOL = 1000;

function hasShortChain({ encryption, hdChains }: Inspection): boolean {
  return (
    encryption !== null &&
    hdChains.shown.some(
      ({ externalKeys, internalKeys }) => Math.min(externalKeys, internalKeys ?? USUAL_POOL) < USUAL_POOL,
    )
  );
}

function failsVerify(inspection: Inspection): boolean {
  return refusedFor('length')(inspection) || refusedFor('partial-page')(inspection);
}

function refusedFor(why: 'version' | 'length' | 'tree' | 'partial-page') {
  return ({ file: { format } }: Inspection) => format.kind === 'berkeley-db' && format.refusals.includes(why);
}

/** The conditions of Bitcoin Core that the inspection of a file checks one by one. */
const CORE_CONDITIONS: readonly ReleaseHazard[] = CONDITION_RULES.map(({ code, rescue: _, ...rule }) => ({
  ...rule,
  appliesTo: ({ conditions }) => conditions.some((condition) => condition.code === code),
  text: conditionText(code),
  lines: ({ conditions }) =>
    conditions.filter((condition) => condition.code === code).flatMap(conditionLines),
}));

export const HAZARDS: readonly ReleaseHazard[] = [...KNOWN_FAULTS, ...CORE_CONDITIONS];
