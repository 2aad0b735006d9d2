/** The feed that a packed app asks for new releases, named by UPDATE_FEED, and its file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './system.mjs';

/** The file of the feed that the app requests. */
export const LATEST = 'latest.json';
const OWN_MACHINE = ['localhost', '127.0.0.1', '[::1]'];

/**
 * @returns {string | null} the address of a folder, with a slash at its end; null without UPDATE_FEED
 * @throws {Error} if it is not the address of a folder
 */
export function feedToPack() {
  const named = process.env.UPDATE_FEED;
  if (!named) return null;
  const url = URL.canParse(named) ? new URL(named) : null;
  const safe =
    url?.protocol === 'https:' || (url?.protocol === 'http:' && OWN_MACHINE.includes(url.hostname));
  if (!url || !safe || url.username || url.password || url.search || url.hash) {
    throw new Error(
      `UPDATE_FEED must be the address of a folder, https://host/folder/ without a login or a query: "${named}" is not. Only this machine may be asked by http.`,
    );
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/**
 * Writes the file that is uploaded to the feed once the release is out.
 * @param {string} folder
 */
export function writeLatest(folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(join(folder, LATEST), `${JSON.stringify({ version })}\n`);
}
