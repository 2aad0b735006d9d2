/** What was found of one of several wallets, in a word and a line. */
import { say } from '../../../shared/say.ts';
import { listedApart } from '../../words/listed.ts';
import type { Tone } from '../../words/tone.ts';
import type { Part } from './takingPart.ts';
import type { WalletLook } from './useManyChecks.ts';

interface ChecksSummary {
  tone: Tone | 'plain';
  word: string;
  /** Empty where the word says all. */
  text: string;
}

export function checksSummary(look: WalletLook, part: Part): ChecksSummary {
  if (part.is === 'stopped') return { tone: 'danger', word: say('Left out'), text: part.why };
  switch (look.state) {
    case 'waiting':
      return { tone: 'plain', word: say('Waits'), text: '' };
    case 'looking':
      return { tone: 'info', word: say('Looking'), text: '' };
    case 'failed':
      return { tone: 'danger', word: say('Left out'), text: look.error.message };
    case 'known': {
      const toRead = look.found.checks.filter(({ verdict }) => verdict === 'read');
      if (part.is === 'unticked') return { tone: 'plain', word: say('Not chosen'), text: '' };
      if (toRead.length === 0) return { tone: 'good', word: say('Fine'), text: '' };
      return {
        tone: 'read',
        word: say('Read this'),
        text: listedApart(toRead.map(({ title }) => title)),
      };
    }
  }
}
