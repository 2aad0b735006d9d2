/** A secret from a file descriptor, for programs that hold it. */
import { createReadStream } from 'node:fs';
import { isatty } from 'node:tty';
import { say } from '../../../shared/text/say.ts';
import { UsageError } from './commandLine.ts';

/**
 * All that is to be read, without the end of its last line. Throws UsageError where nothing can be read, and for a
 * terminal, which would show what is typed.
 */
export async function readSecret(fd: number): Promise<string> {
  if (isatty(fd))
    throw new UsageError(say('File descriptor {fd} is the terminal: leave the option out.', { fd }));
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // Node has made the standard input one that does not wait: only its own stream does.
    for await (const chunk of fd === 0 ? process.stdin : createReadStream('', { fd })) {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MOST_BYTES) break;
    }
  } catch {
    throw new UsageError(say('File descriptor {fd} cannot be read.', { fd }));
  }
  if (size > MOST_BYTES) throw new UsageError(say('File descriptor {fd} holds too much.', { fd }));
  const secret = Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(say('File descriptor {fd} is empty.', { fd }));
  return secret;
}

const MOST_BYTES = 100_000;
