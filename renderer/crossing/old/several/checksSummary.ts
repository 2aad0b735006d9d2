/** What was found of one of several wallets, in a word and a line. */
import type { Check } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import { listedApart } from '../../../words/format/listed.ts';
import type { Tone } from '../../../words/tone.ts';
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
      const titlesOf = (which: Check['verdict']) =>
        look.found.checks.filter(({ verdict }) => verdict === which).map(({ title }) => title);
      const [toRead, unseen] = [titlesOf('read'), titlesOf('unseen')];
      if (part.is === 'unticked') return { tone: 'plain', word: say('Not chosen'), text: '' };
      if (toRead.length > 0) return { tone: 'read', word: say('Read this'), text: listedApart(toRead) };
      if (unseen.length > 0) return { tone: 'info', word: say('Not all known'), text: listedApart(unseen) };
      return { tone: 'good', word: say('Fine'), text: '' };
    }
  }
}
