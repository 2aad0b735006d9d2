/** Two apps on one data folder: the second explains why it ends, and changes nothing. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startServing } from '../../app/startServing.ts';
import { expect, test } from '../../app.ts';

test('ends a second app on the same data folder, and lets one on another folder run', async ({
  openApp,
  home,
}) => {
  const app = await openApp({ ownProcess: true });
  const second = startServing({ home, dataFolder: app.dataFolder });
  const [code] = await once(second.child, 'close');
  expect(code).toBe(1);
  expect(second.output()).toContain('Wallet Ferry is already running.');
  expect(second.output()).toContain(app.dataFolder);
  expect(second.output()).toContain('WALLET_FERRY_DATA');
  expect(second.output()).not.toContain('"link"');

  // A terminal sends SIGHUP when it closes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const other = startServing({ home, dataFolder: join(home, 'another folder') });
    await once(other.child.stdout, 'data');
    expect(other.output()).toContain('"link"');
    other.child.kill(signal);
    const [code] = await once(other.child, 'close');
    expect(code, signal).toBe(0);
    expect(readdirSync(join(home, 'another folder')), signal).not.toContain('.wallet-ferry.lock');
  }
  expect((await app.call('app.info', {})).ok).toBe(true);
});
