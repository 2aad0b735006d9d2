/** The proof of a migration in rows: before and after. */
import type { Balance } from '../model/money.ts';
import type { Network } from '../model/network.ts';
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
  if (verdict === 'different' || (lost?.length ?? 0) > 0 || scripts === null) return null;
  return say('All {scripts}, {labels} and {transactions} are here.', {
    scripts: counted.addresses(scripts.before),
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

/** `network`: for the unit of amounts. */
export function proofRows(proof: Proof, network: Network): ProofRow[] {
  const isAmiss = [proof.misplaced, proof.keyless].some((list) => (list?.total ?? 0) > 0);
  return [
    row(say('Scripts'), proof.scripts, isAmiss),
    row(say('Labels'), proof.labels),
    row(say('Transactions'), proof.transactions),
    ...balanceRows(proof.balance, network),
    ...partRows(proof.balance.parts, network),
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
  { before, after, file, fileTime, standing }: Proof['balance'],
  network: Network,
): ProofRow[] {
  const ofNode = { text: walletBalance(before, network) };
  const ofFile = file !== null && {
    text: walletBalance(file, network),
    note: fileTime === null ? say('last known') : say('last known, {time}', { time: formatTime(fileTime) }),
  };
  const note = standing === undefined || standing === 'same' ? {} : { note: STANDING[standing] };
  const whole = standing === 'same' ? true : standing === 'less' ? false : null;
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
function partRows(parts: Proof['balance']['parts'], network: Network): ProofRow[] {
  const after = parts?.after;
  if (!after || after.watched + after.notYours === 0n) return [];
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

const STANDING = {
  more: say('more than before'),
  less: say('less than before'),
  unclear: say('less: unconfirmed payments'),
} as const;
