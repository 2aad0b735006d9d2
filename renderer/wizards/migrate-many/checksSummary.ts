/** What was found of one of several wallets, in a word and a line. */

import { say } from '../../../shared/say.ts';
import { listedApart } from '../../words/listed.ts';
import type { Part } from './takingPart.ts';
import type { Look } from './useManyChecks.ts';

export interface ChecksSummary {
  tone: 'plain' | 'good' | 'read' | 'danger' | 'accent';
  word: string;
  /** Empty where the word says all. */
  text: string;
}

export function checksSummary(look: Look, part: Part): ChecksSummary {
  if (part.is === 'stopped') return { tone: 'danger', word: say('Left out'), text: part.why };
  switch (look.state) {
    case 'waiting':
      return { tone: 'plain', word: say('Waits'), text: '' };
    case 'looking':
      return { tone: 'accent', word: say('Looking'), text: '' };
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
