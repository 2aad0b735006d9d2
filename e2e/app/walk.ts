/** A walk past many places, each of which `lookAt` looks at: in the browser entry, in the pseudo-language. */
import { test as base } from '../app.ts';
import { speakPseudo } from './pseudoLanguage.ts';

/** For walks that are made in the desktop entry too, in English. The page is the same in both. */
export const IN_BOTH = { tag: '@both' };

export const test = base.extend<{ language: undefined }>({
  language: [
    async ({ home, entry }, use, info) => {
      info.setTimeout(120_000);
      info.skip(entry !== 'browser' && !info.tags.includes(IN_BOTH.tag), 'walked in the browser entry');
      const speakAsBefore = entry === 'browser' ? speakPseudo(home) : () => {};
      await use(undefined);
      speakAsBefore();
    },
    { auto: true },
  ],
});
