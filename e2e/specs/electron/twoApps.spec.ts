/** A folder of data that is not for the app to use: another one has it, or other users can write to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronLaunch } from '../../app/openElectron.ts';
import { startServing } from '../../app/startServing.ts';
import { expect, test } from '../../app.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('ends the browser entry if the desktop app runs', async ({ openApp, home }) => {
  const app = await openApp();
  const second = startServing({ home, dataFolder: app.dataFolder });
  const [code] = await once(second.child, 'close');
  expect(code).toBe(1);
  expect(second.output()).toContain('Wallet Ferry runs already.');
});

test('says why the desktop app ends if the browser entry runs', async ({ home }) => {
  const dataFolder = join(home, 'ferry-data');
  const first = startServing({ home, dataFolder });
  await expect.poll(() => first.output()).toContain('"link"');
  const words = await lastWords({ home, dataFolder }, 'Wallet Ferry runs already.');
  expect(words).toContain(`process ${first.child.pid}`);
  first.child.kill('SIGTERM');
  await once(first.child, 'close');
});

test('says why it uses no folder that others can write to, and leaves it as it is', async ({ home }) => {
  const dataFolder = join(home, 'ferry-data');
  mkdirSync(dataFolder);
  chmodSync(dataFolder, 0o777);
  const words = await lastWords({ home, dataFolder }, 'Other users can write to');
  expect(words).toContain(dataFolder);
  expect(readdirSync(dataFolder)).toEqual([]);
});

/** Starts the desktop entry, and gives what it has said once `expected` is among it. Its dialog waits for a reader. */
async function lastWords(
  { home, dataFolder }: { home: string; dataFolder: string },
  expected: string,
): Promise<string> {
  const program = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  test.skip(program === undefined, 'needs to know where Electron is');
  const { args, env, cwd } = electronLaunch({ args: [root], home, dataFolder });
  const app = spawn(join(program ?? '', 'electron'), args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let words = '';
  app.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString('utf8');
  });
  await expect.poll(() => words, { timeout: 30_000 }).toContain(expected);
  const ended = once(app, 'exit');
  app.kill('SIGKILL');
  await ended;
  return words;
}
