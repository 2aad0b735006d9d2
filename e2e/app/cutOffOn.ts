/** Whether all that a page shows can be seen, however small its window. */
import type { Page } from '@playwright/test';

/**
 * What does not fit: that the page must be scrolled sideways, and texts, fields and buttons that are cut off without being
 * shortened on purpose. What hangs below the letters of a button counts; of other texts, whose fonts are higher than their
 * lines may be, two pixels do not.
 */
export async function cutOffOn(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    const found = scrollWidth > clientWidth ? [`the page is ${scrollWidth - clientWidth} px too wide`] : [];

    const hides = (overflow: string) => overflow === 'hidden' || overflow === 'clip';
    // Visually hidden words are a pixel large.
    const isSeen = (element: HTMLElement) =>
      element.checkVisibility({ visibilityProperty: true }) && element.getBoundingClientRect().width > 2;
    const holdsText = (element: HTMLElement) =>
      [...element.childNodes].some((child) => child.nodeType === Node.TEXT_NODE && child.textContent?.trim());

    const slackOf = (box: HTMLElement) => (box.closest('button') ? 0 : 2);

    /** Whether the letters of a button stand out of a box around them that hides what does. */
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
        const { overflowX, overflowY } = getComputedStyle(around);
        const edge = around.getBoundingClientRect();
        // What can be scrolled to is not cut off.
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
      if (!(element instanceof HTMLElement) || !isSeen(element)) continue;
      const isField = element.matches('input, textarea, select, button');
      if (!holdsText(element) && !isField) continue;
      // Names are shortened and logs are scrolled, each within its own box.
      const shortened = element.closest('bdi, input, textarea, select, pre') !== null;
      if (isCutOff(element) || cutsLetters(element) || (!shortened && runsOver(element))) {
        found.push(element.textContent || element.outerHTML.slice(0, 80));
      }
    }
    return [...new Set(found)];
  });
}
