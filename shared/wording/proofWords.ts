/** The proof of a migration in rows, before and after, and the new wallets, each with a sentence on its content and purpose. */
import { type MigrationResult, migratedWallets } from '../model/job.ts';
import type { MigrationPreview, WalletPart } from '../model/migrationPreview.ts';
import type { Balance } from '../model/money.ts';
import type { Network } from '../model/network.ts';
import type { Plan } from '../model/plan.ts';
import type { Compared, Proof } from '../model/safety.ts';
import { walletBalance } from './balanceWords.ts';
import { counted, formatCount } from './format/formatNumber.ts';
import { formatTime } from './format/formatTime.ts';
import { say } from './say.ts';

export interface ProofRow {
  readonly label: string;
  readonly before: ProofCell | null;
  readonly after: ProofCell;
  /** Whether everything arrived; null if unknown. */
  readonly whole: boolean | null;
}

interface ProofCell {
  readonly text: string;
  /** A remark on the number. */
  readonly note?: string;
}

/**
 * `All 536 addresses, 35 labels and 13 transactions are here.` Null unless all arrived: a rescue that lost something says
 * so itself.
 */
export function arrivedWords({ verdict, lost, scripts, labels, transactions }: Proof): string | null {
  const isMissing = [labels, transactions].some((compared) => (compared?.missing.total ?? 0) > 0);
  if (verdict === 'different' || isMissing || (lost?.length ?? 0) > 0 || scripts === null) return null;
  return say('All {addresses}, {labels} and {transactions} are here.', {
    addresses: counted.addresses(scripts.before),
    labels: counted.labels(labels?.before ?? 0),
    transactions: counted.transactions(transactions?.before ?? 0),
  });
}

/** Why the new wallet has fewer keys. Null without keys, if a number is unknown, or unless all addresses arrived. */
export function keysWords(proof: Proof): string | null {
  const { keys = 0, wallets } = proof;
  if (arrivedWords(proof) === null) return null;
  const count = wallets.find(({ part }) => part === 'primary')?.descriptors ?? 0;
  if (keys === 0 || count === 0) return null;
  const counts = { keys: counted.keys(keys), descriptors: counted.descriptors(count) };
  return say('{keys} became {descriptors}, which make the same addresses.', counts);
}

/** The heads of the proof's columns. A rescue compares its repaired copy with the new wallet. */
export function proofHeads(isRescue: boolean): [what: string, before: string, after: string] {
  return [say('What'), isRescue ? say('Repaired copy') : say('Before'), say('After')];
}

/** `network`: for the unit of amounts. */
export function proofRows(proof: Proof, network: Network): ProofRow[] {
  const isAmiss = [proof.misplaced, proof.keyless].some((list) => (list?.total ?? 0) > 0);
  return [
    row(say('Addresses'), proof.scripts, isAmiss),
    row(say('Labels'), proof.labels),
    row(say('Transactions'), proof.transactions),
    ...balanceRows(proof.balance, network),
    ...partRows(proof.balance.split, network),
  ];
}

function row(label: string, compared: Compared | null, isAmiss = false): ProofRow {
  if (compared === null) return { label, before: null, after: { text: say('Not compared') }, whole: null };
  const { before, after, missing } = compared;
  const common = { label, before: { text: formatCount(before) } };
  const text = formatCount(after);
  if (missing.total > 0) return { ...common, after: { text, note: say('some missing') }, whole: false };
  if (isAmiss) return { ...common, after: { text, note: say('some wrong') }, whole: false };
  return { ...common, after: { text: say('all {count, number}', { count: after }) }, whole: true };
}

/** Shows the file's last known balance below the node's, or in its place if the node reported none. */
function balanceRows(
  { before, after, file, fileTime, change }: Proof['balance'],
  network: Network,
): ProofRow[] {
  const ofNode = { text: walletBalance(before, network) };
  const ofFile = file !== null && {
    text: walletBalance(file, network),
    note: fileTime === null ? say('last known') : say('last known, {time}', { time: formatTime(fileTime) }),
  };
  const note = change === undefined || change === 'same' ? {} : { note: BALANCE_CHANGES[change] };
  const whole = change === 'same' ? true : change === 'less' ? false : null;
  const stands = before === null && ofFile;
  return [
    {
      label: say('Balance'),
      before: stands || ofNode,
      after: { text: walletBalance(after, network), ...note },
      whole,
    },
    ...(ofFile && !stands
      ? [{ label: say('Last known balance'), before: ofFile, after: { text: '' }, whole: null }]
      : []),
  ];
}

