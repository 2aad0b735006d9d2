/** Runs the project's own tools. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './system.mjs';

const bin = join(root, 'node_modules', '.bin');

/**
 * Runs a tool of the project with its output shown.
 * @param {string} program
 * @param {string[]} args
 * @param {{ wrapper?: string[], env?: Record<string, string> }} [options] `wrapper` goes before the program
 * @returns {boolean} true when it ended well
 */
export function runTool(program, args, { wrapper = [], env = {} } = {}) {
  const [first = '', ...rest] = [...wrapper, join(bin, program), ...args];
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit'), shell: process.platform === 'win32' };
  return spawnSync(first, rest, { ...options, env: { ...process.env, ...env } }).status === 0;
}

export function buildApp() {
  return runTool('electron-vite', [
    'build',
    '--config',
    'build/electron.vite.config.ts',
    '--logLevel',
    'warn',
  ]);
}
