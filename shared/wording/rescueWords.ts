/** What a rescue saved and what is missing, in rows for a plan, a result and the terminal, and the lines of a text with keys. */
import { countDamage, type LineState, type TextLines, type TextNote } from '../model/findings/textLines.ts';
import { type Job, type JobResult, newWalletResult } from '../model/job.ts';
import { formatBitcoin } from '../model/money.ts';
import { visibleText } from '../model/names/visibleText.ts';
import type { Network } from '../model/network.ts';
import { type ExcludedRecords, isPartlySealed, type RescueFacts } from '../model/safety.ts';
import { counted, formatCount } from './format/formatNumber.ts';
import { formatTime } from './format/formatTime.ts';
import { networkName } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import { filled, type Row } from './lines.ts';
import { say } from './say.ts';

/** `60 private keys, 6 transactions, 66 labels`, without zeros and in the order of `contentsWords`; `0 private keys` for nothing. */
export function savedWords({ saved: { keys, labels, transactions } }: RescueFacts): string {
  const parts = [
    keys > 0 && counted.privateKeys(keys),
    transactions > 0 && counted.transactions(transactions),
    labels > 0 && counted.labels(labels),
  ];
  return joinList(parts) || counted.privateKeys(0);
}

/** What only a passphrase adds: `1 private key, 4 descriptors`. Empty unless `isPartlySealed`. */
export function sealedWords({ sealed, sealedDescriptors = 0 }: RescueFacts): string {
  return joinList([
    sealed > 0 && counted.privateKeys(sealed),
    sealedDescriptors > 0 && counted.descriptors(sealedDescriptors),
  ]);
}

/** Skips rows without a value. */
export function rescueRows(facts: RescueFacts): Row[] {
  const { saved, log, damaged, missing, damagedTextKeys, lines, unowned, excluded, excludedFile } = facts;
  const { unused = { addresses: [], change: [] } } = facts;
  const row = (label: string, parts: readonly (string | false)[]) => filled([[label, joinList(parts)]]);
  const keys = (count: number) => count > 0 && counted.privateKeys(count);
  const number = (count: number) => count > 0 && formatCount(count);
  return [
    ...row(say('Saved'), [savedWords(facts)]),
    ...row(say('Seeds'), [number(saved.seeds)]),
    ...row(say('From the seed'), [keys(saved.derived)]),
    ...(log === null ? [] : [logRow(log)]),
    ...row(say('Damaged'), [keys(damaged.keys)]),
    ...row(say('Damaged records'), [number(damaged.others)]),
    ...row(say('Repaired records'), [number(facts.repaired ?? 0)]),
    ...row(say('Damaged pages'), [number(damaged.pages ?? 0)]),
    ...row(say('Missing'), [
      missingKeys(missing),
      (missing.descriptors ?? 0) > 0 && counted.descriptors(missing.descriptors ?? 0),
      missing.masterKey && say('the master key'),
      missing.counter && say('the key counter'),
    ]),
    ...row(say('No new addresses'), unused.addresses),
    ...row(say('No new change addresses'), unused.change),
    ...row(say('Need the passphrase'), [sealedWords(facts)]),
    ...(lines && lines.of > 1
      ? row(say('Lines with keys'), [
          say('{found, number} of {all, number}', { found: lines.taken, all: lines.of }),
        ])
      : []),
    ...row(say('Damaged keys in the text'), [number(damagedTextKeys)]),
    ...row(say('May not be yours'), [keys(unowned + (facts.doubtful ?? 0))]),
    ...row(say('Hybrid keys, saved compressed and uncompressed'), [keys(facts.otherForms ?? 0)]),
    ...row(say('Left out'), [
      excluded.transactions.total > 0 && counted.transactions(excluded.transactions.total),
    ]),
    ...row(say('Addresses left out'), [number(excluded.addresses.total)]),
    ...filled([[say('Listed in'), excludedFile]]),
  ];
}

/** The changes from a log: `Changes from the log: 3, 21 Nov 2026, 14:05`. */
export function logWords(log: NonNullable<RescueFacts['log']>): string {
  return logRow(log).join(': ');
}

function logRow({ redone, undone, lastCommit }: NonNullable<RescueFacts['log']>): Row {
  const changes = formatCount(redone + undone);
  return [say('Changes from the log'), joinList([changes, lastCommit !== null && formatTime(lastCommit)])];
}

/** What a rescue lost or excluded; null for other results, and where its comparison leaves more in doubt than what it excluded. */
export function partlyRescuedWords({ result, proof }: Pick<Job, 'result' | 'proof'>): string | null {
  const facts = newWalletResult(result)?.rescue;
  if (facts === undefined || !hasLossesOrExclusions(facts)) return null;
  if (!hasOnlyExclusions(facts)) return say('Not everything could be saved');
  if (proof !== null && proof.differences.length + proof.unknown.length > 0) return null;
  return `${say('Left out')}: ${counted.transactions(facts.excluded.transactions.total)}`;
}

