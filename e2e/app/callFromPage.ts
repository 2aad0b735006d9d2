/** Calls the contract from within the page, the way the page's own bridge does. */
import type { Page } from '@playwright/test';
import type { Answer } from './app.ts';

export function callFromPage(page: Page, name: string, input: unknown): Promise<Answer> {
  return page.evaluate(
    async ([operation, sent]) => {
      const { ferry } = window as unknown as {
        ferry?: { call(name: string, input: unknown): Promise<unknown> };
      };
      if (ferry) return (await ferry.call(operation, sent)) as Answer;
      const response = await fetch(`call/${encodeURIComponent(operation)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
      return (await response.json()) as Answer;
    },
    [name, input] as const,
  );
}
