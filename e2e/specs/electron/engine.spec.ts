/** The offline engine of the desktop entry, which is a process of Electron. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { holderOf, offlineFolder, workOffline } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

function isLiving(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

// `electron/engine/process.test.ts` does the same with Node.
test('ends the engine with the app, even if the app is killed', async ({ openApp }) => {
  const app = await openApp();
  await workOffline(app);
  const engine = holderOf(offlineFolder(app));
  await app.close();
  await expect.poll(() => isLiving(engine)).toBe(false);
  // A killed engine would leave its lock.
  expect(existsSync(join(offlineFolder(app), '.wallet-ferry-engine.lock'))).toBe(false);

  const again = await openApp();
  await workOffline(again);
  const second = holderOf(offlineFolder(again));
  await again.kill();
  await expect.poll(() => isLiving(second)).toBe(false);
});
