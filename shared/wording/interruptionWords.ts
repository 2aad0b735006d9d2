/**
 * Words for a wallet that an interrupted job left incomplete, and for copies of a wallet. Only a copy that was read and found whole is
 * called a safety copy.
 */
import { formatBitcoin } from '../model/money.ts';
import type { Network } from '../model/network.ts';
import type { CopyState, Interruption, SafetyCopy, WholeCopy } from '../model/safety.ts';
import type { Wallet } from '../model/wallet.ts';
import { asSentence, keepAndLook } from './findings/hints.ts';
import { formatTime } from './format/formatTime.ts';
import { nameInSentence } from './format/names.ts';
import { joinList } from './format/perRegion.ts';
import { say } from './say.ts';

/** Heading of the incomplete wallets that a restore has moved. */
export const NOT_IN_USE = say('Kept, not in use');

const INTERRUPTED = say('Interrupted');

/** Satoshi that only migrated wallets see, which an undo renamed, and what that means. */
export function newCoinsWords(coins: bigint, network: Network): [title: string, text: string] {
  const amount = formatBitcoin(coins, network);
  return [say('Coins since the migration: {amount}', { amount }), say('The old wallet cannot see them.')];
}

/** Label of an incomplete wallet. After its restore it is only kept, and needs nothing. */
export function interruptedLabel(interruption: Pick<Interruption, 'restoredAs'> | null | undefined): string {
  return interruption?.restoredAs === undefined ? INTERRUPTED : NOT_IN_USE;
}

/**
 * The top of the page. Red only where the wallet may be lost. `isSafe`: whether it has a whole copy; null before the search. `toRescue`:
 * see `fileToRescue`.
 */
export function interruptionVerdict(
  cause: Interruption['cause'] | null,
  isSafe: boolean | null,
  toRescue: string | null = null,
): { tone: 'read' | 'danger'; text: string } {
  if (isSafe) return { tone: 'read', text: `${asSentence(INTERRUPTED)} ${COINS_SAFE}` };
  return { tone: isSafe === null || toRescue !== null ? 'read' : 'danger', text: interruptedText(cause) };
}

/** What happened, in a sentence. */
export function interruptedText(cause: Interruption['cause'] | null): string {
  return (cause === null ? INCOMPLETE : CAUSES[cause]).happened;
}

const HALF_MIGRATED = {
  happened: say('Interrupted: the wallet was left half migrated.'),
  aboveCopies: say('The migration stopped halfway.'),
};
const INCOMPLETE = {
  happened: say('Interrupted: the wallet was left incomplete.'),
  aboveCopies: say('The wallet’s file is incomplete.'),
};

const CAUSES: Readonly<Record<Interruption['cause'], { happened: string; aboveCopies: string }>> = {
  'legacy-records': HALF_MIGRATED,
  'no-descriptors': HALF_MIGRATED,
  companion: HALF_MIGRATED,
  'no-format': INCOMPLETE,
  'cut-short': INCOMPLETE,
  missing: {
    happened: say('Interrupted: the wallet’s file is missing.'),
    aboveCopies: say('The wallet’s file is missing.'),
  },
};

export const HALF_IS_KEPT = say('The half-migrated wallet is kept too.');
export const COINS_SAFE = say('Your coins are safe.');

/** The message above the list of copies: its title, and what to do. `offline`: whether no node has the wallet. */
export function interruptionWords(
  {
    wallet,
    cause,
    copies,
    skippedCopies,
    restoredAs,
    file,
  }: Pick<Interruption, 'wallet' | 'cause' | 'copies' | 'skippedCopies' | 'restoredAs' | 'file'>,
  offline = false,
): { title: string; hint: string[] } {
  if (restoredAs !== undefined)
    return { title: say('Kept: interrupted migration'), hint: [restoredAsWords(restoredAs)] };
  const notes = [
    // A node opens its unnamed wallet at start and those in its settings.json, and exits if it cannot (`VerifyWallets` in `load.cpp`).
    ...(wallet !== null && !offline ? [say('If Bitcoin Core fails to start, use -nowallet.')] : []),
  ];
  const hints = furtherHints({ file, cause, copies, skippedCopies });
  if (copies.length === 0) return { title: NO_WHOLE_COPY, hint: [LOOK_FOR_COPY, ...hints, ...notes] };
  return {
    title: hasCopyOfThisWallet(copies)
      ? `${CAUSES[cause].aboveCopies} ${say('The old wallet is whole.')}`
      : say('Only other wallets’ copies were found.'),
    hint: [...(cause === 'missing' ? [] : [HALF_IS_KEPT]), ...hints, ...notes],
  };
}

