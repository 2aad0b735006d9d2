/** The engine's `debug.log`: a line per event, with the same words a node uses for the phases of its work. */
import { closeSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { oneLine } from '../../../shared/model/names/visibleText.ts';
import { NoFileError, openToAdd } from '../../files/openFile.ts';
import { notOpened } from './engineError.ts';

export type EngineLog = ReturnType<typeof openEngineLog>;

/**
 * Opens the log to add to it; the file is for its owner only. Lines are written at once and in order, so that who
 * follows the file sees a phase when it begins. A full disk must not stop a migration: a line that cannot be
 * written is dropped. Throws EngineError for a file that is a link, a pipe, another user's or of two names.
 */
export function openEngineLog(path: string, now: () => Date = () => new Date()) {
  mkdirSync(dirname(path), { recursive: true });
  let file: number;
  try {
    file = openToAdd(path);
  } catch (error) {
    throw error instanceof NoFileError ? notOpened('The log file', path, error) : error;
  }
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
    /** Adds a line with a time stamp. Never give it a passphrase, a key or a cookie. */
    write,
    /** A line about one wallet: `[name] text`. */
    ofWallet: (name: string, text: string) => write(`[${name === '' ? 'default wallet' : name}] ${text}`),
    close: () => {
      if (!open) return;
      open = false;
      closeSync(file);
    },
  };
}
