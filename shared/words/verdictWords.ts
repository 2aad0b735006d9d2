/** What came of trying a passphrase on a wallet's file, in words. */
import type { PassphraseVerdict } from '../inspection.ts';
import { say } from '../text/say.ts';

interface VerdictWords {
  tone: 'info' | 'read' | 'good';
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
    text: say('It is not kept.'),
  },
  wrong: {
    tone: 'read',
    title: say('The passphrase is not right'),
    text: say('Check capitals, spaces and keyboard layout. Try as often as you like.'),
  },
  'right-cut-at-zero': {
    tone: 'read',
    title: say('Only its beginning is right'),
    text: say(
      'Releases before 25 ignored what follows a zero byte, which cannot be seen. If a node refuses it, give the part before.',
    ),
  },
  'not-encrypted': {
    tone: 'info',
    title: say('This wallet is not encrypted'),
    text: say('Nothing to try.'),
  },
  'not-tried': {
    tone: 'info',
    title: say('The passphrase was not tried'),
    text: say('Type it and try again.'),
  },
  'cannot-be-tried': {
    tone: 'read',
    title: say('No passphrase can be tried'),
    text: say('What the passphrase opens is damaged or missing. Try another copy of this wallet.'),
  },
  'too-many-rounds': {
    tone: 'read',
    title: say('A try would take too long'),
    text: say('The file asks for more rounds than any release does. Try another copy of this wallet.'),
  },
};
