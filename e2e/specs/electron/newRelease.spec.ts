/** An app packed with a feed of releases asks it only when the user does. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication } from '@playwright/test';
import { listen } from '../../../electron/http/loopback.ts';
import { chooseInMenu, electronLaunch } from '../../app/openElectron.ts';
import { expect, test } from '../../app.ts';

const LABEL = 'Check for updates…';
const program = fileURLToPath(new URL('../../../out/main/main.cjs', import.meta.url));

const helpOf = (electron: ElectronApplication | null) =>
  electron?.evaluate(({ Menu }) => {
    const help = Menu.getApplicationMenu()?.items.find(({ role }) => role === 'help');
    return help?.submenu?.items.flatMap(({ type, label }) => (type === 'separator' ? [] : [label]));
  });

/** Records each message of the system's dialogs, and dismisses it at once. */
const readDialogs = (electron: ElectronApplication) =>
  electron.evaluate(({ dialog }) => {
    const messages: unknown[] = [];
    Object.assign(globalThis, { messages });
    const showMessageBox = (...args: unknown[]) => {
      messages.push(args.at(-1));
      return Promise.resolve({ response: 0, checkboxChecked: false });
    };
    Object.assign(dialog, { showMessageBox });
  });

const shownIn = (electron: ElectronApplication): Promise<{ message: string; detail: string }[]> =>
  electron.evaluate(() => Reflect.get(globalThis, 'messages'));

// SECURITY.md: A hostile update feed
test('asks its feed when the user does, and never before', async ({ home }) => {
  const requests: string[] = [];
  const waiting: ServerResponse[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    waiting.push(response);
  });
  const feed = `http://127.0.0.1:${(await listen(server)).port}/`;
  const answer = (version: string) => waiting.shift()?.end(JSON.stringify({ version }));

  const folder = join(home, 'app');
  mkdirSync(folder);
  const manifest = {
    name: 'wallet-ferry',
    version: '1.2.3',
    main: relative(folder, program),
    updateFeed: feed,
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const electron = await _electron.launch(
    electronLaunch({ args: [folder], home, dataFolder: join(home, 'ferry-data') }),
  );
  try {
    const page = await electron.firstWindow();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    // Wait for the page: while an app starts, its debugger may lose the answer.
    await readDialogs(electron);
    await expect.poll(() => helpOf(electron)).toContain(LABEL);
    expect(requests).toEqual([]);

    await chooseInMenu(electron, LABEL);
    await expect.poll(() => requests).toEqual(['GET /latest.json']);
    await chooseInMenu(electron, LABEL);
    answer('1.10.0');
    await expect.poll(() => shownIn(electron)).toHaveLength(1);
    expect((await shownIn(electron))[0]).toMatchObject({
      message: 'New release: 1.10.0',
      detail: expect.stringContaining('Get it where you got 1.2.3;'),
    });

    // The app ignored the second click, so this is the second request.
    await chooseInMenu(electron, LABEL);
    await expect.poll(() => requests).toHaveLength(2);
    answer('1.2.3');
    await expect.poll(() => shownIn(electron)).toHaveLength(2);
    expect((await shownIn(electron))[1]).toMatchObject({ message: 'Newest release' });

    server.close();
    await chooseInMenu(electron, LABEL);
    await expect.poll(() => shownIn(electron)).toHaveLength(3);
    const { message, detail } = (await shownIn(electron))[2] ?? {};
    expect(message).toBe(`Could not reach ${new URL(feed).host} (ECONNREFUSED).`);
    expect(detail).toContain('Nothing was downloaded.');
    expect(requests).toHaveLength(2);
  } finally {
    await electron.close();
    server.close();
  }
});
