/** Finds and installs what the commands need: Electron, Chromium, a display, Debian packages. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The Debian packages of the libraries that Electron loads. */
const ELECTRON_PACKAGES = [
  'libgtk-3-0',
  'libnss3',
  'libasound2',
  'libgbm1',
  'libatk-bridge2.0-0',
  'libcups2',
];

export const isRoot = process.getuid?.() === 0;

export function hasDisplay() {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/**
 * The path of a program in PATH, or null.
 * @param {string[]} names
 */
export function findProgram(names) {
  const ending = process.platform === 'win32' ? '.exe' : '';
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const name of names) {
      const file = join(folder, name + ending);
      try {
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        // Not here; the next folder may have it.
      }
    }
  }
  return null;
}

export function findChromium() {
  const names = [
    'chromium',
    'chromium-browser',
    'google-chrome',
    'google-chrome-stable',
    'brave-browser',
    'microsoft-edge',
  ];
  return findProgram(names) ?? usualPlaces().find((path) => existsSync(path)) ?? null;
}

/** The usual paths of Chromium on macOS and Windows, where it is not in PATH. */
function usualPlaces() {
  if (process.platform === 'darwin')
    return ['Google Chrome', 'Chromium', 'Microsoft Edge', 'Brave Browser'].map(
      (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
    );
  if (process.platform !== 'win32') return [];
  const folders = ['PROGRAMFILES', 'PROGRAMFILES(X86)', 'LOCALAPPDATA'].flatMap(
    (name) => process.env[name] ?? [],
  );
  const programs = ['Google\\Chrome\\Application\\chrome.exe', 'Microsoft\\Edge\\Application\\msedge.exe'];
  return programs.flatMap((program) => folders.map((folder) => join(folder, program)));
}

/**
 * Finds the Electron to run: that of ELECTRON_OVERRIDE_DIST_PATH, the installed one, or the official download.
 * @returns {{ path: string } | { missing: string }} `missing` says why there is none.
 */
export function findElectron() {
  const name =
    process.platform === 'win32'
      ? 'electron.exe'
      : process.platform === 'darwin'
        ? 'Electron.app/Contents/MacOS/Electron'
        : 'electron';
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  if (override) {
    const path = join(override, name);
    return existsSync(path)
      ? withLibraries(path)
      : { missing: `there is no Electron in ${override} (ELECTRON_OVERRIDE_DIST_PATH)` };
  }
  const folder = join(root, 'node_modules', 'electron');
  if (!existsSync(join(folder, 'install.js')))
    return { missing: 'the electron package is not installed (npm ci)' };
  if (!installedElectron(folder)) {
    console.log('Downloading Electron, once.');
    spawnSync(process.execPath, [join(folder, 'install.js')], { stdio: 'ignore', timeout: 300_000 });
  }
  const path = installedElectron(folder);
  return path ? withLibraries(path) : { missing: 'Electron could not be downloaded' };
}

/** @param {string} folder */
function installedElectron(folder) {
  const pointer = join(folder, 'path.txt');
  if (!existsSync(pointer)) return null;
  const path = join(folder, 'dist', readFileSync(pointer, 'utf8'));
  return existsSync(path) ? path : null;
}

/**
 * @param {string} path
 * @returns {{ path: string } | { missing: string }}
 */
function withLibraries(path) {
  if (process.platform !== 'linux') return { path };
  if (missingLibraries(path).length > 0) ensurePackages(ELECTRON_PACKAGES);
  const still = missingLibraries(path);
  return still.length === 0 ? { path } : { missing: `Electron lacks system libraries (${still.join(', ')})` };
}

/** @param {string} path */
function missingLibraries(path) {
  const listed = spawnSync('ldd', [path], { encoding: 'utf8' }).stdout ?? '';
  return listed
    .split('\n')
    .filter((line) => line.includes('not found'))
    .map((line) => line.trim().split(' ')[0] ?? line);
}

/**
 * Installs Debian packages as root on Debian. Otherwise prints a command that installs them.
 * @param {string[]} names
 * @returns {boolean} whether they are installed
 */
export function ensurePackages(names) {
  if (process.platform !== 'linux') return false;
  const apt = findProgram(['apt-get']);
  if (!apt || !isRoot) {
    console.log(`Missing on this machine. To install: sudo apt-get install -y ${names.join(' ')}`);
    return false;
  }
  console.log(`Installing ${names.join(' ')}`);
  const options = {
    stdio: /** @type {const} */ ('ignore'),
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  };
  const install = () =>
    spawnSync(apt, ['install', '-y', '--no-install-recommends', ...names], options).status === 0;
  if (install()) return true;
  spawnSync(apt, ['update'], options);
  if (install()) return true;
  console.log(
    `They could not be installed. To try by hand: apt-get update && apt-get install -y ${names.join(' ')}`,
  );
  return false;
}