/** The first copy that may be of this wallet. */
export function copyOfThisWallet(copies: Interruption['copies']): WholeCopy | undefined {
  return copies.find(({ isOther }) => !isOther);
}

export function hasCopyOfThisWallet(copies: Interruption['copies']): boolean {
  return copyOfThisWallet(copies) !== undefined;
}

/** The incomplete file, if the app found no copy of this wallet and a rescue can save its records; null otherwise. */
export function fileToRescue({
  file,
  cause,
  copies,
}: Pick<Interruption, 'file' | 'cause' | 'copies'>): string | null {
  return cause === 'legacy-records' && !hasCopyOfThisWallet(copies) ? file : null;
}

export function restoredAsWords(restoredAs: string): string {
  return say('Restored as {wallet}.', { wallet: nameInSentence(restoredAs) });
}

const NO_WHOLE_COPY = say('No whole copy was found.');
const LOOK_FOR_COPY = keepAndLook();
const RESCUE_IT = say('Rescue what is intact.');

type FoundCopies = Pick<Interruption, 'file' | 'cause' | 'copies' | 'skippedCopies'>;

/** What to do where no whole copy of the wallet was found. */
export function noCopyHints(found: FoundCopies): string[] {
  return [LOOK_FOR_COPY, ...furtherHints(found)];
}

/** What to do besides looking for a copy. */
export function furtherHints(found: FoundCopies): string[] {
  const rescue = fileToRescue(found) === null ? [] : [RESCUE_IT];
  return [...rescue, ...skippedCopiesNote(found.skippedCopies)];
}

/** What a list says of an interrupted wallet without a whole copy. */
export function noCopyWords({ toRescue }: NonNullable<Wallet['interruption']>): string {
  return [NO_WHOLE_COPY, LOOK_FOR_COPY, ...(toRescue === undefined ? [] : [RESCUE_IT])].join(' ');
}

/** `Kept as “savings.interrupted-20261121-045512”`, or that it keeps its name. */
export function renameText({ name, newName }: { name: string; newName: string }): string {
  return name === newName
    ? say('The incomplete wallet stays {wallet}', { wallet: nameInSentence(name) })
    : say('Kept as {wallet}', { wallet: nameInSentence(newName) });
}

/** None where all files that may be copies were read. */
function skippedCopiesNote(count: Interruption['skippedCopies']): string[] {
  if (count === undefined) return [];
  return [say('Files not read: {count, number}. Move unrelated files away.', { count })];
}

/** Names the file `.legacy.bak` that the node writes before it migrates. */
export const OLD_WALLET_BACKUP = say('The old wallet’s backup');

export const COPY_NAMES: Readonly<Record<WholeCopy['from'], string>> = {
  'legacy-backup': OLD_WALLET_BACKUP,
  'safety-copy': say('Safety copy'),
  backup: say('Your backup'),
};

/** `20 Nov 2026, 13:06, complete, checked` */
export function copyWords({ made, matches, isOther, isUnproved }: WholeCopy): string {
  return joinList([
    formatTime(made),
    ...(isUnproved ? [say('perhaps another wallet’s')] : isOther ? [say('from another wallet')] : []),
    matches ? say('complete, checked') : say('complete'),
  ]);
}

export function copyLine(copy: WholeCopy): string {
  return `${copy.path} (${joinList([COPY_NAMES[copy.from], copyWords(copy)])})`;
}

/** `state` is undefined for a copy of an earlier version of the app that nobody has read again. */
export function copyTitle(state: CopyState | undefined): string {
  return TITLES[state ?? 'unknown'];
}

const TITLES: Readonly<Record<CopyState, string>> = {
  whole: say('Safety copy'),
  'not-closed': say('Copy of an unclosed file'),
  'half-migrated': say('Copy of a half-migrated wallet'),
  damaged: say('Copy of a damaged file'),
  unknown: say('Copy'),
};

/** Whether the wallet's own file in it is a whole wallet. */
export function isWholeCopy({ files: [own] }: Pick<SafetyCopy, 'files'>): boolean {
  return own?.state === 'whole';
}

/** For the wallet of a job in another folder at the path of the wallets folder. */
export const otherFolderText = (wallet: string) =>
  say('Another folder was here with {wallet}. Is its disk connected?', { wallet: nameInSentence(wallet) });
