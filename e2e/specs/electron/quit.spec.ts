/** Quitting while the node works: the app asks once, and the node continues. */
import { RESCANNING, runningJob, startMigration } from '../../app/steps.ts';
import { expect, test } from '../../app.ts';

test('asks before it quits while a job runs', async ({ openConnected }) => {
  const { app, node } = await openConnected('31.0', RESCANNING);
  await startMigration(app, 'legacy-hd');
  await expect(runningJob(app)).toBeVisible();
  // Wait for the call. Before it, the app still writes the safety copy, and the node has nothing to continue.
  await expect.poll(() => node.countCalls('migratewallet')).toBe(1);
  const { electron } = app;
  if (!electron) throw new Error('This spec is for the desktop entry.');

  const question = await electron.evaluate(
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
  expect(question.message).toBe('Jobs still running: 1');
  expect(question.detail).toContain('node continues');
  expect(question.buttons[question.defaultId]).toBe('Stay');
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