/** The parts of the balance; empty if there is only one. */
function partRows(parts: Proof['balance']['split'], network: Network): ProofRow[] {
  const after = parts?.after;
  if (!after || after.watched + (after.notYours ?? parts.before?.notYours ?? 0n) === 0n) return [];
  const of = (label: string, part: keyof Balance) => ({
    label,
    before: { text: walletBalance(parts.before?.[part] ?? null, network) },
    after: { text: walletBalance(after[part], network) },
    whole: null,
  });
  return [
    of(say('Spendable'), 'spendable'),
    of(say('Watched only'), 'watched'),
    of(say('Not yours'), 'notYours'),
  ];
}

const BALANCE_CHANGES = {
  more: say('more than before'),
  less: say('less than before'),
  unclear: say('less, for now'),
} as const;

interface ShownWallet {
  name: string;
  part: WalletPart;
  title: string;
  meaning: string;
}

/**
 * One to three wallets, the main one first. A legacy wallet without spendable scripts has no main wallet: then the result's
 * main name differs from `migrated`, the name of the legacy wallet. `proved`: what the proof read in them.
 */
export function newWalletWords(
  result: MigrationResult,
  migrated: string,
  proved: Proof['wallets'] = [],
): ShownWallet[] {
  return migratedWallets(result).map(({ name, part: created }) => {
    const isPrimary = migrated === '' || name === migrated;
    const part = created === 'primary' && !isPrimary ? 'watchonly' : created;
    const isKeyless = proved.some((one) => one.name === name && one.watches && !one.signsOutside);
    return { name, part, title: PART_TITLES[part], meaning: partMeaning(part, isKeyless ? 'none' : 'kept') };
  });
}

interface PreviewedWallet extends Omit<ShownWallet, 'name'> {
  /** Null if only the suffix is known. */
  name: string | null;
  /** The end of the name; empty for the main wallet. */
  suffix: string;
  descriptors: number;
}

/** `name`: of the legacy wallet; null if it has none yet. Releases then differ in the names of the other wallets. */
export function previewedWallets(preview: MigrationPreview, name: string | null): PreviewedWallet[] {
  const { primary, watchOnly, solvables } = preview;
  const of = (part: WalletPart, { descriptors }: { descriptors: number }) => {
    const suffix = part === 'primary' ? '' : `_${part}`;
    const own = suffix === '' ? name : name ? `${name}${suffix}` : null;
    const meaning = partMeaning(part, primary?.seed);
    return { part, name: own, suffix, title: PART_TITLES[part], descriptors, meaning };
  };
  return [
    ...(primary ? [of('primary', primary)] : []),
    ...(watchOnly ? [of('watchonly', watchOnly)] : []),
    ...(solvables ? [of('solvables', solvables)] : []),
  ];
}

/**
 * What a plan says of a wallet that it makes, beside its name. A node and the engine load the companions of a migrated wallet at each
 * start from then on (`DoMigration` in `wallet.cpp`).
 */
export function plannedWalletWords({ part, descriptors, certain }: Plan['makes'][number]): string {
  return [
    PART_TITLES[part],
    ...(certain ? [] : [say('perhaps')]),
    ...(descriptors === null ? [] : [counted.descriptors(descriptors)]),
    ...(part === 'primary' ? [] : [say('loads at each start')]),
  ].join(' · ');
}

/** What a migration leaves out. `count`: scripts. */
export function leftOutWords(count: number): string {
  const leftOut = say('{scripts} left out.', { scripts: counted.scripts(count) });
  return `${leftOut} ${say('Unspendable, or no descriptor can express them.')}`;
}

type Seed = NonNullable<MigrationPreview['primary']>['seed'];

/** The contents of a new wallet. `seed`: the source of the main wallet's new addresses. */
export function partMeaning(part: WalletPart, seed: Seed = 'kept'): string {
  return part === 'primary' ? PRIMARY[seed] : MEANINGS[part];
}

export const PART_TITLES: Readonly<Record<WalletPart, string>> = {
  primary: say('Main wallet'),
  watchonly: say('Watch-only wallet'),
  solvables: say('Wallet of solvable scripts'),
};

export const OLD_BACKUPS = say('Your old backups don’t contain the new keys.');

const PRIMARY: Readonly<Record<Seed, string>> = {
  kept: say('Your spendable coins.'),
  fresh: `${say('Your spendable coins.')} ${OLD_BACKUPS}`,
  none: say('Your coins, without private keys.'),
};

const MEANINGS = {
  watchonly: say('Addresses you only watched.'),
  solvables: say('Scripts you can sign for but did not watch.'),
} as const;
