/** Chooses an entry of the app's menu, as Electron's own menu does once its key is pressed. Gives that key. */
import type { ElectronApplication } from '@playwright/test';

/** The entry does what it does on a turn of its own, soon after: wait for what comes of it. */
export async function chooseInMenu(
  electron: ElectronApplication | null,
  label: string,
): Promise<string | undefined> {
  return electron?.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const menus = Menu.getApplicationMenu()?.items ?? [];
    const item = menus.flatMap(({ submenu }) => submenu?.items ?? []).find((one) => one.label === wanted);
    // Not on this turn: what is loaded for it can have the debugger lose the answer.
    setImmediate(() => item?.click(undefined, BrowserWindow.getAllWindows()[0]));
    return item?.accelerator?.toString();
  }, label);
}
