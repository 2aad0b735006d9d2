/** When a wallet was made, as far as its file tells. */
import type { Birth } from '../../shared/inspection.ts';
import { counted } from './formatCount.ts';
import { formatTime } from './formatTime.ts';

export interface BirthWords {
  when: string;
  /** What the date is of, and how far it can be trusted. */
  note: string;
}

export function birthWords(birth: Birth): BirthWords {
  switch (birth.known) {
    case 'exactly':
      return { when: formatTime(birth.time), note: 'This is when its first key or script was made.' };
    case 'at-latest':
      return {
        when: `${formatTime(birth.time)}, or earlier`,
        note: `${counted(birth.undated, 'key or script', 'keys and scripts')} in it ${
          birth.undated === 1 ? 'has' : 'have'
        } no date, so its first can be older. A rescan of such a wallet starts at the first block of the chain.`,
      };
    case 'no':
      return {
        when: 'Not known',
        note:
          birth.undated === 0
            ? 'Nothing that could be read in the file has a date.'
            : 'None of its keys and scripts has a date. A rescan of such a wallet starts at the first block of the chain.',
      };
  }
}
