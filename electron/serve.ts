/**
 * The browser entry point: the services behind a page on loopback, for machines without a desktop or Electron. `--port N`
 * sets the port, `WALLET_FERRY_DATA` the data folder. Prints one line of JSON when ready, `{"origin", "link"}`, and
 * `{"opened": true}` when a browser has opened the link. Enter prints a new link. Exits with code 1 if another Wallet
 * Ferry uses the data folder, another user could change it, or the app cannot write to it.
 */
import './backend/setLanguage.ts';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import manifest from '../package.json' with { type: 'json' };
import { say } from '../shared/wording/say.ts';
import { leavingWords } from './backend/host.ts';
import { createServices } from './backend/services.ts';
import { defaultDataFolder, takeDataFolder } from './backend/takeDataFolder.ts';
import { keepCompiledCode } from './files/sharedFolder.ts';
import { createBrowserHost } from './web/browserHost.ts';
import { type HttpEntry, serveOverHttp } from './web/http.ts';
import { createWalletWork } from './workers/walletWork.ts';

const { values } = parseArgs({ options: { port: { type: 'string', default: '0' } } });

const data = takeDataFolder(defaultDataFolder(manifest.productName));
if (!data.taken) {
  process.stderr.write(`${data.message}\n${data.hint}\n`);
  process.exit(1);
}
const { dataFolder, release } = data;

keepCompiledCode(dataFolder);
const services = createServices({
  host: createBrowserHost(fileURLToPath(new URL('./engine.cjs', import.meta.url))),
  dataFolder,
  walletWork: createWalletWork(new URL('./walletThread.cjs', import.meta.url)),
  version: manifest.version,
  reconnects: true,
});
const pageFolder = fileURLToPath(new URL('../renderer', import.meta.url));

const serving = serveOverHttp(services, pageFolder, Number(values.port));
// Listen for signals before printing the link: its reader may end the app at once.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
// A closed terminal breaks these streams. The app must still shut down properly.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
serving.then(printLinks, (error: Error) => {
  process.stderr.write(`${say('Cannot listen here: {error}', { error: error.message })}\n`);
  end(1);
});

function printLinks(entry: HttpEntry): void {
  const print = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
  const printLink = () => {
    print({ origin: entry.origin, link: entry.newLink(() => print({ opened: true })) });
  };
  printLink();
  if (process.stdin.isTTY) createInterface({ input: process.stdin }).on('line', printLink);
}

function stop(): void {
  const running = services.running();
  if (running.length > 0) {
    const { message, detail } = leavingWords(running);
    process.stderr.write(`${message}. ${detail}\n`);
  }
  const closing = serving.then((entry) => Promise.all([entry.close(), services.close()]));
  void closing.finally(() => end(0));
}

function end(code: number): void {
  release();
  process.exit(code);
}
