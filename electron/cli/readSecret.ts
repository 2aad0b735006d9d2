/** Reads a secret from a file descriptor. */
import { createReadStream } from 'node:fs';
import { isatty } from 'node:tty';
import { say } from '../../shared/wording/say.ts';
import { readBoundedBody } from '../http/boundedBody.ts';
import { UsageError } from './commandLine.ts';

/**
 * Reads everything, without the last line break. Throws UsageError if it can read nothing, and for a terminal, which would
 * show the typed text.
 */
export async function readSecret(fd: number): Promise<string> {
  if (isatty(fd))
    throw new UsageError(say('File descriptor {fd} is the terminal: leave the option out.', { fd }));
  // Standard input is non-blocking in Node: only its own stream waits for data.
  // Leave others open: another file could otherwise get the number.
  const stream = fd === 0 ? process.stdin : createReadStream('', { fd, autoClose: false });
  const text = await readBoundedBody(stream, MOST_BYTES).catch(() => {
    throw new UsageError(say('File descriptor {fd} cannot be read.', { fd }));
  });
  if (text === null) throw new UsageError(say('File descriptor {fd} sends too much data.', { fd }));
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(say('File descriptor {fd} is empty.', { fd }));
  return secret;
}

const MOST_BYTES = 100_000;
