/** Locks the app's data folder for this process, or says why it cannot. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { say } from '../../shared/wording/say.ts';
import { isDiskFull } from '../files/fileError.ts';
import { type LockRefusal, lockDataFolder } from '../files/lock/processLock.ts';
import { realOwnFolder, refuseSharedFolder } from '../files/lock/refuseSharedFolder.ts';

/** `dataFolder`: its real path. `hint`: one sentence a line. */
type DataFolder =
  | { readonly taken: true; readonly dataFolder: string; release(): void }
  | { readonly taken: false; readonly message: string; readonly hint: string };

/** Fails if another Wallet Ferry uses the folder, another user could change it, or the app cannot write to it. */
export function takeDataFolder(folder: string): DataFolder {
  try {
    refuseSharedFolder(folder);
    const lock = lockDataFolder(folder);
    if (!lock.taken) return { taken: false, ...lockRefusalText(folder, lock) };
    try {
      return { taken: true, dataFolder: realOwnFolder(folder), release: lock.release };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    return { taken: false, ...errorShapeOf(error) };
  }
}

/** The folder that Electron uses, so that all entry points share their data. `WALLET_FERRY_DATA` names another one. */
export function defaultDataFolder(productName: string): string {
  const home = homedir();
  if (process.env.WALLET_FERRY_DATA) return process.env.WALLET_FERRY_DATA;
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', productName);
  if (process.platform === 'win32') {
    return join(process.env.APPDATA || join(home, 'AppData', 'Roaming'), productName);
  }
  return join(process.env.XDG_CONFIG_HOME || join(home, '.config'), productName);
}

/** Says why the app cannot lock the data folder, and what to do. `hint`: one sentence a line. */
export function lockRefusalText(dataFolder: string, refusal: LockRefusal): { message: string; hint: string } {
  const isHeld = refusal.why === 'held';
  return {
    message: isHeld ? say('Wallet Ferry is already running.') : say('Unusable data folder.'),
    hint: [
      ...(isHeld ? heldHints(dataFolder, refusal) : unusableHints(dataFolder, refusal)),
      say('Or set WALLET_FERRY_DATA to another.'),
      say('Nothing was changed.'),
    ].join('\n'),
  };
}

function heldHints(dataFolder: string, { pid, lockFile }: Refused<'held'>): string[] {
  const inUse = say('Another Wallet Ferry uses {dataFolder}.', { dataFolder });
  const useOther = say('Use that one, or quit it.');
  return pid === null
    ? [inUse, useOther, say('If it crashed, wait a minute.')]
    : [inUse, useOther, say('If process {pid} is another program, remove {lockFile}.', { pid, lockFile })];
}

function unusableHints(dataFolder: string, { code, lockFile }: Refused<'unusable'>): string[] {
  if (isDiskFull(code)) {
    return [say('Not enough space in {path}.', { path: dataFolder }), say('Make room and try again.')];
  }
  return [
    say('The app cannot write {lockFile} ({code}).', { lockFile, code: code ?? say('unknown') }),
    say('Make {dataFolder} yours and writable. If no Wallet Ferry runs, move {lockFile} away.', {
      dataFolder,
      lockFile,
    }),
  ];
}

type Refused<W extends LockRefusal['why']> = Extract<LockRefusal, { why: W }>;
