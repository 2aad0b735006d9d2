/**
 * The terminal entry point: the services behind a command line. `WALLET_FERRY_DATA` or `--data DIR` names the app's data
 * folder; `--help` lists the rest.
 */
import './backend/setLanguage.ts';
import { fileURLToPath } from 'node:url';
import manifest from '../package.json' with { type: 'json' };
import { createServices } from './backend/services.ts';
import { defaultDataFolder } from './backend/takeDataFolder.ts';
import { runFerry } from './cli/runFerry.ts';
import { keepCompiledCode } from './files/sharedFolder.ts';
import { createBrowserHost } from './web/browserHost.ts';
import { createWalletWork } from './workers/walletWork.ts';

const { version, productName } = manifest;

runFerry({
  args: process.argv.slice(2),
  program: 'npm run ferry --',
  version,
  dataFolder: defaultDataFolder(productName),
  openServices: (dataFolder) => {
    keepCompiledCode(dataFolder);
    return createServices({
      host: createBrowserHost(fileURLToPath(new URL('./engine.cjs', import.meta.url))),
      dataFolder,
      walletWork: createWalletWork(new URL('./walletThread.cjs', import.meta.url)),
      version,
      fromTerminal: true,
    });
  },
}).then((code) => process.exit(code));
