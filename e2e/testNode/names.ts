/** Puts the test node's folder, wallet names and time into recorded texts. */
import { sep } from 'node:path';

export interface Substitution {
  dataFolder: string;
  /** The wallet's name in the recording. */
  from: string;
  /** The wallet's name on this node. */
  to: string;
  /** The Unix time of the call, in seconds. It is part of the backup's name. */
  time?: number;
}

/**
 * Adapts a recorded text to this node. The names of watch-only and solvables wallets and of backups begin with the
 * wallet's name, and change with it. The unnamed wallet is called `default wallet` in the log (releases 25 to 31) and
 * `default_wallet` in file names. Its file lies in the wallets folder itself.
 */
export function substitute(
  text: string,
  { dataFolder, from, to, time = nowSeconds() }: Substitution,
): string {
  // First, because the names can contain spaces, where RECORDED_PATH ends.
  const local = text.replace(RECORDED_PATH, (path) => path.replaceAll('/', sep));
  const named =
    from === '' || from === to ? local : to === '' ? unnamed(local, from) : local.replaceAll(from, () => to);
  return named
    .replaceAll('{DATADIR}', () => dataFolder)
    .replace(/\d{10}(?=\.legacy\.bak)/g, () => String(time));
}

/** Puts `dataFolder` into the paths of a recorded text, and turns them into paths of this system. */
export function withDataFolder(text: string, dataFolder: string): string {
  return text.replace(
    RECORDED_PATH,
    (path) => dataFolder + path.slice('{DATADIR}'.length).replaceAll('/', sep),
  );
}

/** The same for JSON, where a path has each backslash twice. */
export function withDataFolderInJson(text: string, dataFolder: string): string {
  return text.replace(RECORDED_PATH, (path) => JSON.stringify(withDataFolder(path, dataFolder)).slice(1, -1));
}

/** The recorded nodes ran on Linux. None of their paths contains a space. */
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
