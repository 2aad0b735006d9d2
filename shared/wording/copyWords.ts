/** Titles for copies of a wallet. Only a copy that was read and found whole is called a safety copy. */
import type { CopyState, SafetyCopy } from '../model/safety.ts';
import { say } from './say.ts';

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
