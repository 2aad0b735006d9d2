/** Quitting while the node works: asked once, and nothing is broken off by it. */
import { RESCANNING, runningJob, startMigration } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

test('asks before it quits while something runs', async ({ openConnected }) => {
  const { app, node } = await openConnected('31.0', RESCANNING);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toBeVisible();
  // Before that the app is at its safety copy, and there is nothing yet that the node could go on with.
  await expect.poll(() => node.countCalls('migratewallet')).toBe(1);
  const { electron } = app;
  if (!electron) throw new Error('This spec is for the desktop entry.');

  const asked = await electron.evaluate(
    ({ BrowserWindow, dialog }) =>
      new Promise<{ message: string; detail: string; buttons: string[]; defaultId: number }>((resolve) => {
        const stay = (_window: unknown, options: Electron.MessageBoxOptions) => {
          const { message, detail = '', buttons = [], defaultId = -1 } = options;
          resolve({ message, detail, buttons: [...buttons], defaultId });
          return Promise.resolve({ response: 0, checkboxChecked: false });
        };
        Object.assign(dialog, { showMessageBox: stay });
        BrowserWindow.getAllWindows()[0]?.close();
      }),
  );
  expect(asked.message).toBe('1 job still running');
  expect(asked.detail).toContain('node continues');
  expect(asked.buttons[asked.defaultId]).toBe('Stay');
  await expect(runningJob(app)).toBeVisible();
  expect(await electron.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

  const closed = electron.waitForEvent('close');
  await electron.evaluate(({ app: own, dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
    own.quit();
  });
  await closed;
  node.resume();
  await expect.poll(() => node.loaded()).toEqual(['legacy-hd']);
});
