/** Words for reasons not to migrate or export a wallet, and for the findings of a migration's proof. */
import type { FactsOf } from '../../model/findings/coded.ts';
import type { migrationFindings, ProofFault, ProofFaultFacts } from '../../model/findings/finding.ts';
import type { Hazard, MigrationPreview, WalletPart } from '../../model/migrationPreview.ts';
import type { TruncatedList } from '../../model/shapes.ts';
import { allOf } from '../format/perRegion.ts';
import { say } from '../say.ts';
import { faultText } from './faultWords.ts';
import {
  askForHelp,
  asSentence,
  keepAndLook,
  keepFile,
  nothingChanged,
  otherWallet,
  type WordsByCode,
} from './hints.ts';

/** Two hazards over which no release migrates the wallet. A plan names the others. */
export const STOPS_EVERY_NODE = {
  wkey: say('Some keys (wkey) need release 0.18 or earlier.'),
  'no-seed': say('A key chain lacks its seed.'),
} as const satisfies Partial<Record<Hazard, string>>;

/** What these two hazards mean; empty for a wallet without them. */
export function stopsOfEveryNode({ hazards }: Pick<MigrationPreview, 'hazards'>): string[] {
  const texts: Partial<Record<Hazard, string>> = STOPS_EVERY_NODE;
  return hazards.flatMap((hazard) => texts[hazard] ?? []);
}

export const migrationWords: WordsByCode<FactsOf<typeof migrationFindings>> = {
  already_descriptor_wallet: () => [say('Descriptor wallet. Needs no migration.'), nothingChanged()],
  migration_interrupted: () => [say('Interrupted migration.'), nothingChanged(keepAndLook())],
  flags_not_legacy: () => [say('Not a legacy wallet’s flags.'), nothingChanged()],
  watch_only_with_private_keys: () => [
    say('Bitcoin Core cannot migrate a watch-only wallet with private keys.'),
    nothingChanged(),
  ],
  chain_key_missing: ({ index }) => [
    say('A chain lacks key {number}: addresses would change.', { number: index }),
    keepFile(),
  ],
  keys_with_expiry: () => [
    STOPS_EVERY_NODE.wkey,
    nothingChanged(say('Export its keys with release 0.18 (dumpwallet).')),
  ],
  transactions_in_no_wallet: ({ transactions }) => [
    say('Foreign transactions: {transactions}', { transactions: listText(transactions) }),
    nothingChanged(say('Release 29 or earlier can remove them (removeprunedfunds).')),
  ],
  addresses_in_no_wallet: ({ addresses }) => [
    say('Addresses in no new wallet: {addresses}', { addresses: listText(addresses) }),
    nothingChanged(),
  ],
  proof_failed: ({ faults }) => [
    say('The new wallets would differ. {faults}', {
      faults: listText({ total: faults.total, shown: faults.shown.map((fault) => proofFaultText(fault)) }),
    }),
    nothingChanged(
      `${say('Bitcoin Core can still migrate it.')} ${say('Make a report in History and ask for help.')}`,
    ),
  ],
  new_wallet_not_read_back: () => [say('The new wallet is unreadable.'), askForHelp()],
  not_wallet_and_migration: () => [
    say('Not a legacy wallet and its migration.'),
    nothingChanged(say('Choose the old and new wallets.')),
  ],
  export_incomplete: ({ fault }) => [
    say('Incomplete export: {fault}.', { fault: faultText(fault) }),
    keepFile(),
  ],
  legacy_without_descriptors: () => [
    say('No descriptors in a legacy wallet.'),
    nothingChanged(say('Rehearse the migration, then export.')),
  ],
  no_private_keys: () => [
    asSentence(say('No private keys')),
    nothingChanged(say('Export the public descriptors.')),
  ],
  descriptor_wallet_without_parts: () => [say('A descriptor wallet has no parts.'), otherWallet()],
  part_not_made: ({ part, parts }) => [
    say('The migration makes {wallets}, not {wallet}.', {
      wallet: PARTS[part](),
      wallets: allOf(parts.map((one) => PARTS[one]())),
    }),
    otherWallet(),
  ],
};

const PARTS: Readonly<Record<WalletPart, () => string>> = {
  primary: () => say('main wallet'),
  watchonly: () => say('watch-only wallet'),
  solvables: () => say('solvables wallet'),
};

/** The shown items, at most a hundred, and the number of the others. */
function listText({ total, shown }: TruncatedList<string>): string {
  const list = shown.join(', ');
  const more = total - shown.length;
  return more > 0 ? `${list}, ${say('{more, number} more', { more })}` : list;
}

function proofFaultText<C extends keyof ProofFaultFacts>(fault: ProofFault<C>): string {
  return PROOF_FAULTS[fault.code](fault);
}

const PROOF_FAULTS: WordsByCode<ProofFaultFacts, string> = {
  private_key_lost: () => say('Descriptor without its private key'),
  private_keys_partly_lost: () => say('Descriptor with only some private keys'),
  descriptor_key_lost: ({ index }) => say('Descriptor without key {number}', { number: index }),
  descriptor_keys_reordered: () => say('Descriptor keys in another order'),
  descriptors_overlap: () => say('Two descriptors overlap'),
  script_lost: ({ address }) => say('Missing: {what}', { what: address }),
  script_added: ({ address }) => say('Not in the old wallet: {address}', { address }),
  script_keys_lost: ({ address }) => say('Without its private keys: {address}', { address }),
  script_watched_wrongly: ({ address }) => say('Should not be watched: {address}', { address }),
  script_only_watched: ({ address }) => say('Only watched: {address}', { address }),
  script_not_solvable: ({ address }) => say('Not solvable: {address}', { address }),
  solvable_scripts_lost: () => say('Lost solvable scripts'),
  address_in_no_wallet: ({ address }) => say('In no wallet: {address}', { address }),
  records_lost: ({ count }) => say('Other lost records: {count, number}', { count }),
  transaction_records_lost: ({ count }) =>
    say('Lost transactions and locked coins: {count, number}', { count }),
  address_records_lost: ({ count }) => say('Lost address book records: {count, number}', { count }),
  addresses_in_wrong_wallet: ({ count }) => say('Addresses in the wrong wallet: {count, number}', { count }),
};
