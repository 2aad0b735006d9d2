/**
 * The Windows for the specs of `e2e/windows`: this machine, or an emulator that runs Windows's own Node, which WINDOWS_NODE
 * names. The emulator shows the files of this machine as drive Z:.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';

export interface Windows {
  /** A folder on another disk than the homes of the specs: drive D: of the emulator, which has %TEMP%. Null on real Windows. */
  readonly otherDisk: string | null;
  /** Converts a path of this machine to the path that programs see there. */
  toWindowsPath(path: string): string;
  /** Starts a Node program there as a user with this home. `args`: its path in this project, and its arguments. */
  start(home: string, args: readonly string[], options?: StartOptions): OnWindows;
  remove(): Promise<void>;
}

interface StartOptions {
  /** The whole standard input. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program that runs there. Its output goes to files, because the emulator cannot use pipes of this machine. */
export interface OnWindows {
  readonly pid: number | undefined;
  /** The exit code; null if the program was killed. */
  readonly exited: Promise<number | null>;
  /** The standard output so far. */
  output(): string;
  /** The standard error so far. */
  errors(): string;
  /** The first line of the output. Throws if the program ends before. */
  firstLine(): Promise<string>;
  kill(): Promise<void>;
}

/** The folders of a user that Windows names in the environment. */
export function userFolders(home: string) {
  return { roaming: join(home, 'AppData', 'Roaming'), local: join(home, 'AppData', 'Local') };
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const setVariables = fileURLToPath(new URL('setWindowsVariables.cjs', import.meta.url));

/** Returns this Windows or the emulator. Throws if there is neither. */
export async function findWindows(): Promise<Windows> {
  if (process.platform === 'win32') {
    const start = starter(
      process.execPath,
      (path) => path,
      null,
      (variables) => variables,
    );
    return { otherDisk: null, toWindowsPath: (path) => path, start, remove: async () => undefined };
  }
  const emulator = process.env.WINDOWS_NODE;
  if (!emulator) throw new Error('WINDOWS_NODE names no program that runs Windows’s Node.');
  return emulated(emulator);
}

/** An emulator with its own drives. It shares the registry and the system in the emulator's folder. */
async function emulated(program: string): Promise<Windows> {
  const original = join(dirname(program), 'prefix');
  const prefix = await mkdtemp(join(tmpdir(), 'windows-'));
  // The homes of the specs may be in memory: see `build/test.mjs`.
  const otherDisk = await mkdtemp(join(homedir(), '.wallet-ferry-disk-'));
  const files = (await readdir(original, { withFileTypes: true })).filter((entry) => entry.isFile());
  for (const { name } of files) await copyFile(join(original, name), join(prefix, name));
  await symlink(join(original, 'drive_c'), join(prefix, 'drive_c'));
  await mkdir(join(prefix, 'dosdevices'));
  const drives = { 'c:': '../drive_c', 'd:': otherDisk, 'z:': '/' };
  for (const [drive, folder] of Object.entries(drives))
    await symlink(folder, join(prefix, 'dosdevices', drive));
  const toWindowsPath = (path: string) => {
    const isOnD = path === otherDisk || path.startsWith(`${otherDisk}/`);
    return (isOnD ? `D:\\${path.slice(otherDisk.length + 1)}` : `Z:${path}`).replaceAll('/', '\\');
  };
  return {
    otherDisk,
    toWindowsPath: toWindowsPath,
    start: starter(program, toWindowsPath, join(otherDisk, 'Temp'), (variables) => ({
      WINEPREFIX: prefix,
      // The emulator overwrites the variables of the user's folders at the start of each program.
      WINDOWS_VARIABLES: JSON.stringify(variables),
      NODE_OPTIONS: `--require ${toWindowsPath(setVariables).replaceAll('\\', '/')}`,
    })),
    async remove() {
      for (const folder of [prefix, otherDisk])
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Variables = Readonly<Record<string, string>>;

/**
 * `temporaryFolder`: null for the usual one, below the home. `environment` returns the environment in which a program gets these
 * variables.
 */
function starter(
  program: string,
  toWindowsPath: (path: string) => string,
  temporaryFolder: string | null,
  environment: (variables: Variables) => Variables,
): Windows['start'] {
  return (home, [script = '', ...args], { input = '', env = {} } = {}) => {
    const { roaming, local } = userFolders(home);
    const temporary = temporaryFolder ?? join(local, 'Temp');
    for (const folder of [roaming, temporary]) mkdirSync(folder, { recursive: true });
    const folder = mkdtempSync(join(tmpdir(), 'started-'));
    const at = (name: string) => join(folder, name);
    writeFileSync(at('input'), input);
    const stdio = [openSync(at('input'), 'r'), openSync(at('output'), 'w'), openSync(at('errors'), 'w')];
    const variables = {
      USERPROFILE: toWindowsPath(home),
      APPDATA: toWindowsPath(roaming),
      LOCALAPPDATA: toWindowsPath(local),
      TEMP: toWindowsPath(temporary),
      TMP: toWindowsPath(temporary),
      ...env,
    };
    const child = spawn(program, [...NODE_OPTIONS, toWindowsPath(join(project, script)), ...args], {
      cwd: home,
      stdio,
      env: { ...process.env, ...environment(variables) },
    });
    for (const file of stdio) closeSync(file);
    const exited = once(child, 'exit').then(([code]) => code as number | null);
    const output = () => readFileSync(at('output'), 'utf8');
    const errors = () => readFileSync(at('errors'), 'utf8');
    return {
      pid: child.pid,
      exited,
      output,
      errors,
      async firstLine() {
        const first = () => /^(.*)\n/.exec(output())?.[1];
        await expect
          .poll(() => first() ?? (child.exitCode === null ? 'none' : 'ended'), {
            timeout: 60_000,
            intervals: [100],
          })
          .not.toBe('none');
        const line = first();
        if (line === undefined) throw new Error(`The program ended (${child.exitCode}): ${errors()}`);
        return line.trim();
      },
      async kill() {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
        await exited;
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  };
}

/** Let Node run the TypeScript programs of the tests. */
const NODE_OPTIONS = ['--experimental-transform-types', '--disable-warning=ExperimentalWarning'];
