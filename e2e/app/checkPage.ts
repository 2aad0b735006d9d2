/**
 * Checks a state of a page in the pseudo-language: it is accessible in both themes and in a very large window, every text
 * is translated, and the longer texts fit a small window, even at 200 %. LANGUAGE_PICTURES names a folder for screenshots.
 */

import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect } from '@playwright/test';
import axe from 'axe-core';
import type { App } from './app.ts';
import { untranslatedOn } from './pseudoLanguage.ts';

const PICTURES = process.env.LANGUAGE_PICTURES;
const USUAL = { width: 1100, height: 760 };
/** Wide enough for two panes and a docked help. */
const LARGE = { width: 2560, height: 1300 };
const SMALL = { width: 900, height: 600 };
/** Nothing lies below a bar that stays at the edge of the window: where that is so depends on the fonts. */
const HIGH = { width: 900, height: 4000 };
/** The small window at 200 %. */
const MAGNIFIED = { width: 450, height: 300 };

/** Checks the current state. A failed check does not stop the spec. `place` names the state in messages. */
export async function checkPage(app: App, place: string): Promise<void> {
  const { page } = app;
  await page.setViewportSize(LARGE);
  await setTheme(app, 'dark');
  await expectAccessible(app, `${place}, dark`, 'colours');
  await page.setViewportSize(HIGH);
  await setTheme(app, 'light');
  await expectAccessible(app, `${place}, light`, 'all');
  await page.setViewportSize(SMALL);
  expect.soft(await untranslatedOn(page, VALUES), `${place}: untranslated`).toEqual([]);
  await expectToFit(app, place);
  await takePicture(app, place);
  await page.setViewportSize(MAGNIFIED);
  await expectToFit(app, place);
  if (PICTURES) {
    await setTheme(app, 'dark');
    await page.locator('main h1:visible').evaluate((element) => element.scrollIntoView());
  }
  await takePicture(app, `${place}, small, dark`);
  await page.setViewportSize(USUAL);
}

/** Names of wallets, files and networks, and Bitcoin Core's own terms, which stay untranslated. */
const VALUES = [
  /\b(?:legacy|descriptor)-[\w-]+(?:\.dat)?\b/g,
  /\bsavings(?:-restored)?\b|\bholiday(?:_watchonly)?\b|\bwallet \d{3}\b/g,
  /\bregtest\b/g,
  /127\.0\.0\.1:\d+/g,
  /\b\w+\.(?:dat|bak|txt|log)\b/g,
  /\b\w+\.interrupted-[\d\s-]*/g,
  /\b(?:xpub|tpub|bcrt1|wpkh|pkh|tr|sh|wsh|combo)\b\S*/g,
  // The language's own name.
  /\bEnglish \(Pseudo-Accents\)/g,
  /\b[rst]?BTC\b/g,
  // Bitcoin Core's names for types of addresses and records.
  /\b(?:legacy|p2sh-segwit|bech32m?)\b/g,
  /^(?:(?:active\w+|wallet)\w+|bestblock\w*|flags|minversion|name|orderposnext|purpose|tx|version)$/g,
  /\bname, backupFile, loadOnStartup(?:, node)?/g,
];

