/** Simulates a power cut: a node's wallets folder loses everything that was written since each file was last flushed. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesBelow } from '../app/filesBelow.ts';

/** Compiles the library that records the node's flushes. Returns its path; null if this machine cannot. */
export function buildLostFlush(folder: string): string | null {
  if (process.platform !== 'linux') return null;
  const library = join(folder, 'lostFlush.so');
  const source = fileURLToPath(new URL('lostFlush.c', import.meta.url));
  try {
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl'], { stdio: 'ignore' });
    return library;
  } catch {
    return null;
  }
}

export interface PowerCut {
  /** The environment for the node. */
  readonly env: Readonly<Record<string, string>>;
  /** Records all files as flushed. Call it before the node works. */
  flushAll(): void;
  /** Reverts the folder to what was flushed. Call it once the node is killed. `isFlushed`: files that the app wrote. */
  takeUnflushed(isFlushed: (path: string) => boolean): void;
}

export function preparePowerCut(library: string, walletsFolder: string, keptFolder: string): PowerCut {
  mkdirSync(keptFolder, { recursive: true });
  const nameOf = (path: string) => path.slice(walletsFolder.length + 1).replaceAll('/', SLASH);
  return {
    env: { LD_PRELOAD: library, LOST_FLUSH_OF: walletsFolder, LOST_FLUSH_TO: keptFolder },
    flushAll() {
      for (const path of filesBelow(walletsFolder)) copyFileSync(path, join(keptFolder, nameOf(path)));
    },
    takeUnflushed(isFlushed) {
      const kept = new Set(readdirSync(keptFolder).filter((name) => !name.endsWith('.part')));
      for (const path of filesBelow(walletsFolder)) {
        if (kept.has(nameOf(path))) copyFileSync(join(keptFolder, nameOf(path)), path);
        else if (!isFlushed(path)) rmSync(path);
      }
      // SQLite does not flush the folder after it removes a journal, so the journal may come back.
      for (const name of kept) {
        const path = join(walletsFolder, name.replaceAll(SLASH, '/'));
        if (!name.endsWith('-journal') || existsSync(path) || !existsSync(dirname(path))) continue;
        if (readFileSync(join(keptFolder, name)).length > 0) copyFileSync(join(keptFolder, name), path);
      }
    },
  };
}

/** Replaces slashes in the names of kept files. No wallet has it in its name. */
const SLASH = '\u0001';
