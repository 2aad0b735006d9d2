/** Puts the test node's own folder, names and time into recorded texts. */
import { sep } from 'node:path';

export interface Substitution {
  dataFolder: string;
  /** The wallet's name in the recording and the one asked for now. */
  from: string;
  to: string;
  /** Unix seconds of the call, which name its backup. */
  time?: number;
}

/**
 * A recorded text as this node would say it. Names of the parts (`<name>_watchonly`) and of backups begin with
 * the wallet's name and follow it. The unnamed wallet is called `default wallet` in the log (release 25 to 31)
 * and `default_wallet` in file names, and lies in the wallets folder itself.
 */
export function substitute(
  text: string,
  { dataFolder, from, to, time = nowSeconds() }: Substitution,
): string {
  // Before the names are put in, because those can hold spaces.
  const local = text.replace(RECORDED_PATH, (path) => path.replaceAll('/', sep));
  const named =
    from === '' || from === to ? local : to === '' ? unnamed(local, from) : local.replaceAll(from, () => to);
  return named
    .replaceAll('{DATADIR}', () => dataFolder)
    .replace(/\d{10}(?=\.legacy\.bak)/g, () => String(time));
}

/** A recorded text with `dataFolder` in its paths, which become paths of this system. */
export function withDataFolder(text: string, dataFolder: string): string {
  return text.replace(
    RECORDED_PATH,
    (path) => dataFolder + path.slice('{DATADIR}'.length).replaceAll('/', sep),
  );
}

/** The same for a text that is JSON, where a path has its backslashes twice. */
export function withDataFolderInJson(text: string, dataFolder: string): string {
  return text.replace(RECORDED_PATH, (path) => JSON.stringify(withDataFolder(path, dataFolder)).slice(1, -1));
}

/** Recorded nodes ran on Linux. None of their paths goes on behind a space. */
const RECORDED_PATH = /\{DATADIR\}[^\s'")]*/g;

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function unnamed(text: string, from: string): string {
  if (text === from) return '';
  const folder = `${sep}wallets${sep}`;
  return text
    .replaceAll(`[${from}]`, '[default wallet]')
    .replaceAll(`${folder}${from}${sep}${from}-`, () => `${folder}-`)
    .replaceAll(`${folder}${from}${sep}`, () => folder)
    .replaceAll(`${from}_`, 'default_wallet_')
    .replaceAll(`Releasing wallet ${from}`, 'Releasing wallet ')
    .replaceAll(`${folder}${from}`, () => `${sep}wallets`)
    .replaceAll(`"${from}"`, '""');
}
