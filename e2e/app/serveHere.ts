/**
 * Serves the browser entry, composed as in `electron/serve.ts`, from the process of the specs. Each spec has its own app,
 * home and data folder, but they share threads, which saves time.
 */
import '../../electron/backend/setLanguage.ts';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createServices } from '../../electron/backend/services.ts';
import { takeDataFolder } from '../../electron/backend/takeDataFolder.ts';
import { createBrowserHost } from '../../electron/web/browserHost.ts';
import { serveOverHttp } from '../../electron/web/http.ts';
import { createWalletWork } from '../../electron/workers/walletWork.ts';
import type { OpenOptions } from './app.ts';
import type { Served } from './openBrowser.ts';

const built = fileURLToPath(new URL('../../out', import.meta.url));
const work = createWalletWork(pathToFileURL(join(built, 'main/walletThread.cjs')));

function none(): never {
  throw new Error('This app has no process of its own: open it with `ownProcess`.');
}

/** Serves one app at a time. Throws if the data folder is refused. */
export async function serveHere({
  home,
  dataFolder: named,
}: Pick<OpenOptions, 'home' | 'dataFolder'>): Promise<Served> {
  // The app reads these variables when it needs them, and passes them to the engine.
  process.env.HOME = home;
  process.env.XDG_CONFIG_HOME = join(home, '.config');
  const data = takeDataFolder(named);
  if (!data.taken) throw new Error(`${data.message} ${data.hint}`);
  const { dataFolder, release } = data;
  const services = createServices({
    host: createBrowserHost(join(built, 'main/engine.cjs')),
    dataFolder,
    walletWork: work,
    version: '0.0.0',
    reconnects: true,
  });
  const entry = await serveOverHttp(services, join(built, 'renderer'));
  let stopped: Promise<void> | null = null;
  return {
    http: { origin: entry.origin, link: entry.newLink() },
    output: none,
    kill: none,
    stop() {
      stopped ??= Promise.all([entry.close(), services.close()]).then(release);
      return stopped;
    },
  };
}
