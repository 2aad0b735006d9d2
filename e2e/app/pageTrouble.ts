/** Errors that a page meets: uncaught ones, those on its console, and everything its security policy stopped. */
import type { Page } from '@playwright/test';

export interface PageTrouble {
  /** What happened and was not expected. */
  unexpected(): string[];
  /** From now on. */
  expect(pattern: RegExp): void;
}

export function watchTrouble(page: Page): PageTrouble {
  const seen: string[] = [];
  const expected: RegExp[] = [];
  const see = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) seen.push(text);
  };
  page.on('pageerror', (error) => see(`uncaught: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    const text = message.text();
    // A policy violation is an error on the console too, whatever its level.
    if (message.type() === 'error' || text.includes('Content Security Policy')) {
      see(`console: ${text} (${message.location().url})`);
    }
  });
  return {
    unexpected: () => seen,
    expect: (pattern) => void expected.push(pattern),
  };
}
