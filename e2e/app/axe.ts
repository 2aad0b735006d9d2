/** Whether what is on the screen meets WCAG 2.2 AA, as far as a machine can tell. */
import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import type { App } from './app.ts';

/** The rules that colours decide; what all others look at is the same in every theme. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * The spec goes on where it does not, so that one run tells of every place. `place` names it in what is told; `colours`
 * are looked at alone where all else was looked at in the other theme.
 */
export async function expectAccessible(
  { page }: App,
  place: string,
  rules: 'all' | 'colours',
): Promise<void> {
  // The other mode opens a page beside this one, which the desktop entry refuses. There are no frames to miss.
  const axe = new AxeBuilder({ page }).options({ resultTypes: ['violations'] }).setLegacyMode();
  if (rules === 'all') axe.withTags(TAGS);
  else axe.withRules(OF_COLOURS);
  const { violations } = await axe.analyze();
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) =>
      [`${id}: ${help}`, ...any.map(({ message }) => message), target.join(' '), html].join('\n    '),
    ),
  );
  expect.soft(told.join('\n'), place).toBe('');
}
