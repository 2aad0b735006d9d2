/** The desktop entry and the browser entry on one folder of data: the second one ends, whichever it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { electronLaunch } from '../../app/openElectron.ts';
import { startServing } from '../../app/startServing.ts';
import { expect, test } from '../../app.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('the browser entry gives way to the desktop one', async ({ openApp, home }) => {
  const app = await openApp();
  const second = startServing({ home, dataFolder: app.dataFolder });
  const [code] = await once(second.child, 'close');
  expect(code).toBe(1);
  expect(second.output()).toContain('Wallet Ferry runs already.');
});

test('the desktop entry says why it ends beside the browser one', async ({ home }) => {
  const dataFolder = join(home, 'ferry-data');
  const first = startServing({ home, dataFolder });
  await expect.poll(() => first.output()).toContain('"link"');
  const program = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  test.skip(program === undefined, 'needs to know where Electron is');
  const { args, env, cwd } = electronLaunch({ args: [root], home, dataFolder });
  const second = spawn(join(program ?? '', 'electron'), args, {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let words = '';
  second.stderr.on('data', (chunk: Buffer) => {
    words += chunk.toString('utf8');
  });
  // Its dialog waits for someone to read it.
  await expect.poll(() => words, { timeout: 30_000 }).toContain('Wallet Ferry runs already.');
  expect(words).toContain(`process ${first.child.pid}`);
  const ended = once(second, 'exit');
  second.kill('SIGKILL');
  await ended;
  first.child.kill('SIGTERM');
  await once(first.child, 'close');
});
