/** What the door of the browser entry and its page agree on: the session of a tab, and what is said without one. */
import { z } from 'zod';
import { say } from './text/say.ts';

/** Under which the session lies in the tab's `sessionStorage`: that belongs to one origin, its port included. */
export const SESSION_KEY = 'wallet-ferry-session';

/** Two secrets that the link was exchanged for: `page` proves the page to the app, `app` the app to the page. */
export const sessionShape = z.object({ page: z.string().min(1), app: z.string().min(1) });
export type Session = z.infer<typeof sessionShape>;

/**
 * The stream of events: a line of JSON each. The first one is the app's proof, the others are events. An empty line
 * comes every `BEAT_MS` milliseconds, so that a line that died in silence (a tunnel's) is noticed.
 */
export const proofShape = z.object({ app: z.string() });
export const eventShape = z.object({ name: z.string(), value: z.unknown() });
export const BEAT_MS = 15_000;

export function notLetIn(): string {
  return say(
    'This page belongs to Wallet Ferry, and this tab was not let in. Each link opens once, in one tab: press Enter where the app was started for a new one.',
  );
}
