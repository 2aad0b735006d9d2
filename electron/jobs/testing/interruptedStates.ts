/** For tests: the files of a real 31.0 that was killed during a migration, and the wallet before it. */
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import { z } from 'zod/mini';
import { once } from '../../walletfile/bytes/once.ts';

const fixtures = fileURLToPath(new URL('../../../e2e/fixtures/interrupted/', import.meta.url));

/** Each state with the cause that the app finds once the journal is rolled back. */
export const interruptedStates = [
  ['converting', 'legacy-records'],
  ['descriptors-half', 'legacy-records'],
  ['empty-descriptor', 'no-descriptors'],
  ['format', 'no-format'],
  ['legacy-in-sqlite', 'legacy-records'],
] as const;
export type InterruptedState = (typeof interruptedStates)[number][0];

/** The bytes of each file by its path, as `files.json` lists them. */
const files = once(() => {
  const listed = z.array(z.object({ path: z.string(), size: z.number() }));
  const all = brotliDecompressSync(readFileSync(join(fixtures, 'files.br')));
  let at = 0;
  return new Map(
    listed.parse(JSON.parse(readFileSync(join(fixtures, 'files.json'), 'utf8'))).map(({ path, size }) => {
      at += size;
      return [path, all.subarray(at - size, at)];
    }),
  );
});

/** When the node made its backup, in Unix seconds. */
export const BACKUP_TIME = 1_795_651_085;
/** When the node of one of the states was killed; of the others some seconds earlier or later. */
const KILLED_TIME = 1_795_652_323;

/** The wallet before its migration. */
export function wholeLegacy(): Buffer {
  const bytes = files().get('legacy.bak');
  if (bytes === undefined) throw new Error('The fixtures have no legacy wallet.');
  return bytes;
}

/**
 * Puts the files that the interruption left into the wallet's folder: the wallet and its journal. `killed`: when the node was killed,
 * in Unix seconds.
 */
export function writeInterruptedFiles(state: InterruptedState, folder: string, killed = KILLED_TIME): void {
  mkdirSync(folder, { recursive: true });
  for (const [path, bytes] of files()) {
    if (dirname(path) !== state) continue;
    const file = join(folder, basename(path));
    writeFileSync(file, bytes, { mode: 0o600 });
    utimesSync(file, killed, killed);
  }
}

/**
 * Puts the wallet into the wallets folder as the killed node left it, and the whole legacy backup where release 31 writes it. Returns
 * the paths of both.
 */
export function writeInterrupted(
  walletsFolder: string,
  state: InterruptedState,
  name = 'big',
): { file: string; backup: string } {
  const folder = join(walletsFolder, name);
  writeInterruptedFiles(state, folder);
  const backup = join(walletsFolder, `${name === '' ? 'default_wallet' : name}_${BACKUP_TIME}.legacy.bak`);
  writeFileSync(backup, wholeLegacy());
  return { file: join(folder, 'wallet.dat'), backup };
}
