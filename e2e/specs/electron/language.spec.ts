/** The desktop entry in another language: its menu, which Electron would fill with English words of its own. */
import { speakPseudo, unsaidIn } from '../../app/pseudoLanguage.ts';
import { expect, test } from '../../app.ts';

test('says every word of the menu', async ({ openApp, home }) => {
  const speakAsBefore = speakPseudo(home);
  try {
    const app = await openApp();
    const labels = await app.electron?.evaluate(({ Menu }) =>
      (Menu.getApplicationMenu()?.items ?? [])
        .flatMap((item) => [item, ...(item.submenu?.items ?? [])])
        .filter(({ type, visible }) => visible && type !== 'separator')
        .map(({ label }) => label),
    );
    expect(labels?.length).toBeGreaterThan(15);
    expect(labels?.filter((label) => unsaidIn(label) !== '')).toEqual([]);
    await expect(app.page.locator('html')).toHaveAttribute('lang', 'en-XA');
  } finally {
    speakAsBefore();
  }
});