/** Whether the result is of a rescue that lost or excluded something. */
export function isPartlyRescued(result: JobResult | null): boolean {
  const facts = newWalletResult(result)?.rescue;
  return facts !== undefined && hasLossesOrExclusions(facts);
}

/** Whether something was lost or excluded, so that an older backup may still be needed. */
export function hasLossesOrExclusions(facts: RescueFacts): boolean {
  return hasLosses(facts) || excludesKeys(facts) || facts.excluded.transactions.total > 0;
}

/** Whether a rescue saved everything but transactions that move none of the wallet’s coins. */
export function hasOnlyExclusions(facts: RescueFacts): boolean {
  return facts.excluded.transactions.total > 0 && !hasLosses(facts) && !excludesKeys(facts);
}

function excludesKeys({ unowned, unused }: RescueFacts): boolean {
  return unowned > 0 || (unused !== undefined && unused.addresses.length + unused.change.length > 0);
}

export const NO_COINS = say('No coins of this wallet are involved.');

/** Whether something of the wallet was or may be lost. */
export function hasLosses(facts: RescueFacts): boolean {
  const { damaged, missing, unclean, damagedTextKeys } = facts;
  return (
    unclean ||
    isPartlySealed(facts) ||
    [
      ...[damaged.keys, damaged.others, damaged.pages ?? 0, missing.keys, missing.chainKeys, damagedTextKeys],
      ...[missing.descriptors ?? 0, missing.addresses ?? 0],
    ].some((count) => count > 0) ||
    missing.masterKey ||
    missing.counter
  );
}

/** How many known private keys were not saved. A damaged key may count as missing too. */
export function lostKeys({ missing, damaged, sealed, damagedTextKeys }: RescueFacts): number {
  const { keys, chainKeys, countedTwice = 0 } = missing;
  return Math.max(keys, damaged.keys) + chainKeys - countedTwice + sealed + damagedTextKeys;
}

/** How to restore lost transactions; null without losses. */
export function rescanWords(facts: RescueFacts): string | null {
  return hasLosses(facts) ? say('A rescan restores lost transactions (rescanblockchain).') : null;
}

/** All missing private keys, and of how many the seed is missing too. False for none. */
function missingKeys({ keys, chainKeys, countedTwice = 0 }: RescueFacts['missing']): string | false {
  if (keys + chainKeys === 0) return false;
  const all = counted.privateKeys(keys + chainKeys - countedTwice);
  if (chainKeys === 0) return all;
  return say('{keys} and the seed of {count, number} of them', { keys: all, count: chainKeys });
}

/** The losses, a sentence each, and the known coins on them. Empty without losses. */
export function lostWords(facts: RescueFacts, network: Network): string[] {
  const { missing, damaged, excluded, lostCoins } = facts;
  const keys = (count: number) => ({ keys: counted.privateKeys(count) });
  const { descriptors = 0 } = missing;
  const addresses = excluded.addresses.total + (missing.addresses ?? 0);
  // The passphrase gives them all.
  const hasAllKeys =
    isPartlySealed(facts) && missing.keys + descriptors + damaged.keys === 0 && !missing.masterKey;
  const lostKeyWords = missingKeys(missing);
  const found = [
    lostKeyWords && say('Missing: {keys}.', { keys: lostKeyWords }),
    descriptors > 0 && say('Missing: {keys}.', { keys: counted.descriptors(descriptors) }),
    missing.masterKey && say('Missing: {keys}.', { keys: say('the master key') }),
    damaged.keys > 0 && say('Damaged: {keys}.', keys(damaged.keys)),
    isPartlySealed(facts) && say('Needs the passphrase: {keys}.', { keys: sealedWords(facts) }),
    addresses > 0 &&
      (hasAllKeys
        ? say('Addresses of these keys: {count, number}.', { count: addresses })
        : say('Addresses without a key: {count, number}.', { count: addresses })),
    missing.chainKeys > 0 && say('Coins of that seed are unknown.'),
    missing.keys + addresses > 0 && lostCoins !== undefined && coinsOnThem(lostCoins, facts, network),
    (descriptors + (facts.sealedDescriptors ?? 0) > 0 ||
      (missing.keys + addresses > 0 && missing.chainKeys === 0 && !knowsPayments(facts))) &&
      say('They may hold unknown coins.'),
    damaged.others > 0 && say('Damaged records: {count, number}.', { count: damaged.others }),
    missing.keys + addresses === 0 && !!lostCoins?.coins && coinsOnThem(lostCoins, facts, network),
    damaged.pages !== undefined &&
      say('Damaged pages: {count, number}. Keys may be lost.', { count: damaged.pages }),
    facts.unclean && say('The last changes may be missing.'),
    facts.damagedTextKeys > 0 && say('Damaged: {keys}.', keys(facts.damagedTextKeys)),
    missing.counter && say('Missing: {keys}.', { keys: say('the key counter') }),
  ];
  return found.filter((sentence) => sentence !== false);
}

