/**
 * Opens a link in a browser without passing it as an argument: other users of the computer can read arguments in the list of
 * processes, and could open the link before its owner.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findChromium, findProgram, hasDisplay, isRoot } from './system.mjs';

/**
 * Opens a file in a browser that only this user can read, and that redirects to the link.
 * @param {string} link
 * @param {(why: string) => void} onFailure called if no browser could be started
 * @returns {{ file: string, remove(): void } | null} the file, to be removed once the link is used or invalid; null without
 * a display or a browser
 */
export function openLink(link, onFailure) {
  if (!hasDisplay()) return null;
  const opener = findOpener();
  if (opener === null) return null;
  try {
    const file = writeLinkFile(link);
    const [program, ...args] = opener(file);
    spawn(program, args, { stdio: 'ignore', detached: true })
      .on('error', (error) => onFailure(error.message))
      .unref();
    return { file, remove: () => rmSync(dirname(file), { recursive: true, force: true }) };
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error));
    return null;
  }
}

/** @returns {((file: string) => [string, ...string[]]) | null} */
function findOpener() {
  const chromium = isRoot ? null : findChromium();
  if (chromium) return (file) => [chromium, `--app=${pathToFileURL(file)}`];
  if (process.platform === 'darwin') return (file) => ['open', file];
  if (process.platform === 'win32') return (file) => ['rundll32', 'url.dll,FileProtocolHandler', file];
  const open = findProgram(['xdg-open']);
  return open ? (file) => [open, file] : null;
}

/**
 * Writes the file to a new folder of mode 0700. On Windows the folder for temporary files belongs to the user.
 * @param {string} link
 * @returns {string} the path of the file
 */
function writeLinkFile(link) {
  // A browser in a snap can read only files in the home folder that are not hidden.
  const place = process.platform === 'linux' && existsSync('/snap') ? homedir() : tmpdir();
  const file = join(mkdtempSync(join(place, 'wallet-ferry-link-')), 'open.html');
  const page = `<!doctype html><meta charset="utf-8"><title>Wallet Ferry</title><meta http-equiv="refresh" content="0;url=${link}">\n`;
  writeFileSync(file, page, { flag: 'wx', mode: 0o600 });
  return file;
}
