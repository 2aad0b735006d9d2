/** What came of trying a passphrase on a wallet's file, in words. */
import type { PassphraseVerdict } from '../inspection.ts';
import { say } from '../text/say.ts';
import type { Tone } from './tone.ts';

interface VerdictWords {
  tone: Tone;
  title: string;
  text: string;
}

export function verdictWords(verdict: PassphraseVerdict): VerdictWords {
  return WORDS[verdict];
}

const WORDS: Readonly<Record<PassphraseVerdict, VerdictWords>> = {
  right: {
    tone: 'good',
    title: say('The passphrase is right'),
    text: say('It opens the keys in this file. It was tried here, on the file, and is not kept.'),
  },
  wrong: {
    tone: 'read',
    title: say('The passphrase is not right'),
    text: say(
      'It does not open the keys in this file. Capitals, spaces and the keyboard layout count. You can try as often as you like: nothing is locked, and the file is not changed.',
    ),
  },
  'right-cut-at-zero': {
    tone: 'read',
    title: say('Only its beginning is right'),
    text: say(
      'This passphrase holds a zero byte, which cannot be seen. Releases before 25 took what comes before it and ignored the rest, and with that beginning this wallet was encrypted. Where a node says that the passphrase is wrong, give it the part before the zero byte.',
    ),
  },
  'not-encrypted': {
    tone: 'info',
    title: say('This wallet is not encrypted'),
    text: say('There is no passphrase to try.'),
  },
  'not-tried': {
    tone: 'info',
    title: say('The passphrase was not tried'),
    text: say('Type it and try again.'),
  },
  'cannot-be-tried': {
    tone: 'read',
    title: say('No passphrase can be tried on this file'),
    text: say(
      'The records that the passphrase opens are damaged or missing in it. Your passphrase may well be right: try it on another copy of this wallet.',
    ),
  },
  'too-many-rounds': {
    tone: 'read',
    title: say('The passphrase was not tried: this file makes it too long'),
    text: say(
      'Its records ask for more rounds of work for each try than any release of Bitcoin Core does. They are damaged, or made to keep the app busy. Your passphrase may well be right: try it on another copy of this wallet.',
    ),
  },
};
