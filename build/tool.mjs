/** Runs the project's own tools. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './system.mjs';

/** Each tool, and the package that brings it. */
const PACKAGES = {
  biome: '@biomejs/biome',
  'electron-vite': 'electron-vite',
  playwright: '@playwright/test',
  tsc: 'typescript',
  vitest: 'vitest',
};

/**
 * Runs a tool of the project with its output shown.
 * @param {keyof typeof PACKAGES} tool
 * @param {string[]} args
 * @param {{ wrapper?: string[], env?: Record<string, string>, output?: 'inherit' | 2 }} [options] `wrapper`: a command that
 * runs the tool; 2 sends its output to standard error
 * @returns {Promise<boolean>} whether it succeeded
 */
export async function runTool(tool, args, { wrapper = [], env = {}, output = 'inherit' } = {}) {
  const script = scriptOf(tool);
  if (script === null) {
    console.error(`${tool} is not installed. Run "npm ci" first.`);
    return false;
  }
  // Do not use node_modules/.bin: on Windows its scripts need a shell, which splits paths with spaces.
  const [first = '', ...rest] = [...wrapper, process.execPath, script, ...args];
  const child = spawn(first, rest, {
    cwd: root,
    stdio: ['inherit', output, 'inherit'],
    env: { ...process.env, ...env },
  });
  const [code] = await once(child, 'exit');
  return code === 0;
}

/** @param {Parameters<typeof runTool>[2]} [options] */
export function buildApp(options) {
  const args = ['build', '--config', 'build/electron.vite.config.ts', '--logLevel', 'warn'];
  return runTool('electron-vite', args, options);
}

/**
 * The script of a tool, as its package names it; null if it is not installed.
 * @param {keyof typeof PACKAGES} tool
 */
function scriptOf(tool) {
  const folder = join(root, 'node_modules', PACKAGES[tool]);
  const manifest = join(folder, 'package.json');
  if (!existsSync(manifest)) return null;
  /** @type {{ bin: Record<string, string> }} */
  const { bin } = JSON.parse(readFileSync(manifest, 'utf8'));
  return join(folder, bin[tool] ?? '');
}
