/** How the app proves to a node who it is: a cookie file, a user and password, or nothing. */
import { open, stat } from 'node:fs/promises';
import { AppError } from '../../shared/errors.ts';
import type { NodeAddress } from '../../shared/node.ts';
import { say } from '../../shared/say.ts';
import { systemCode } from '../engine/systemCode.ts';

export type Credentials =
  | { readonly by: 'cookie'; readonly file: string }
  | { readonly by: 'password'; readonly user: string; readonly password: string }
  /** Sends none. Only to learn whether a node listens at all; it answers 401. */
  | { readonly by: 'none' };

/** A node that is known, and how to log in there. */
export interface NodeLogin {
  readonly label: string;
  readonly address: NodeAddress;
  readonly credentials: Credentials;
}

interface CredentialsProvider {
  /**
   * The value of the `Authorization` header, or null to send none. A cookie file is read anew each time: the
   * node writes a new one at each start, by renaming, so that a read never sees half of one.
   * Throws AppError `credentials_missing`.
   */
  header(): Promise<string | null>;
}

/** What turns credentials into a header. Never puts them, or what a file held, into an error. */
export function createCredentialsProvider(credentials: Credentials): CredentialsProvider {
  switch (credentials.by) {
    case 'none':
      return { header: async () => null };
    case 'password': {
      const header = basic(`${credentials.user}:${credentials.password}`);
      return { header: async () => header };
    }
    case 'cookie':
      return { header: async () => basic(await readCookie(credentials.file)) };
  }
}

/** Bitcoin Core writes `__cookie__:` and 64 hex digits. */
const LONGEST_COOKIE = 1000;
const COOKIE = /^__cookie__:[\x21-\x7e]+$/;

/** Only what looks like a cookie is sent: a file named by mistake must not travel to a node as a password. */
async function readCookie(file: string): Promise<string> {
  const text = (await readStart(file)).trimEnd();
  if (COOKIE.test(text)) return text;
  throw new AppError(
    'credentials_missing',
    say('The file {file} is not a cookie file of a node.', { file }),
    say(
      'Nothing was sent. Choose the file named .cookie in the data folder of the node, or log in with user and password.',
    ),
  );
}

async function readStart(file: string): Promise<string> {
  try {
    // Opening a pipe would wait for a writer, perhaps for ever.
    if (!(await stat(file)).isFile()) return '';
    const handle = await open(file, 'r');
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_COOKIE), 0, LONGEST_COOKIE, 0);
      return buffer.toString('utf8', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (thrown) {
    throw unreadable(file, thrown);
  }
}

function unreadable(file: string, thrown: unknown): AppError {
  const code = systemCode(thrown);
  if (code === 'EACCES' || code === 'EPERM') {
    return new AppError(
      'credentials_missing',
      say('The cookie file {file} cannot be read: this user is not allowed to.', { file }),
      say(
        'Nothing was sent. The node runs as another user. Run it with -rpccookieperms=group (release 28 and later), give your user the right to read the file, or log in with user and password.',
      ),
    );
  }
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return new AppError(
      'credentials_missing',
      say('There is no cookie file at {file}.', { file }),
      say(
        'Nothing was sent. A node makes this file when it starts and removes it when it stops, so the node is most likely not running. Start it and try again. If it is set to log in with user and password, use these.',
      ),
    );
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new AppError(
      'credentials_missing',
      say(
        'The cookie file {file} cannot be opened just now: too many files and connections are open on this computer.',
        { file },
      ),
      say('Nothing was sent. End programs that you do not need, wait a moment, and try again.'),
    );
  }
  return new AppError(
    'credentials_missing',
    say('The cookie file {file} cannot be read ({code}).', { file, code: code ?? '?' }),
    say('Nothing was sent. Try again, or log in with user and password.'),
  );
}

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`;
}
