/** The app without a mouse. */
import { expect, type Page } from '@playwright/test';

/** Presses Tab, or another key, until what has the focus is called `name`, and is visibly focused. */
export async function tabTo(
  page: Page,
  role: 'button' | 'textbox' | 'combobox',
  name: string,
  key: 'Tab' | 'Shift+Tab' = 'Tab',
): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 80; presses += 1) {
    await page.keyboard.press(key);
    if (await wanted.evaluateAll((found) => found.some((element) => element === document.activeElement))) {
      // Fields show the focus by their border, buttons by a ring around them.
      if (role === 'button') await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
      return;
    }
  }
  throw new Error(`Tab does not reach ${role} “${name}”.`);
}

/** Tabs to a button, and presses Enter or Space. */
export async function press(page: Page, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, 'button', name);
  await page.keyboard.press(key);
}