async function setTheme({ page }: App, colorScheme: 'light' | 'dark'): Promise<void> {
  // Animations would move what is checked.
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await expect(page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`)).toBeAttached();
}

async function expectToFit({ page }: App, place: string): Promise<void> {
  const width = page.viewportSize()?.width;
  // On a busy machine the layout of the new size takes a moment.
  const message = `${place}, ${width} wide: cut off`;
  await expect
    .configure({ soft: true })
    .poll(() => cutOffOn(page), { message })
    .toEqual([]);
}

async function takePicture({ page }: App, name: string): Promise<void> {
  if (!PICTURES) return;
  const file = `${name.toLowerCase().replace(/\W+/g, '-')}.png`;
  await page.screenshot({ path: join(PICTURES, file), animations: 'disabled' });
}

/** The rules that depend on the theme, and what they check. */
const COLOUR_RULES = [
  { id: 'color-contrast', selector: '[data-new-styles]' },
  { id: 'link-in-text-block', selector: 'a[href][data-new-styles]' },
];

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/**
 * Checks the page with axe against WCAG 2.2 AA. `colours`: checks only the rules that depend on the theme. A violation
 * does not stop the spec.
 */
async function expectAccessible({ page }: App, place: string, rules: 'all' | 'colours'): Promise<void> {
  // Load axe, half a megabyte, once for each load of the page.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const violations = await page.evaluate(violationsOn, { rules, TAGS, COLOUR_RULES });
  const reports = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html, any }) =>
      [`${id}: ${help}`, ...any.map(({ message }) => message), target.join(' '), html].join('\n    '),
    ),
  );
  expect.soft(reports.join('\n'), place).toBe('');
  if (rules === 'all') await expectLargeTargets(page, place);
}

/**
 * Runs axe on the page. Its colour rules take most of its time, so they see a text only if no earlier one had the same
 * styles, ancestors' included.
 */
async function violationsOn(options: {
  rules: 'all' | 'colours';
  TAGS: string[];
  COLOUR_RULES: typeof COLOUR_RULES;
}): Promise<axe.Result[]> {
  const { axe: here, seenStyles = new Set() } = globalThis as unknown as {
    axe: typeof axe;
    seenStyles?: Set<string>;
  };
  Object.assign(globalThis, { seenStyles });
  const styles = new Map<Element, string>();
  function stylesOf(element: Element): string {
    const known = styles.get(element);
    if (known !== undefined) return known;
    const { color, background, opacity, filter, textShadow, fontSize, fontWeight } =
      getComputedStyle(element);
    const own = [color, background, opacity, filter, textShadow, fontSize, fontWeight].join();
    const above = element.parentElement ? stylesOf(element.parentElement) : '';
    const all = `${above} > ${element.tagName} ${element.getAttribute('class')} ${own}`;
    styles.set(element, all);
    return all;
  }
  function isNew(element: Element): boolean {
    const holdsText = [...element.childNodes].some(
      (child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim(),
    );
    if (!(holdsText || element.matches('input, textarea, select')) || !element.checkVisibility())
      return false;
    const all = stylesOf(element);
    const isSeen = seenStyles.has(all);
    seenStyles.add(all);
    return !isSeen;
  }
  for (const element of document.body.querySelectorAll('*'))
    element.toggleAttribute('data-new-styles', isNew(element));
  here.configure({ rules: options.COLOUR_RULES });
  const runOnly = options.rules === 'all' ? options.TAGS : options.COLOUR_RULES.map(({ id }) => id);
  return (await here.run({ resultTypes: ['violations'], runOnly })).violations;
}

/** Axe accepts a low target if its neighbours are far, which depends on the fonts. Fields have their labels. */
async function expectLargeTargets(page: Page, place: string): Promise<void> {
  const targets = await page.locator('button:visible, summary:visible').evaluateAll((elements) =>
    elements.map((element) => ({
      text: element.textContent,
      height: element.getBoundingClientRect().height,
    })),
  );
  // Visually hidden targets are one pixel high.
  const low = targets.filter(({ height }) => height > 2 && height < 24);
  expect.soft(low, place).toEqual([]);
}

/**
 * Lists what does not fit: a page that scrolls sideways, and texts, fields and buttons that are cut off, unless they are
 * shortened on purpose. Other texts than those of buttons may be cut by two pixels, because their fonts can be higher than
 * their lines.
 */
export async function cutOffOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];

    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    // Visually hidden texts are one pixel large.
    const isVisible = (element: HTMLElement) =>
      element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 2;
    const holdsText = (element: HTMLElement) =>
      [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim());

    const slackOf = (box: HTMLElement) => (box.closest('button') ? 0 : 2);

    /** Whether a box cuts off letters of a button. */
    function cutsLetters(element: HTMLElement): boolean {
      const button = element.closest('button');
      if (!button) return false;
      const letters = document.createRange();
      letters.selectNodeContents(element);
      const { top, bottom } = letters.getBoundingClientRect();
      for (let around: HTMLElement | null = element; around; around = around.parentElement) {
        const edge = around.getBoundingClientRect();
        const isOut = top < edge.top || bottom > edge.bottom;
        if (isOut && hides(getComputedStyle(around).overflowY)) return true;
        if (around === button) break;
      }
      return false;
    }

    function isCutOff(element: HTMLElement): boolean {
      const box = element.getBoundingClientRect();
      let { left, right, top, bottom } = {
        left: -1,
        right: clientWidth + 1,
        top: -Infinity,
        bottom: Infinity,
      };
      for (let around = element.parentElement; around; around = around.parentElement) {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(around);
        const edge = around.getBoundingClientRect();
        // Shortened on purpose.
        if (textOverflow === 'ellipsis') return isCutOff(around);
        // Scrolling can reach it.
        if (overflowX === 'auto' || overflowX === 'scroll') break;
        if (hides(overflowX)) {
          left = Math.max(left, edge.left - 1);
          right = Math.min(right, edge.right + 1);
        }
        if (overflowY === 'auto' || overflowY === 'scroll') break;
        if (hides(overflowY)) {
          top = Math.max(top, edge.top - slackOf(around));
          bottom = Math.min(bottom, edge.bottom + slackOf(around));
        }
      }
      return box.left < left || box.right > right || box.top < top || box.bottom > bottom;
    }

    function runsOver(element: HTMLElement): boolean {
      const { overflowX, overflowY } = getComputedStyle(element);
      const wide = overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1;
      return wide || (hides(overflowY) && element.scrollHeight > element.clientHeight + slackOf(element));
    }

    for (const element of document.body.querySelectorAll<HTMLElement>('*')) {
      if (!(element instanceof HTMLElement) || !isVisible(element)) continue;
      const isField = element.matches('input, textarea, select, button');
      if (!holdsText(element) && !isField) continue;
      // Names are shortened and logs scroll.
      const shortened = element.closest('bdi, input, textarea, select, pre') !== null;
      if (isCutOff(element) || cutsLetters(element) || (!shortened && runsOver(element))) {
        found.push(element.textContent || element.outerHTML.slice(0, 80));
      }
    }
    return [...new Set(found)];
  });
}
