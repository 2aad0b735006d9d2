/** Words for a wallet that an interrupted job left half-made. */
import type { Interruption, WholeCopy } from '../model/safety.ts';
import { formatTime } from './format/formatTime.ts';
import { listed } from './format/listed.ts';
import { nameInSentence } from './format/walletLabel.ts';
import { say } from './say.ts';

/** Heading of the half-made wallets that a restore has moved. */
export const SET_ASIDE = say('Set aside');

/** Label of a half-made wallet. After its restore it is only kept, and needs nothing. */
export function interruptedLabel(interruption: Pick<Interruption, 'backAs'> | null | undefined): string {
  return interruption?.backAs === undefined ? say('Interrupted') : SET_ASIDE;
}

/** The wallet is safe if a whole copy exists or it was restored. */
export function interruptionTitle({ copies, backAs }: Pick<Interruption, 'copies' | 'backAs'>): string {
  if (backAs !== undefined) return say('Set aside after an interrupted migration');
  return isSafe(copies) ? say('Interrupted. Your wallet is safe.') : say('Interrupted.');
}

/** True unless all copies are known to be from another wallet. */
export function isSafe(copies: Interruption['copies']): boolean {
  return copies.some(({ isOther }) => !isOther);
}

export function backAsWords(backAs: string): string {
  return say('The wallet was restored as {wallet}.', { wallet: nameInSentence(backAs) });
}

export const NO_WHOLE_COPY = say('No whole copy was found.');
export const LOOK_FOR_COPY = say('Keep the file, and look for one that ends in .legacy.bak.');
export const NO_COPY = `${NO_WHOLE_COPY} ${LOOK_FOR_COPY}`;

/** `Set aside as “savings.interrupted-20261121-045512”`, or that it keeps its name. */
export function renameText({ name, newName }: { name: string; newName: string }): string {
  return name === newName
    ? say('The incomplete wallet keeps its name, {wallet}', { wallet: nameInSentence(name) })
    : say('Set aside as {wallet}', { wallet: nameInSentence(newName) });
}

/** What to do. A node opens its unnamed wallet at start, and exits if it cannot (`VerifyWallets` in `load.cpp`). */
export function interruptionHint({
  wallet,
  copies,
  unread,
}: Pick<Interruption, 'wallet' | 'copies' | 'unread'>): string[] {
  const whatToDo =
    copies.length > 0
      ? say('The wallet in its place is incomplete. Put the old one back, then try again.')
      : NO_COPY;
  return [
    whatToDo,
    ...unreadWords(unread),
    ...(wallet === '' ? [say('If Bitcoin Core does not start, start it with -nowallet.')] : []),
  ];
}

/** None where all files that may be copies were read. */
export function unreadWords(count: Interruption['unread']): string[] {
  if (count === undefined) return [];
  return [
    say('Files not read: {count, number}. Move those of other wallets away, then check again.', { count }),
  ];
}

const COPY_NAMES: Readonly<Record<WholeCopy['from'], string>> = {
  'legacy-backup': say('The node’s backup'),
  'safety-copy': say('Safety copy'),
  backup: say('Your backup'),
};

/** `The node’s backup, 20 Nov 2026, 13:06`, and whether the app knows its hash. */
export function copyWords({ from, made, matches, isOther }: WholeCopy): string {
  return listed([
    COPY_NAMES[from],
    formatTime(made),
    ...(isOther ? [say('from another wallet')] : []),
    matches ? say('whole, hash as recorded') : say('whole'),
  ]);
}

export function copyLine(copy: WholeCopy): string {
  return `${copy.path} (${copyWords(copy)})`;
}
