/** For tests: the files of a real 31.0 that was killed during a migration, and the wallet before it. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { once } from '../../walletfile/bytes/once.ts';
import { foreignAreHere } from '../../walletfile/testing/foreignWallets.ts';

const folder = fileURLToPath(new URL('../../../../shared/fixtures/', import.meta.url));

/** Each state with the cause that the app finds once the journal is rolled back. */
export const interruptedStates = [
  ['converting', 'legacy-records'],
  ['descriptors-half', 'legacy-records'],
  ['empty-descriptor', 'no-descriptors'],
  ['format', 'no-format'],
  ['legacy-in-sqlite', 'legacy-records'],
] as const;
export type InterruptedState = (typeof interruptedStates)[number][0];

/** Whether the files and the programs that unpack them are on this machine. */
export const interruptedAreHere =
  foreignAreHere && existsSync(join(folder, 'interrupted')) && process.platform === 'linux';

/** The files that the interruption left, as an archive. */
export function interruptedFiles(state: InterruptedState): string {
  return join(folder, 'interrupted', state, 'files.tar.xz');
}

/** The wallet before its migration. */
export const wholeLegacy = once(() =>
  execFileSync('xz', ['-dc', join(folder, 'bench', 'legacy-many-1000.dat.xz')], { maxBuffer: 2 ** 28 }),
);

/** When the node made its backup, in Unix seconds. */
export const BACKUP_TIME = 1_795_651_085;

/**
 * Puts the wallet into the wallets folder as the killed node left it, and the whole legacy backup where release 31 writes it. Returns
 * the paths of both.
 */
export function layInterrupted(
  walletsFolder: string,
  state: InterruptedState,
  name = 'big',
): { file: string; backup: string } {
  const file = join(walletsFolder, name, 'wallet.dat');
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('tar', ['-xJf', interruptedFiles(state), '-C', dirname(file)]);
  const backup = join(walletsFolder, `${name === '' ? 'default_wallet' : name}_${BACKUP_TIME}.legacy.bak`);
  writeFileSync(backup, wholeLegacy());
  return { file, backup };
}
