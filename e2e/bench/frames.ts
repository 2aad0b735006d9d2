/** How long frames take in a page while something is done to it. */
import type { Page } from '@playwright/test';

export interface Frames {
  /** Milliseconds of the longest pause between two frames. */
  longest: number;
  /** Milliseconds of the longest task on the page's thread; 0 where none took 50. */
  longestTask: number;
  frames: number;
}

export async function framesDuring(page: Page, act: () => Promise<void>): Promise<Frames> {
  await page.evaluate(() => {
    const seen = { longest: 0, longestTask: 0, frames: 0 };
    const observer = new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) {
        seen.longestTask = Math.max(seen.longestTask, duration);
      }
    });
    observer.observe({ type: 'longtask' });
    let last: number | null = null;
    let going = true;
    const tick = (now: number) => {
      if (last !== null) seen.longest = Math.max(seen.longest, now - last);
      last = now;
      seen.frames += 1;
      if (going) requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    const end = () => {
      going = false;
      observer.disconnect();
      return seen;
    };
    Object.assign(window, { endFrames: end });
  });
  await act();
  return page.evaluate(() => {
    const { endFrames } = window as unknown as { endFrames: () => Frames };
    return endFrames();
  });
}

/** Turns the wheel so often, once in each frame. Throws when the page did not scroll. */
export async function scroll(page: Page, times: number, by: number): Promise<void> {
  const size = page.viewportSize() ?? { width: 1000, height: 700 };
  await page.mouse.move(size.width / 2, size.height / 2);
  for (let turn = 0; turn < times; turn += 1) {
    await page.mouse.wheel(0, by);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
  if ((await page.evaluate(() => window.scrollY)) === 0) throw new Error('The page did not scroll.');
}
