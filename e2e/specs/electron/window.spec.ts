/** What the desktop entry refuses: other pages, other windows, other frames, every permission. */
import { expect, test } from '../../app.ts';

test('goes to no other page', async ({ openApp }) => {
  const { page } = await openApp();
  const before = page.url();
  await page.evaluate(() => {
    location.href = 'https://example.org/';
  });
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = 'file:///etc/passwd';
    document.body.append(link);
    link.click();
  });
  // The page answers after both, so neither navigation has begun.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
  expect(page.url()).toBe(before);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('opens no other window', async ({ openApp }) => {
  const { page, electron } = await openApp();
  expect(await page.evaluate(() => window.open('https://example.org/'))).toBeNull();
  expect(await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
});

test('grants no permission', async ({ openApp }) => {
  const { page } = await openApp();
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

test('keeps the page in its sandbox', async ({ openApp }) => {
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

test('answers no other page, though it have the same bridge', async ({ openApp }) => {
  const { electron } = await openApp();
  const outcome = await electron?.evaluate(async ({ BrowserWindow }) => {
    const ours = BrowserWindow.getAllWindows()[0]?.webContents;
    const { getLastWebPreferences } = ours as unknown as { getLastWebPreferences(): { preload?: string } };
    const { preload } = getLastWebPreferences.call(ours);
    const stranger = new BrowserWindow({
      show: false,
      webPreferences: { sandbox: true, contextIsolation: true, ...(preload ? { preload } : {}) },
    });
    await stranger.loadURL('data:text/html,<title>stranger</title>');
    const said: unknown = await stranger.webContents.executeJavaScript(
      'ferry.call("app.info", {}).then((answer) => JSON.stringify(answer), (error) => "refused: " + error.message)',
    );
    stranger.destroy();
    return String(said);
  });
  expect(outcome).toMatch(/^refused: /);
  expect(outcome).not.toContain('version');
});

test('answers its own window no more once another page is in it', async ({ openApp }) => {
  const { electron } = await openApp();
  const outcome = await electron?.evaluate(async ({ BrowserWindow }) => {
    const ours = BrowserWindow.getAllWindows()[0];
    await ours?.loadURL('data:text/html,<title>stranger</title>');
    const said: unknown = await ours?.webContents.executeJavaScript(
      'ferry.call("app.info", {}).then((answer) => JSON.stringify(answer), (error) => "refused: " + error.message)',
    );
    return String(said);
  });
  expect(outcome).toMatch(/^refused: /);
});
