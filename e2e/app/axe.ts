/** Whether what is on the screen meets WCAG 2.2 AA, as far as a machine can tell. */
import { expect } from '@playwright/test';
import axe from 'axe-core';
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
  // Half a megabyte, which stays until the page is loaded anew.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    runOnly: rules === 'all' ? { type: 'tag', values: TAGS } : { type: 'rule', values: OF_COLOURS },
  };
  const violations = await page.evaluate(
    async (given) =>
      (await (globalThis as unknown as { axe: typeof axe }).axe.run(document, given)).violations,
    options,
  );
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) =>
      [`${id}: ${help}`, ...any.map(({ message }) => message), target.join(' '), html].join('\n    '),
    ),
  );
  expect.soft(told.join('\n'), place).toBe('');
}
