/**
 * Runs one Playwright project with what it needs around it: `node build/endToEnd.mjs live|windows|packaged|screenshots|bench …`.
 * The app must be built before; this does it when called from the command line.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packForSpecs } from './packForSpecs.mjs';
import { ensurePackages, findChromium, findElectron, findProgram, isRoot, root } from './system.mjs';
import { buildApp, runTool } from './tool.mjs';

/** Where the specs have the app packed to. */
export const packFolder = join(root, 'test-results', 'packed');

/** Debian's Chromium without windows: it opens a page with a quarter of the other one's work. */
const WINDOWLESS = 'chromium-headless-shell';

/**
 * What the specs run in, installed where it can be.
 * @returns {{ electron: { path: string, wrapper: string[] } | { missing: string }, chromium: string | null }}
 */
export function prepareEntries() {
  const electron = findElectron();
  const chromium = chromiumOfSpecs();
  if ('missing' in electron) return { electron, chromium };
  if (process.platform !== 'linux') return { electron: { path: electron.path, wrapper: [] }, chromium };
  if (!findProgram(['xvfb-run'])) ensurePackages(['xvfb', 'xauth']);
  const xvfb = findProgram(['xvfb-run']);
  if (!xvfb) return { electron: { missing: 'there is no virtual display (xvfb)' }, chromium };
  return {
    electron: { path: electron.path, wrapper: [xvfb, '-a', '-s', '-screen 0 1600x1200x24 -noreset'] },
    chromium,
  };
}

/** The one without windows, installed by root; where it cannot be had, any other. */
function chromiumOfSpecs() {
  const windowless = () => findProgram([WINDOWLESS]);
  const other = findChromium();
  const isWanted = !windowless() && (isRoot || !other);
  if (isWanted && !ensurePackages([WINDOWLESS]) && !other) ensurePackages(['chromium']);
  return windowless() ?? findChromium();
}

/**
 * Runs Playwright projects together, so that no core is idle during the last spec of each.
 * @param {readonly string[]} projects
 * @param {ReturnType<typeof prepareEntries>} entries
 * @param {{ args?: string[], env?: Record<string, string> }} [options]
 */
export function runProjects(projects, { electron, chromium }, { args = [], env = {} } = {}) {
  const chosen = projects.map((project) => `--project=${project}`);
  return runTool('playwright', ['test', '--config', 'e2e/playwright.config.ts', ...chosen, ...args], {
    wrapper: 'path' in electron ? electron.wrapper : [],
    env: {
      ...env,
      ...('path' in electron ? { ELECTRON_PATH: electron.path } : {}),
      ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
    },
  });
}

/** Whether the specs of Windows can run: see `e2e/app/windows.ts`. */
export const hasWindows = process.platform === 'win32' || Boolean(process.env.WINDOWS_NODE);
export const NO_WINDOWS = 'WINDOWS_NODE names no program that runs Windows’s Node';

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [project = '', ...args] = process.argv.slice(2);
  if (project === 'live' && !process.env.BITCOIND) {
    console.log('The live suite did not run: BITCOIND names no bitcoind.');
  } else if (project === 'windows' && !hasWindows) {
    console.log(`The specs of Windows did not run: ${NO_WINDOWS}.`);
  } else {
    const entries = prepareEntries();
    if (['bench', 'packaged'].includes(project) && 'missing' in entries.electron) {
      console.log(`This runs in Electron, which cannot be had here: ${entries.electron.missing}.`);
      process.exitCode = 1;
    } else if (await buildApp()) {
      const env =
        project === 'packaged'
          ? await packForSpecs(packFolder)
          : project === 'screenshots'
            ? { LANGUAGE_PICTURES: join(root, 'test-results', 'language') }
            : {};
      process.exitCode = (await runProjects([project], entries, { args, env })) ? 0 : 1;
    } else process.exitCode = 1;
  }
}
