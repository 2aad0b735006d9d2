/** The test function of the specs in `e2e/specs/pages`, with the app in the pseudo-language. */
import { test as base } from '../app.ts';
import { usePseudoLanguage } from './pseudoLanguage.ts';

export const test = base.extend<{ language: undefined }>({
  language: [
    async ({ home }, use) => {
      const restoreLanguage = usePseudoLanguage(home);
      await use(undefined);
      restoreLanguage();
    },
    { auto: true },
  ],
});
