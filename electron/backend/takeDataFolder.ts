/** Takes the folder of the app's data for this process, or says why it cannot have it. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { errorShapeOf } from '../../shared/wording/errorWords.ts';
import { say } from '../../shared/wording/say.ts';
import { type LockRefusal, lockDataFolder } from '../files/lock/lockDataFolder.ts';
import { realOwnFolder, refuseSharedFolder } from '../files/lock/refuseSharedFolder.ts';
import { isOfFullDisk } from '../files/systemCode.ts';

/** `dataFolder` is its real path. `hint`: a sentence a line. */
type DataFolder =
  | { readonly taken: true; readonly dataFolder: string; release(): void }
  | { readonly taken: false; readonly message: string; readonly hint: string };

/** Refused where another Wallet Ferry uses it, another user could change it, or it cannot be written to. */
export function takeDataFolder(named: string): DataFolder {
  try {
    refuseSharedFolder(named);
    const lock = lockDataFolder(named);
    if (!lock.taken) return { taken: false, ...notTakenWords(named, lock) };
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

/** Why the app does not begin on this folder of data. `hint`: a sentence a line. */
export function notTakenWords(dataFolder: string, refusal: LockRefusal): { message: string; hint: string } {
  const isHeld = refusal.why === 'held';
  return {
    message: isHeld ? say('Wallet Ferry runs already.') : say('Wallet Ferry cannot use its data folder.'),
    hint: [
      ...(isHeld ? heldWords(dataFolder, refusal) : unusableWords(dataFolder, refusal)),
      say('Or name another folder in WALLET_FERRY_DATA.'),
      say('Nothing was changed.'),
    ].join('\n'),
  };
}

function heldWords(dataFolder: string, { pid, lockFile }: Refused<'held'>): string[] {
  const others = say('Use that one, or end it.');
  return pid === null
    ? [
        say('Another Wallet Ferry uses {dataFolder}.', { dataFolder }),
        others,
        say('After a forced end, wait a minute.'),
      ]
    : [
        say('Another Wallet Ferry (process {pid}) uses {dataFolder}.', { pid, dataFolder }),
        others,
        say('If process {pid} is another program, remove {lockFile}.', { pid, lockFile }),
      ];
}

function unusableWords(dataFolder: string, { code, lockFile }: Refused<'unusable'>): string[] {
  if (isOfFullDisk(code)) {
    return [say('The disk of {dataFolder} is full.', { dataFolder }), say('Make room and start again.')];
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
