/** What the door of the browser entry and its page agree on: the session of a tab, and what is said without one. */
import { z } from 'zod';
import { say } from '../text/say.ts';
import { sealedWithShape } from './seal.ts';

/** Under which the session lies in the tab's `sessionStorage`: that belongs to one origin, its port included. */
export const SESSION_KEY = 'wallet-ferry-session';

/**
 * What the link was exchanged for: the name of the tab, which goes with each try to open its line, and a key that never
 * goes anywhere again.
 */
export const sessionShape = sealedWithShape;

/**
 * How they speak, all of it sealed. The tab opens its line by POST to `events`, with a word of its own choice under the
 * key of the session. The app answers with lines of base64, numbered from 0 and about that word: the first holds a name
 * and a key for the calls of this line, the others are events. An empty line comes every `BEAT_MS` milliseconds, so that
 * a line that died in silence (a tunnel's) is noticed.
 *
 * A call goes by POST to `call/<name>` with a number that no other call of the line had. The key of the line is in no
 * storage of the browser: who would record a call, and have the page of the tab later, could not open it.
 */
export const about = {
  line: () => 'events',
  event: (word: string, number: number) => `event ${word} ${number}`,
  call: (name: string, number: string) => `call ${name} ${number}`,
  answer: (number: string) => `answer ${number}`,
};
export const NUMBER_HEADER = 'wallet-ferry-number';
export const SEALED_TYPE = 'application/octet-stream';
export const eventShape = z.object({ name: z.string(), value: z.unknown() });
export const BEAT_MS = 15_000;

export function notLetIn(): string {
  return say('Not let in. Each link opens once: press Enter where Wallet Ferry was started for another.');
}
