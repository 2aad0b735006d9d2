/** Calls the contract from within the page, the way the page's own bridge does. */
import type { Page } from '@playwright/test';
import { SESSION_KEY } from '../../shared/letIn.ts';
import type { Answer } from './app.ts';

export function callFromPage(page: Page, name: string, input: unknown): Promise<Answer> {
  return page.evaluate(
    async ([operation, sent, key]) => {
      const { ferry } = window as unknown as {
        ferry?: { call(name: string, input: unknown): Promise<unknown> };
      };
      if (ferry) return (await ferry.call(operation, sent)) as Answer;
      const session = JSON.parse(sessionStorage.getItem(key) ?? '{}') as { page?: string };
      const response = await fetch(`call/${encodeURIComponent(operation)}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session.page}`, 'content-type': 'application/json' },
        body: JSON.stringify(sent),
      });
      return (await response.json()) as Answer;
    },
    [name, input, SESSION_KEY] as const,
  );
}
