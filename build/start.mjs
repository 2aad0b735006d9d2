/**
 * `npm start`: builds the app and opens it in Electron if possible, otherwise in a browser, and says which and why.
 * `-- --electron` and `-- --browser` choose one; `-- --port N` is the port of the browser entry.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { openLink } from './openLink.mjs';
import { findElectron, hasDisplay, isRoot, root } from './system.mjs';
import { buildApp } from './tool.mjs';

/** If Electron fails this soon, it has opened no window. */
const FAILED_START_MS = 8_000;
/** A browser that has not opened the link by then probably cannot read the file that redirects to it. */
const BROWSER_MS = 20_000;
const ROOT = 'Electron’s sandbox cannot run as root';

const USAGE = 'npm start -- [--electron | --browser] [--port N]';

const { choice, port } = readOptions();

if (!(await buildApp())) {
  console.error('The app could not be built. Run "npm ci" first.');
  process.exit(1);
}
const electron = choice === 'browser' ? { missing: 'chosen by hand' } : chooseElectron();
if ('path' in electron) openElectron(electron.path);
else openBrowserEntry(electron.missing);

/**
 * Reads the options. `--port` implies the browser entry, because only it listens.
 * @returns {{ choice: 'electron' | 'browser' | null, port: string | null }}
 */
function readOptions() {
  /** @type {import('node:util').ParseArgsConfig['options']} */
  const options = {
    electron: { type: 'boolean' },
    browser: { type: 'boolean' },
    port: { type: 'string' },
    help: { type: 'boolean' },
  };
  try {
    const { electron, browser, port, help } = parseArgs({ options }).values;
    if (help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (electron && browser) throw new Error('Choose one of --electron and --browser.');
    if (typeof port !== 'string')
      return { choice: electron ? 'electron' : browser ? 'browser' : null, port: null };
    if (electron) throw new Error('In Electron the app listens on no port.');
    if (!/^\d{1,5}$/.test(port) || Number(port) > 65535) throw new Error(`"${port}" is no port.`);
    return { choice: 'browser', port };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\nTo start the app: ${USAGE}`);
    process.exit(2);
  }
}

/** @returns {{ path: string } | { missing: string }} */
function chooseElectron() {
  if (choice !== 'electron' && !hasDisplay()) return { missing: 'there is no display' };
  const found = process.platform === 'linux' && isRoot ? { missing: ROOT } : findElectron();
  if (choice === 'electron' && 'missing' in found) {
    console.error(`Electron cannot be opened: ${found.missing}. Use another way: npm start -- --browser`);
    process.exit(1);
  }
  return found;
}

/** @param {string} path */
function openElectron(path) {
  console.log(`Wallet Ferry opens in Electron (${choice ? 'chosen by hand' : 'found on this machine'}).`);
  const startedAt = Date.now();
  const child = spawn(path, [root], { cwd: root, stdio: 'inherit' });
  const failed = (/** @type {string} */ why) => {
    if (choice !== 'electron' && Date.now() - startedAt < FAILED_START_MS) openBrowserEntry(why);
    else process.exit(1);
  };
  child.on('error', (error) => failed(`Electron did not start (${error.message})`));
  child.on('exit', (code, signal) => {
    if (code === 0) process.exit(0);
    failed(`Electron ended at once (${signal ?? code})`);
  });
}

/** @param {string} why */
function openBrowserEntry(why) {
  console.log(`Wallet Ferry opens in a browser: ${why}.`);
  const fixed = port === null ? [] : ['--port', port];
  const server = spawn(process.execPath, [join(root, 'out', 'main', 'serve.cjs'), ...fixed], {
    cwd: root,
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  /** @type {ReturnType<typeof openLink> | undefined} */
  let opening;
  const removeFile = () => opening?.remove();
  process.on('exit', removeFile);
  /** @type {NodeJS.Timeout | undefined} */
  let waiting;
  createInterface({ input: server.stdout }).on('line', (line) => {
    const { link } = JSON.parse(line);
    // The link was opened, or the next one replaces it.
    removeFile();
    if (link === undefined) return clearTimeout(waiting);
    console.log(`Open this link, once: ${link}`);
    // Chrome, Edge and Firefox resolve names below "localhost" to this machine by themselves.
    if (process.platform === 'darwin') {
      console.log('Safari may not find this address: open the link in Chrome, Edge or Firefox then.');
    }
    if (opening !== undefined) return;
    console.log(`${process.stdin.isTTY ? 'Enter gives a new link, ' : ''}Ctrl+C stops the app.`);
    opening = openLink(link, () => console.log('No browser could be opened: follow the link by hand.'));
    if (opening) waiting = setTimeout(explainSilence, BROWSER_MS, opening.file);
  });
  server.on('exit', (code) => process.exit(code ?? 0));
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(signal, () => server.kill(signal));
  }
}

/** @param {string} file */
function explainSilence(file) {
  console.log(
    `No browser has opened the link so far. A browser confined to a few folders (a snap, a Flatpak) cannot read ${file}. In that case, open the link above by hand.`,
  );
}
