/** The engine's `debug.log`: one line per event. Phases have the same words as in a node's log. */
import { closeSync, mkdirSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { oneLine } from '../../../shared/model/names/visibleText.ts';
import { NoFileError, openToAdd } from '../../files/openFile.ts';
import { notOpenedError } from './engineError.ts';

export type EngineLog = ReturnType<typeof openEngineLog>;

/**
 * Opens the log to append to it; only its owner may read the file. Writes each line at once, so that a program that
 * follows the file sees a phase begin. A full disk must not stop a migration, so a failed write is ignored. Throws
 * EngineError for a link, a pipe, another user's file or a file with two names.
 */
export function openEngineLog(path: string, now: () => Date = () => new Date()) {
  mkdirSync(dirname(path), { recursive: true });
  let file: number;
  try {
    file = openToAdd(path);
  } catch (error) {
    throw error instanceof NoFileError ? notOpenedError('The log file', path, error) : error;
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
      // A failed write must not stop the engine.
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
