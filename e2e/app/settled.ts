/** Waits until a place has shown all that it is going to: for pictures. */
import { expect, type Page } from '@playwright/test';
import { say } from '../../shared/wording/say.ts';

export async function settled(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(main.locator('.mantine-Loader-root')).toHaveCount(0, { timeout: 60_000 });
  for (const text of ['Reading the file…', 'Asking the node…']) {
    await expect(main.getByText(say(text))).toHaveCount(0);
  }
}
