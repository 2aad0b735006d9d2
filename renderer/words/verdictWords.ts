/** What came of trying a passphrase on a wallet's file, in words. */
import type { PassphraseVerdict } from '../../shared/inspection.ts';

export interface VerdictWords {
  tone: 'good' | 'read' | 'info';
  title: string;
  text: string;
}

export function verdictWords(verdict: PassphraseVerdict): VerdictWords {
  return WORDS[verdict];
}

const WORDS: Readonly<Record<PassphraseVerdict, VerdictWords>> = {
  right: {
    tone: 'good',
    title: 'The passphrase is right',
    text: 'It opens the keys in this file. It was tried here, on the file, and is not kept.',
  },
  wrong: {
    tone: 'read',
    title: 'The passphrase is not right',
    text: 'It does not open the keys in this file. Capitals, spaces and the keyboard’s layout count. You can try as often as you like: nothing is locked, and the file is not changed.',
  },
  'right-cut-at-zero': {
    tone: 'read',
    title: 'Only its beginning is right',
    text: 'This passphrase has an invisible zero character in it. Releases before 25 took what comes before that character and ignored the rest, and with that beginning this wallet was encrypted. Where a node says that the passphrase is wrong, give it the part before the zero character.',
  },
  'not-encrypted': {
    tone: 'info',
    title: 'This wallet is not encrypted',
    text: 'There is no passphrase to try.',
  },
  'not-tried': {
    tone: 'info',
    title: 'The passphrase was not tried',
    text: 'Type it and try again.',
  },
  'cannot-be-tried': {
    tone: 'read',
    title: 'No passphrase can be tried on this file',
    text: 'The records that the passphrase opens are damaged or missing in it. Your passphrase may well be right: try it on another copy of this wallet.',
  },
};
