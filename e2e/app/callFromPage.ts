/** Makes requests of the contract from the page, past its screens. */
import type { Page } from '@playwright/test';
import { openTabClient, type TabClient } from '../../electron/web/testing/tabClient.ts';
import { SESSION_STORAGE_KEY, sessionCredentialsShape } from '../../shared/model/seal.ts';
import type { Answer } from './app.ts';

export async function callFromPage(page: Page, name: string, input: unknown): Promise<Answer> {
  if (await page.evaluate(() => 'ferry' in window)) {
    return page.evaluate(
      ([request, sent]) => {
        const { ferry } = window as unknown as {
          ferry: { call(name: string, input: unknown): Promise<Answer> };
        };
        return ferry.call(request, sent);
      },
      [name, input] as const,
    );
  }
  const connection = await connectAsTab(page);
  // A browser aborts the requests of a page that it leaves.
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  page.once('domcontentloaded', leave).once('close', leave);
  try {
    const { signal } = leaving;
    return JSON.parse((await connection.call(name, JSON.stringify(input) ?? '', { signal })).body);
  } finally {
    page.off('framenavigated', leave).off('close', leave);
    connection.end();
  }
}

/** Opens another connection with the session of the page's tab. */
export async function connectAsTab(page: Page): Promise<TabClient> {
  const session = await page.evaluate((key) => sessionStorage.getItem(key), SESSION_STORAGE_KEY);
  return openTabClient(page.url(), sessionCredentialsShape.parse(JSON.parse(session ?? '')));
}
