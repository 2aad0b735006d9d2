/** Data folders that the app refuses: another app uses it, or other users can write to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronLaunch } from '../../app/openElectron.ts';
import { startServing } from '../../app/startServing.ts';
import { expect, test } from '../../app.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('the browser entry ends if the desktop app runs', async ({ openApp, home }) => {
  const app = await openApp();
  const second = startServing({ home, dataFolder: app.dataFolder });
  const [code] = await once(second.child, 'close');
  expect(code).toBe(1);
  expect(second.output()).toContain('Wallet Ferry is already running.');
});

test('the desktop app says that the browser entry runs, and ends', async ({ home }) => {
  const dataFolder = join(home, 'ferry-data');
  const first = startServing({ home, dataFolder });
  await expect.poll(() => first.output()).toContain('"link"');
  const message = await startAndRead({ home, dataFolder }, 'Wallet Ferry is already running.');
  expect(message).toContain(`process ${first.child.pid}`);
  first.child.kill('SIGTERM');
  await once(first.child, 'close');
});

test('the desktop app refuses a data folder that others can write to, and leaves it unchanged', async ({
  home,
}) => {
  const dataFolder = join(home, 'ferry-data');
  mkdirSync(dataFolder);
  chmodSync(dataFolder, 0o777);
  const message = await startAndRead({ home, dataFolder }, 'Other users can write to');
  expect(message).toContain(dataFolder);
  expect(readdirSync(dataFolder)).toEqual([]);
});

/** Starts the desktop entry, waits until it prints `expected`, and kills it. Returns what it printed. */
async function startAndRead(
  { home, dataFolder }: { home: string; dataFolder: string },
  expected: string,
): Promise<string> {
  const program = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  test.skip(program === undefined, 'needs to know where Electron is');
  const { args, env, cwd } = electronLaunch({ args: [root], home, dataFolder });
  const app = spawn(join(program ?? '', 'electron'), args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  app.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  await expect.poll(() => output).toContain(expected);
  const ended = once(app, 'exit');
  app.kill('SIGKILL');
  await ended;
  return output;
}
