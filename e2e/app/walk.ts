/** A walk past many places, each of which `lookAt` looks at: in the browser entry, in the pseudo-language. */
import { test as base } from '../app.ts';
import { speakPseudo } from './pseudoLanguage.ts';

export const test = base.extend<{ language: undefined }>({
  language: [
    async ({ home }, use, info) => {
      info.setTimeout(240_000);
      const speakAsBefore = speakPseudo(home);
      await use(undefined);
      speakAsBefore();
    },
    { auto: true },
  ],
});
