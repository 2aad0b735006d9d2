/**
 * The browser entry: the same services behind a page on loopback, for machines without a desktop or an Electron
 * binary. `--port N` fixes the port; `WALLET_FERRY_DATA` the folder of what the app remembers. Prints one line of
 * JSON when ready: `{"origin", "link"}`, and `{"opened": true}` when a browser has opened the link; Enter prints a new
 * link. Ends with code 1 where another one uses that folder, another user could, or it cannot be written to.
 */
import './threads/ownLanguage.ts';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { errorShapeOf } from '../shared/errors.ts';
import { say } from '../shared/text/say.ts';
import { lockDataFolder } from './disk/lock/lockDataFolder.ts';
import { realOwnFolder, refuseSharedFolder } from './disk/lock/refuseSharedFolder.ts';
import { createBrowserHost } from './host/browser/browserHost.ts';
import { type HttpEntry, serveOverHttp } from './host/browser/http.ts';
import { leavingWords } from './host/leavingWords.ts';
import { notTakenWords } from './host/runsAlreadyWords.ts';
import { createServices } from './services.ts';
import { walletWork } from './threads/walletWork.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });

const namedFolder = process.env.WALLET_FERRY_DATA || appDataFolder();
orEnd(() => refuseSharedFolder(namedFolder));
const lock = lockDataFolder(namedFolder);
if (!lock.taken) {
  const { message, detail } = notTakenWords(namedFolder, lock);
  process.stderr.write(`${message}\n${detail}\n`);
  process.exit(1);
}
const dataFolder = orEnd(() => realOwnFolder(namedFolder));

const services = createServices({
  host: createBrowserHost(fileURLToPath(new URL('./engine.cjs', import.meta.url))),
  dataFolder,
  walletWork: walletWork(new URL('./walletThread.cjs', import.meta.url)),
  version: manifest.version,
});
const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));

serveOverHttp(services, pageFolder, Number(values.port)).then(begin, (error: Error) => {
  process.stderr.write(
    `${say('The app cannot listen on this computer: {error}', { error: error.message })}\n`,
  );
  end(1);
});

/** Where another user could change the folder of data. */
function orEnd<T>(look: () => T): T {
  try {
    return look();
  } catch (error) {
    const { message, hint } = errorShapeOf(error);
    process.stderr.write(`${message}\n${hint}\n`);
    process.exit(1);
  }
}

function begin(entry: HttpEntry): void {
  const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const printLink = () => {
    print({ origin: entry.origin, link: entry.newLink(() => print({ opened: true })) });
  };
  printLink();
  if (process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', printLink);
  process.once('SIGINT', () => stop(entry));
  process.once('SIGTERM', () => stop(entry));
}

function stop(entry: HttpEntry): void {
  const running = services.running();
  if (running.all > 0) {
    const { message, detail } = leavingWords(running);
    process.stderr.write(`${message}. ${detail}\n`);
  }
  void Promise.all([entry.close(), services.close()]).finally(() => end(0));
}

function end(code: number): void {
  if (lock.taken) lock.release();
  process.exit(code);
}

/** The folder Electron would use, so that both entries remember the same. */
function appDataFolder(): string {
  const home = homedir();
  if (process.platform === 'darwin')
    return join(home, 'Library', 'Application Support', manifest.productName);
  if (process.platform === 'win32') {
    return join(process.env.APPDATA || join(home, 'AppData', 'Roaming'), manifest.productName);
  }
  return join(process.env.XDG_CONFIG_HOME || join(home, '.config'), manifest.productName);
}
