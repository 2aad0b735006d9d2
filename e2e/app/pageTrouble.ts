/** Errors of a page: uncaught ones, those on its console, and violations of its security policy. */
import type { Page } from '@playwright/test';

export interface PageTrouble {
  /** The errors so far that were not expected. */
  unexpected(): string[];
  /** Expects errors that match, from now on. */
  expect(pattern: RegExp): void;
}

export function watchTrouble(page: Page): PageTrouble {
  const errors: string[] = [];
  const expected: RegExp[] = [];
  const add = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) errors.push(text);
  };
  page.on('pageerror', (error) => add(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A policy violation is an error on the console too, whatever its level.
    if (message.type() === 'error' || text.includes('Content Security Policy')) {
      add(`console: ${text} (${message.location().url})`);
    }
  });
  return { unexpected: () => errors, expect: (pattern) => void expected.push(pattern) };
}
