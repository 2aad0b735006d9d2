/** Whether a wallet is migrated with the others, and if not, why. */
import { say } from '../../../../shared/text/say.ts';
import type { WalletLook } from './useManyChecks.ts';

export type Part =
  | { is: 'in' }
  /** Not known yet. */
  | { is: 'open' }
  /** The app can make no copy of it: the user has to say that there is one. */
  | { is: 'word-needed' }
  | { is: 'unticked' }
  /** `why` has no full stop at its end. */
  | { is: 'stopped'; why: string };

interface Said {
  unticked: boolean;
  /** The user says that there is a copy of it. */
  hasOwnCopy: boolean;
}

export function takingPart(look: WalletLook, { unticked, hasOwnCopy }: Said): Part {
  if (look.state === 'failed') return { is: 'stopped', why: look.error.message.replace(/\.$/, '') };
  if (look.state === 'known') {
    const { way, checks, copy } = look.found;
    if (way === 'copy-first') return { is: 'stopped', why: GOES_ANOTHER_WAY };
    if (way === 'none') {
      const stop = checks.find(({ verdict }) => verdict === 'stop');
      return { is: 'stopped', why: stop?.title ?? say('A check stops it') };
    }
    if (!unticked && copy.way === 'cannot' && !hasOwnCopy) return { is: 'word-needed' };
  }
  if (unticked) return { is: 'unticked' };
  return look.state === 'known' ? { is: 'in' } : { is: 'open' };
}

const GOES_ANOTHER_WAY = say('On this release it is migrated by itself, on a safe way of its own');
