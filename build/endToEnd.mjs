/**
 * Runs one Playwright project with what it needs around it: `node build/endToEnd.mjs live|screenshots|bench …`.
 * The app must be built before; this does it when called from the command line.
 */
import { fileURLToPath } from 'node:url';
import { ensurePackages, findChromium, findElectron, findProgram } from './system.mjs';
import { buildApp, runTool } from './tool.mjs';

/**
 * What the specs run in, installed where it can be.
 * @returns {{ electron: { path: string, wrapper: string[] } | { missing: string }, chromium: string | null }}
 */
export function prepareEntries() {
  const electron = findElectron();
  if (!findChromium()) ensurePackages(['chromium']);
  const chromium = findChromium();
  if ('missing' in electron) return { electron, chromium };
  if (process.platform !== 'linux') return { electron: { path: electron.path, wrapper: [] }, chromium };
  if (!findProgram(['xvfb-run'])) ensurePackages(['xvfb', 'xauth']);
  const xvfb = findProgram(['xvfb-run']);
  if (!xvfb) return { electron: { missing: 'there is no virtual display (xvfb)' }, chromium };
  return {
    electron: { path: electron.path, wrapper: [xvfb, '-a', '-s', '-screen 0 1600x1200x24'] },
    chromium,
  };
}

/**
 * @param {string} project
 * @param {ReturnType<typeof prepareEntries>} entries
 * @param {{ args?: string[], env?: Record<string, string> }} [options]
 */
export function runProject(project, { electron, chromium }, { args = [], env = {} } = {}) {
  return runTool(
    'playwright',
    ['test', '--config', 'e2e/playwright.config.ts', `--project=${project}`, ...args],
    {
      wrapper: 'path' in electron ? electron.wrapper : [],
      env: {
        ...env,
        ...('path' in electron ? { ELECTRON_PATH: electron.path } : {}),
        ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
      },
    },
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [project = '', ...args] = process.argv.slice(2);
  if (project === 'live' && !process.env.BITCOIND) {
    console.log('The live suite did not run: BITCOIND names no bitcoind.');
  } else {
    const entries = prepareEntries();
    if (project === 'bench' && 'missing' in entries.electron) {
      console.log(`The bench measures Electron, which cannot be had here: ${entries.electron.missing}.`);
      process.exitCode = 1;
    } else process.exitCode = buildApp() && runProject(project, entries, { args }) ? 0 : 1;
  }
}
