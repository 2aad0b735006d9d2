/** The offline engine of the desktop entry, which is a process of Electron. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isLiving } from '../../../electron/files/lock/processLock.ts';
import { holderOf, offlineFolder, workOffline } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

// `electron/engine/process.test.ts` does the same with Node.
test('ends the engine with the app, even if the app is killed', async ({ openApp }) => {
  const app = await openApp();
  await workOffline(app);
  const engine = holderOf(offlineFolder(app));
  await app.close();
  await expect.poll(() => isLiving(engine, null)).toBe(false);
  // A killed engine would leave its lock.
  expect(existsSync(join(offlineFolder(app), '.wallet-ferry-engine.lock'))).toBe(false);

  const again = await openApp();
  await workOffline(again);
  const second = holderOf(offlineFolder(again));
  await again.kill();
  await expect.poll(() => isLiving(second, null)).toBe(false);
});
