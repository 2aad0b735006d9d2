/** What the desktop entry refuses: other pages, other windows, other frames, every permission. */
import { fileURLToPath } from 'node:url';
import { FULL_SANDBOX, sandboxOf } from '../../app/openElectron.ts';
import { expect, test } from '../../app.ts';

// SECURITY.md: A hostile page in the app's window
test('goes to no other page', async ({ openApp }) => {
  const app = await openApp();
  app.expectTrouble(/Not allowed to load local resource/);
  const before = app.page.url();
  // Two turns of the page's own clock later a navigation would have begun and taken the page away.
  const heading = await app.page.evaluate(async () => {
    location.href = 'https://example.org/';
    await new Promise((resolve) => setTimeout(resolve, 200));
    const link = document.createElement('a');
    link.href = 'file:///etc/passwd';
    document.body.append(link);
    link.click();
    await new Promise((resolve) => setTimeout(resolve, 200));
    return document.querySelector('h1')?.textContent;
  });
  expect(heading).toBeTruthy();
  expect(app.page.url()).toBe(before);
  const shown = await app.electron?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  );
  expect(shown).toBe(before);
});

// SECURITY.md: A hostile page in the app's window
test('is taken to no empty page, where the bridge would be too', async ({ openApp }) => {
  const app = await openApp();
  app.expectTrouble(/Not allowed to|Content Security Policy/);
  const { page, electron } = app;
  const before = page.url();
  await page.evaluate(() => Object.assign(window, { marked: true }));
  for (const way of ['href', 'replace', '_self', 'link', 'blob', 'fragment', 'navigate', 'frame'] as const) {
    // The page may be gone in the middle of this: what is shown is looked at from outside.
    await page
      .evaluate((how) => {
        if (how === 'href') location.href = 'about:blank';
        else if (how === 'replace') location.replace('about:blank');
        else if (how === '_self') window.open('about:blank', '_self');
        else if (how === 'fragment') location.href = 'about:blank#x';
        else if (how === 'navigate') {
          const { committed, finished } = navigation.navigate('about:blank');
          for (const outcome of [committed, finished]) outcome?.catch(() => {});
        } else {
          const frame = document.createElement('iframe');
          document.body.append(frame);
          const owner = how === 'frame' ? frame.contentDocument : document;
          const link = (owner ?? document).createElement('a');
          link.target = '_top';
          link.href =
            how === 'blob' ? URL.createObjectURL(new Blob(['x'], { type: 'text/html' })) : 'about:blank';
          (owner ?? document).body.append(link);
          link.click();
        }
        return new Promise((resolve) => setTimeout(resolve, 300));
      }, way)
      .catch(() => {});
    const shown = await electron?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    );
    expect({ way, shown }).toEqual({ way, shown: before });
  }
  // It is the page as it was, not one loaded anew.
  expect(await page.evaluate(() => 'marked' in window)).toBe(true);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

// SECURITY.md: A hostile page in the app's window
test('opens no other window', async ({ openApp }) => {
  const { page, electron } = await openApp();
  expect(await page.evaluate(() => window.open('https://example.org/'))).toBeNull();
  expect(await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

// SECURITY.md: A hostile page in the app's window
test('grants no permission', async ({ openApp }) => {
  const app = await openApp();
  // The page itself gives up every device, before Electron is asked.
  app.expectTrouble(/Permissions policy violation/);
  const { page } = app;
  // What it has without asking: Electron would have this granted.
  expect(await page.evaluate(() => Notification.permission)).toBe('denied');
  const outcome = await page.evaluate(async () => ({
    notifications: await Notification.requestPermission(),
    geolocation: await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('granted'),
        (error) => resolve(error.code === error.PERMISSION_DENIED ? 'denied' : error.message),
      ),
    ),
    clipboard: await navigator.clipboard.readText().then(
      () => 'granted',
      () => 'denied',
    ),
  }));
  expect(outcome).toEqual({ notifications: 'denied', geolocation: 'denied', clipboard: 'denied' });
});

// SECURITY.md: A hostile page in the app's window
test('asks for a page that is kept in', async ({ openApp }) => {
  const { electron } = await openApp();
  const settings = await electron?.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Not in Electron's types, but the only way to ask.
    const { getLastWebPreferences } = contents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    const preferences = getLastWebPreferences.call(contents);
    return {
      sandbox: preferences.sandbox,
      contextIsolation: preferences.contextIsolation,
      nodeIntegration: preferences.nodeIntegration,
      webSecurity: preferences.webSecurity,
      webviewTag: preferences.webviewTag,
    };
  });
  expect(settings).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('keeps the page in Chromium’s sandbox', async ({ openApp }) => {
  test.skip(process.platform !== 'linux', 'only Linux tells how a process is kept in');
  test.skip(
    process.getuid?.() === 0,
    'as root there is no sandbox: the packed app is looked at as another user',
  );
  const { electron } = await openApp();
  const pid = await electron?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  expect(sandboxOf(pid ?? 0)).toEqual(FULL_SANDBOX);
});

const ASK =
  'ferry.call("app.info", {}).then((answer) => JSON.stringify(answer), (error) => "refused: " + error.message)';

// SECURITY.md: A hostile page in the app's window
test('answers no other page, though it have the same bridge', async ({ openApp }) => {
  const { electron } = await openApp();
  const outcome = await electron?.evaluate(
    async ({ BrowserWindow }, { ask, preload }) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: { sandbox: true, contextIsolation: true, preload },
      });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const said: unknown = await stranger.webContents.executeJavaScript(ask);
      stranger.destroy();
      return String(said);
    },
    { ask: ASK, preload: fileURLToPath(new URL('../../../out/preload/preload.cjs', import.meta.url)) },
  );
  expect(outcome).toMatch(/^refused: /);
});

test('answers its own window no more once another page is in it', async ({ openApp }) => {
  const { electron, page } = await openApp();
  // What is still on its way in can keep the other page out.
  await page.waitForLoadState();
  const outcome = await electron?.evaluate(async ({ BrowserWindow }, ask) => {
    const ours = BrowserWindow.getAllWindows()[0];
    await ours?.loadURL('data:text/html,<title>stranger</title>');
    return String(await ours?.webContents.executeJavaScript(ask));
  }, ASK);
  expect(outcome).toMatch(/^refused: /);
});