/** What is known of coins on the missing keys. False if none are known, but the seed or a payment to them may be lost too. */
function coinsOnThem(
  { amount, coins }: NonNullable<RescueFacts['lostCoins']>,
  facts: RescueFacts,
  network: Network,
): string | false {
  if (coins === 0)
    return facts.missing.chainKeys === 0 && knowsPayments(facts) && say('No known coins are on them.');
  return say('Known coins on them: {amount}.', { amount: formatBitcoin(amount, network) });
}

/** Whether the file's own transactions show all payments that it knew. */
function knowsPayments({ saved, damaged, excluded, unclean, lostCoins }: RescueFacts): boolean {
  const isWhole = damaged.others + (damaged.pages ?? 0) + excluded.transactions.total === 0 && !unclean;
  return isWhole && lostCoins !== undefined && !lostCoins.mayBeMore && saved.transactions > 0;
}

/** What to know of a wallet that is made of a text. */
export const TEXT_NOTES: Readonly<Record<TextNote, { title: string; hint: string }>> = {
  unchecked: {
    title: say('Descriptor without a checksum'),
    hint: say('Typing errors go unnoticed. Compare an address.'),
  },
  'watch-only': {
    title: say('Left out'),
    hint: say('Open BIP38 keys and watch-only descriptors separately.'),
  },
  multisig: {
    title: say('Left out'),
    hint: `${say('One multisig key finds no coins.')} ${say('Open the multisig descriptor.')}`,
  },
};

/**
 * The file that lists the excluded records, a line for each with its reason and raw transaction; null without any. If the
 * rescue lost something, a record without a saved key may still belong to the wallet.
 */
export function excludedText(
  { transactions, addresses }: ExcludedRecords,
  facts: RescueFacts,
  network: Network,
): string | null {
  if (transactions.length + addresses.length === 0) return null;
  const reason = hasLosses(facts) ? say('No saved key matches: its key may be lost.') : NO_COINS;
  return [
    ...transactions.map(({ txid, hex }) => `${txid}\t${reason}\t${hex}`),
    ...addresses.map(({ address, isReadable }) => {
      const why = isReadable
        ? say('Its key is not in the file.')
        : say('Not an address of {network}.', { network: networkName(network) });
      return `${visibleText(address)}\t${why}`;
    }),
    '',
  ].join('\n');
}

/** `Line 2: wrong character.` */
export function damagedLine({ line, column, why, letter = '' }: TextLines['damaged'][number]): string {
  if (why === 'letter')
    return say('Line {line, number}, character {column, number}: no key has “{letter}”.', {
      line,
      column,
      letter,
    });
  return say('Line {line, number}: {damage}.', { line, damage: DAMAGES[why] });
}

const DAMAGES: Readonly<Record<Exclude<TextLines['damaged'][number]['why'], 'letter'>, string>> = {
  length: say('wrong key length'),
  checksum: say('wrong character'),
  descriptor: say('incomplete or wrong descriptor'),
  coin: say('another coin’s key'),
  network: say('another network’s key'),
  address: say('another address’s key'),
  cut: say('cut off here'),
};

/** `Readable: 2 of 3 lines with keys.` */
export function linesSummary(lines: TextLines): string {
  const { keys, taken } = lines;
  const { lost, of } = countDamage(lines);
  if (of === 1 && lost > 0)
    return say('Damaged keys: {damaged, number}. Readable: {keys, number}.', { damaged: lost, keys });
  return say('Readable: {taken, number} of {of, number} lines with keys.', { taken, of });
}

/**
 * The numbers of the first lines that hold neither a key nor a comment, from 1, among the marked ones: at most one more than
 * `keylessText` names.
 */
export function keylessLines({ states }: Pick<TextLines, 'states'>): number[] {
  return states.flatMap((state, at) => (state === 'other' ? [at + 1] : [])).slice(0, MAX_KEYLESS + 1);
}

const MAX_KEYLESS = 10;

/** `Lines without a key: 1, 4`. */
export function keylessText(lines: readonly number[]): string {
  const first = joinList(lines.slice(0, MAX_KEYLESS).map(String));
  return say('Lines without a key: {lines}', { lines: lines.length > MAX_KEYLESS ? `${first} …` : first });
}

/** `Key`, `Comment`; null for an empty line. */
export function lineStateWord(state: LineState): string | null {
  const words = { taken: say('Key'), comment: say('Comment'), other: say('No key'), damaged: say('Damaged') };
  return state === 'empty' ? null : words[state];
}

/** `Continue without 2 keys`. */
export function continueWithoutText(lines: TextLines): string {
  const { lost } = countDamage(lines);
  return lost === 0 ? say('Continue') : say('Continue without {keys}', { keys: counted.keys(lost) });
}
