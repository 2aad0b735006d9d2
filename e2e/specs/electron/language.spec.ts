/** The menu of the desktop entry is translated. Electron's own labels would be English. */
import { untranslatedIn, usePseudoLanguage } from '../../app/pseudoLanguage.ts';
import { expect, test } from '../../app.ts';

test('translates the whole menu', async ({ openApp, home }) => {
  const restoreLanguage = usePseudoLanguage(home);
  try {
    const app = await openApp();
    const labels = await app.electron?.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? [])
        .flatMap((item) => [item, ...(item.submenu?.items ?? [])])
        .filter(({ type, visible }) => visible && type !== 'separator')
        .map(({ label }) => label),
    );
    expect(labels?.length).toBeGreaterThan(15);
    expect(labels?.filter((label) => untranslatedIn(label) !== '')).toEqual([]);
    await expect(app.page.locator('html')).toHaveAttribute('lang', 'en-XA');
  } finally {
    restoreLanguage();
  }
});
