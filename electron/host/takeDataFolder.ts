/** Takes the folder of the app's data for this process, for the doors that open no window. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorShapeOf } from '../../shared/errors.ts';
import { lockDataFolder } from '../disk/lock/lockDataFolder.ts';
import { realOwnFolder, refuseSharedFolder } from '../disk/lock/refuseSharedFolder.ts';
import { notTakenWords } from './runsAlreadyWords.ts';

/** `dataFolder` is its real path. `hint`: a sentence a line. */
type DataFolder =
  | { readonly taken: true; readonly dataFolder: string; release(): void }
  | { readonly taken: false; readonly message: string; readonly hint: string };

/** Refused where another Wallet Ferry uses it, another user could change it, or it cannot be written to. */
export function takeDataFolder(named: string): DataFolder {
  try {
    refuseSharedFolder(named);
    const lock = lockDataFolder(named);
    if (!lock.taken) {
      const { message, detail } = notTakenWords(named, lock);
      return { taken: false, message, hint: detail };
    }
    try {
      return { taken: true, dataFolder: realOwnFolder(named), release: lock.release };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    return { taken: false, ...errorShapeOf(error) };
  }
}

/** The folder that Electron would use, so that all doors remember the same. `WALLET_FERRY_DATA` names another one. */
export function usualDataFolder(productName: string): string {
  const home = homedir();
  if (process.env.WALLET_FERRY_DATA) return process.env.WALLET_FERRY_DATA;
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', productName);
  if (process.platform === 'win32') {
    return join(process.env.APPDATA || join(home, 'AppData', 'Roaming'), productName);
  }
  return join(process.env.XDG_CONFIG_HOME || join(home, '.config'), productName);
}
