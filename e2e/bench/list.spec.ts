/** Measures how long 1,000 wallets take to be listed with their balances, on a node that takes 5 ms for each answer. */
import type { Wallet } from '../../shared/model/wallet.ts';
import { connect } from '../app/steps.ts';
import { expect, test } from '../app.ts';
import { type Figure, inShort, report } from './figures.ts';

const WALLETS = 1000;
const GOAL_MS = 2000;
const command = 'npm run bench -- list';
const figures: Omit<Figure, 'date'>[] = [];

test.describe.configure({ timeout: 120_000 });
test.use({ entry: 'electron' });
test.afterAll(() => report(figures));

for (const manyLoaded of [true, false]) {
  test(manyLoaded ? 'loaded' : 'not loaded', async ({ startNode, openApp }) => {
    const node = await startNode('31.0', { manyWallets: WALLETS, manyLoaded, answerMs: 5 });
    const app = await openApp();
    const arrivals = await app.page.evaluateHandle((wallets) => {
      const times: { first: number | null; all: number | null; clicked: number } = {
        first: null,
        all: null,
        clicked: 0,
      };
      const known = new Set<string>();
      // The last click is the one on “Connect”.
      document.addEventListener('click', () => (times.clicked = performance.now()), { capture: true });
      const { ferry } = window as unknown as {
        ferry: { on(event: 'wallet', then: (wallet: Wallet) => void): void };
      };
      ferry.on('wallet', ({ name, balance }) => {
        if (balance === null) return;
        known.add(name);
        if (known.size === 20) times.first = performance.now();
        if (known.size === wallets) times.all = performance.now();
      });
      return times;
    }, WALLETS);
    await connect(app, node);
    await expect.poll(() => arrivals.evaluate(({ all }) => all), { timeout: 60_000 }).not.toBeNull();
    const { first, all, clicked } = await arrivals.jsonValue();
    const took = (all ?? 0) - clicked;
    figures.push({
      what: `1,000 wallets with balances, ${manyLoaded ? 'loaded' : 'not loaded'}`,
      goal: '≤ 2 s after connecting',
      measured: `${inShort(took / 1000)} s (the first 20 after ${inShort(((first ?? 0) - clicked) / 1000)} s)`,
      against: 'a node that takes 5 ms for each answer',
      met: took <= GOAL_MS,
      command,
    });
  });
}
