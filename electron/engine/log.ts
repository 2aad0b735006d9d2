/** The engine's `debug.log`: a line per event, with the same words a node uses for the phases of its work. */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

export interface EngineLog {
  readonly path: string;
  /** Adds a line with a time stamp. Never give it a passphrase, a key or a cookie. */
  write(text: string): void;
  /** A line about one wallet: `[name] text`. */
  ofWallet(name: string, text: string): void;
  close(): void;
}

/**
 * Opens the log to add to it; the file is for its owner only. Lines are written at once and in order, so that who
 * follows the file sees a phase when it begins. A full disk must not stop a migration: a line that cannot be
 * written is dropped.
 */
export function openEngineLog(path: string, now: () => Date = () => new Date()): EngineLog {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'a', 0o600);
  let open = true;
  const write = (text: string) => {
    if (!open) return;
    const stamp = now()
      .toISOString()
      .replace(/\.\d+Z$/, 'Z');
    try {
      writeSync(file, `${stamp} ${oneLine(text)}\n`);
    } catch {
      // See above.
    }
  };
  return {
    path,
    write,
    ofWallet: (name, text) => write(`[${name === '' ? 'default wallet' : name}] ${text}`),
    close: () => {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}

/** A wallet's name may hold a line break, which must not begin a line of its own. */
function oneLine(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}
