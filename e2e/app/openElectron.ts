/** Starts the desktop entry, uses its menu, and reads how Linux confines its processes. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { _electron, type ElectronApplication } from '@playwright/test';
import type { App, Opened, OpenOptions } from './app.ts';
import { callFromPage } from './callFromPage.ts';
import { recordingArguments, recordingEnvironment } from './networkLogs.ts';
import { watchTrouble } from './pageTrouble.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function openElectron(options: OpenOptions): Promise<Opened> {
  const { dataFolder } = options;
  const electron = await _electron.launch(electronLaunch({ ...options, args: [root] }));
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString('utf8');
  };
  electron.process().stdout?.on('data', collect);
  electron.process().stderr?.on('data', collect);
  const page = await electron.firstWindow();
  const trouble = watchTrouble(page);
  // While the app loads its services, the debugger may lose the answers of calls into the main process.
  await page.getByRole('heading', { level: 1 }).first().waitFor();

  const app: App = {
    entry: 'electron',
    page,
    electron,
    http: null,
    dataFolder,
    output: () => output,
    async pickFile(path, open) {
      await electron.evaluate(({ dialog }, chosenPath) => {
        dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths: [chosenPath] });
        dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosenPath });
      }, path);
      await open();
    },
    call: (name, input) => callFromPage(page, name, input),
    expectTrouble: (pattern) => trouble.expect(pattern),
    stopServing: () => Promise.reject(new Error('The desktop entry cannot end without its page.')),
    async kill() {
      const ended = once(electron.process(), 'exit');
      electron.process().kill('SIGKILL');
      await ended;
    },
    async close() {
      // With a running job the app would ask first.
      await electron
        .evaluate(({ dialog }) => {
          dialog.showMessageBox = () => Promise.resolve({ response: 1, checkboxChecked: false });
        })
        .catch(() => undefined);
      await electron.close().catch(() => undefined);
    },
  };
  return { app, trouble };
}

export interface ElectronLaunch {
  /** The app or script to run. */
  args: readonly string[];
  home: string;
  dataFolder: string;
  colorScheme?: 'light' | 'dark';
  networkLogs?: string;
}

/**
 * Options for Playwright's `_electron.launch`. They name no Electron, because Playwright holds the app back until it is
 * attached only with the installed one, or that of ELECTRON_OVERRIDE_DIST_PATH.
 */
export function electronLaunch({
  args,
  home,
  dataFolder,
  colorScheme = 'light',
  networkLogs,
}: ElectronLaunch) {
  return {
    // Chromium's sandbox refuses to run as root.
    args: [
      ...(networkLogs === undefined ? [] : recordingArguments(networkLogs)),
      // Specs compare dates with their own.
      '--lang=en-GB',
      ...args,
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
    cwd: root,
    colorScheme,
    env: {
      ...withoutUndefined(process.env),
      HOME: home,
      XDG_CONFIG_HOME: join(home, '.config'),
      WALLET_FERRY_DATA: dataFolder,
      ...(networkLogs === undefined ? {} : recordingEnvironment(networkLogs)),
    },
  };
}

function withoutUndefined(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    // With either, Electron would not run the app as it is.
    if (value === undefined || name === 'ELECTRON_RUN_AS_NODE' || name === 'ELECTRON_RENDERER_URL') continue;
    kept[name] = value;
  }
  return kept;
}

/**
 * Chooses an entry of the app's menu. Returns its keyboard shortcut. The entry runs on a later turn, so wait for its effect.
 */
export async function chooseInMenu(
  electron: ElectronApplication | null,
  label: string,
): Promise<string | undefined> {
  return electron?.evaluate(({ Menu, BrowserWindow }, wanted) => {
    const menus = Menu.getApplicationMenu()?.items ?? [];
    const item = menus.flatMap(({ submenu }) => submenu?.items ?? []).find((one) => one.label === wanted);
    // On a later turn, because a page that it loads could make the debugger lose the answer.
    setImmediate(() => item?.click(undefined, BrowserWindow.getAllWindows()[0]));
    return item?.accelerator?.toString();
  }, label);
}

/** How Linux confines a process. */
interface Sandbox {
  /** A filter limits its system calls. */
  filtered: boolean;
  /** It cannot gain privileges. */
  noNewPrivileges: boolean;
  /** It sees only the processes of its own namespace. */
  seesOnlyItsOwn: boolean;
}

export function sandboxOf(pid: number): Sandbox {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const fact = (name: string) => new RegExp(`^${name}:\\s*(.*)$`, 'm').exec(status)?.[1] ?? '';
  return {
    // 2: with a filter (proc_pid_status(5)).
    filtered: fact('Seccomp') === '2',
    noNewPrivileges: fact('NoNewPrivs') === '1',
    // The process has an id in each namespace, from this one inwards.
    seesOnlyItsOwn: fact('NSpid').split(/\s+/).length > 1,
  };
}

export const FULL_SANDBOX: Sandbox = { filtered: true, noNewPrivileges: true, seesOnlyItsOwn: true };
