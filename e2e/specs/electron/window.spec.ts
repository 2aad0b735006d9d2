/** The window of the desktop entry refuses other pages, other windows and every permission. */
import { fileURLToPath } from 'node:url';
import { FULL_SANDBOX, sandboxOf } from '../../app/openElectron.ts';
import { type App, expect, test } from '../../app.ts';

// SECURITY.md: A compromised page
test('confines its page: no other page, no other window, no permission, no answer to another page', async ({
  openApp,
}) => {
  const app = await openApp();
  await test.step('leaves for no other site', () => leavesForNoOtherSite(app));
  await test.step('opens no empty page', () => opensNoEmptyPage(app));
  await test.step('opens no other window', () => opensNoWindow(app));
  await test.step('grants no permission', () => grantsNoPermission(app));
  await test.step('asks Electron to isolate the page', () => isolatesPage(app));
  await test.step('keeps the page in Chromium’s sandbox', () => keepsSandbox(app));
  await test.step('answers no other page with the same bridge', () => answersNoOtherPage(app));
  await test.step('answers no other page in its own window', () => answersNoPageInItsWindow(app));
});

async function leavesForNoOtherSite(app: App): Promise<void> {
  app.expectTrouble(/Not allowed to load local resource/);
  const before = app.page.url();
  // Each wait is long enough for an allowed navigation to replace the page.
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
  const visible = await app.electron?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  );
  expect(visible).toBe(before);
}

/** An empty page would get the bridge too. */
async function opensNoEmptyPage(app: App): Promise<void> {
  app.expectTrouble(/Not allowed to|Content Security Policy/);
  const { page, electron } = app;
  const before = page.url();
  await page.evaluate(() => Object.assign(window, { marked: true }));
  for (const way of ['href', 'replace', '_self', 'link', 'blob', 'fragment', 'navigate', 'frame'] as const) {
    // An allowed navigation would end this evaluation, so check the page from outside.
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
    const visible = await electron?.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
    );
    expect({ way, shown: visible }).toEqual({ way, shown: before });
  }
  // The page did not reload.
  expect(await page.evaluate(() => 'marked' in window)).toBe(true);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
}

async function opensNoWindow({ page, electron }: App): Promise<void> {
  expect(await page.evaluate(() => window.open('https://example.org/'))).toBeNull();
  expect(await electron?.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);
}

async function grantsNoPermission(app: App): Promise<void> {
  // The page's own policy refuses every device before it asks Electron.
  app.expectTrouble(/Permissions policy violation/);
  const { page } = app;
  // By default Electron grants notifications without a question.
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
}

async function isolatesPage({ electron }: App): Promise<void> {
  const preferences = await electron?.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    // Electron's types lack this function.
    const { getLastWebPreferences } = contents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return getLastWebPreferences.call(contents);
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
}

/** Only Linux shows how a process is confined. Root has no sandbox: `packaged.spec.ts` tests it as another user. */
async function keepsSandbox({ electron }: App): Promise<void> {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return;
  const pid = await electron?.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId(),
  );
  expect(sandboxOf(pid ?? 0)).toEqual(FULL_SANDBOX);
}

const ASK =
  'ferry.call("app.info", {}).then((answer) => JSON.stringify(answer), (error) => "refused: " + error.message)';

async function answersNoOtherPage({ electron }: App): Promise<void> {
  const outcome = await electron?.evaluate(
    async ({ BrowserWindow }, { ask, preload }) => {
      const stranger = new BrowserWindow({
        show: false,
        webPreferences: { sandbox: true, contextIsolation: true, preload },
      });
      await stranger.loadURL('data:text/html,<title>stranger</title>');
      const answer: unknown = await stranger.webContents.executeJavaScript(ask);
      stranger.destroy();
      return String(answer);
    },
    { ask: ASK, preload: fileURLToPath(new URL('../../../out/preload/preload.cjs', import.meta.url)) },
  );
  expect(outcome).toMatch(/^refused: /);
}

async function answersNoPageInItsWindow({ electron, page }: App): Promise<void> {
  // A pending load could stop the other page from loading.
  await page.waitForLoadState();
  const outcome = await electron?.evaluate(async ({ BrowserWindow }, ask) => {
    const ours = BrowserWindow.getAllWindows()[0];
    await ours?.loadURL('data:text/html,<title>stranger</title>');
    return String(await ours?.webContents.executeJavaScript(ask));
  }, ASK);
  expect(outcome).toMatch(/^refused: /);
}
