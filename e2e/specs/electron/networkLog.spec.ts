/** Shows that Chromium's log records requests. Otherwise the empty log in `secrets.spec.ts` would prove nothing. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { readNetworkLogs } from '../../app/networkLogs.ts';
import { expect, test } from '../../app.ts';

// SECURITY.md: The app's own libraries calling out
test('records a name that Chromium looks up and does not find', async ({ openApp, home }) => {
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
  expect(readNetworkLogs(networkLogs).chromium).not.toEqual([]);
});
