/** When a wallet was made, as far as its file tells. */
import type { Birth } from '../inspection.ts';
import { say } from '../text/say.ts';
import { formatTime } from './format/formatTime.ts';

interface BirthWords {
  when: string;
  /** What the date is of, and how far it can be trusted. */
  note: string;
}

export function birthWords(birth: Birth): BirthWords {
  switch (birth.known) {
    case 'exactly':
      return { when: formatTime(birth.time), note: say('This is when its first key or script was made.') };
    case 'at-latest':
      return {
        when: say('{time}, or earlier', { time: formatTime(birth.time) }),
        note: say(
          '{count, plural, one {# key or script in it has no date, so it can be older.} other {# keys and scripts in it have no date, so some can be older.}} A rescan of such a wallet starts at the first block of the chain.',
          { count: birth.undated },
        ),
      };
    case 'no':
      return {
        when: say('Not known'),
        note:
          birth.undated === 0
            ? say('Nothing that could be read in the file has a date.')
            : say(
                'None of its keys and scripts has a date. A rescan of such a wallet starts at the first block of the chain.',
              ),
      };
  }
}
