/** That Chromium's log would tell if it asked anyone: else a run with an empty one would show nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { networkSeen } from '../../app/networkSeen.ts';
import { expect, test } from '../../app.ts';

// SECURITY.md: The app itself
test('tells of a name that Chromium is made to look up, and that it finds none', async ({
  openApp,
  home,
}) => {
  const networkLogs = join(home, 'network');
  mkdirSync(networkLogs);
  const app = await openApp({ networkLogs });
  const outcome = await app.electron?.evaluate(({ session }) =>
    session.defaultSession.resolveHost('example.org').then(
      () => 'found',
      () => 'not found',
    ),
  );
  await app.close();
  expect(outcome).toBe('not found');
  expect(networkSeen(networkLogs).chromium).not.toEqual([]);
});
