/** How the app logs in to a node: with a cookie file, a user and password, or nothing. */
import { lstat } from 'node:fs/promises';
import { AppError } from '../../../shared/model/errors.ts';
import { type Listener, type NodeAddress, type NodeStatus, ROOT_USER } from '../../../shared/model/node.ts';
import { asSentence, notSent } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { isGone } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import { stateMarkOf } from '../../files/fileMark.ts';
import { firstBytes, NoFileError, openUnlinked } from '../../files/openFile.ts';

export type Credentials =
  | CookieLogin
  | {
      readonly by: 'password';
      readonly user: string;
      readonly password: string;
      /** For a password from a file: the user ids whose node may receive it. */
      readonly owners?: readonly number[];
    }
  /** Sends no login, only to learn whether a node listens; it answers 401. */
  | { readonly by: 'none' };

interface CookieLogin {
  readonly by: 'cookie';
  readonly cookieFile: string;
  /** Only for the offline engine: if this folder is gone, that is why the cookie is. */
  readonly walletsFolder?: string;
}

/** A known node, and how to log in to it. */
export interface NodeLogin {
  readonly label: string;
  readonly address: NodeAddress;
  readonly credentials: Credentials;
  /** The folder of its network in its data folder. Absent: that of the cookie file, if it has one. */
  readonly chainFolder?: string;
  /** The newest status that the app read from it. */
  readonly status?: NodeStatus | undefined;
}

/** The other end of a connection. */
export interface Peer {
  /** Whether it is on this machine. */
  readonly here: boolean;
  readonly listener: Listener | null;
}

/** A login and its allowed peers, read together so that they always match. */
export interface Authorization {
  /** The `Authorization` header, or null to send none. */
  readonly header: string | null;
  /** Throws AppError `credentials_missing` if the peer must not receive this login. */
  admit(peer: Peer): void;
}

/**
 * Reads the current login and its allowed peers. A cookie, or a password from a file, goes only to this machine and,
 * if the system shows who listens, only to the file's owner. Looks at a cookie file each time, and reads it again once it
 * changed: the node replaces it at each start by a rename, so a read never sees half of it. Calls that run at once share one read.
 * `latest` takes the login of the call before without a look, `afresh` reads the file in any case: a shared folder may show an old
 * state of it. Returns the same object while nothing changed. Throws AppError `credentials_missing`, which contains neither login nor
 * file content.
 */
export type ReadLogin = (how?: 'latest' | 'afresh') => Promise<Authorization>;

export function createLogin(credentials: Credentials): ReadLogin {
  switch (credentials.by) {
    case 'none': {
      const none: Authorization = { header: null, admit: () => undefined };
      return async () => none;
    }
    case 'password': {
      const { user, password, owners } = credentials;
      const authorization = authorizationOf(`${user}:${password}`, 'bitcoin.conf', owners);
      return async () => authorization;
    }
    case 'cookie': {
      const { cookieFile: file } = credentials;
      let newest: { readonly cookie: Cookie; readonly authorization: Authorization } | null = null;
      let reading: Promise<Cookie> | null = null;
      return async (how) => {
        if (how === 'latest' && newest !== null) return newest.authorization;
        const afresh = how === 'afresh';
        const own =
          (afresh ? null : reading) ?? readCookie(credentials, afresh ? null : (newest?.cookie ?? null));
        reading = own;
        const cookie = await own.finally(() => {
          if (reading === own) reading = null;
        });
        const isSame = newest?.cookie.text === cookie.text && newest.cookie.owner === cookie.owner;
        const authorization =
          isSame && newest ? newest.authorization : authorizationOf(cookie.text, file, [cookie.owner]);
        newest = { cookie, authorization };
        return authorization;
      };
    }
  }
}

/** A cookie, and the user id of its file's owner. */
interface Cookie {
  readonly text: string;
  readonly owner: number;
  /** The state of the file. */
  readonly mark: string;
}

/** Without `owners` anyone may receive it. `file` is where a password was found. */
function authorizationOf(userAndPassword: string, file: string, owners?: readonly number[]): Authorization {
  return {
    header: `Basic ${Buffer.from(userAndPassword, 'utf8').toString('base64')}`,
    admit: (peer) => {
      if (owners && !belongsTo(peer, owners)) throw wrongOwnerError(file, peer);
    },
  };
}

/** Root and this user's own programs, such as a tunnel, may receive it too: they can read the file anyway. */
function belongsTo({ here, listener }: Peer, owners: readonly number[]): boolean {
  if (!here) return false;
  if (listener === null) return true;
  return [...owners, ROOT_USER, process.getuid?.()].includes(listener.user);
}

/** Bitcoin Core writes `__cookie__:` and 64 hex digits. */
const MAX_COOKIE_LENGTH = 1000;
const COOKIE = /^__cookie__:[\x21-\x7e]+$/;

/**
 * `before`: what the file held before; it is not read again if it is unchanged. Sends only what looks like a cookie: a file chosen by
 * mistake must not go to a node as a password.
 */
async function readCookie(login: CookieLogin, before: Cookie | null): Promise<Cookie> {
  const { cookieFile: file, walletsFolder } = login;
  try {
    if (before !== null && stateMarkOf(await lstat(file, { bigint: true })) === before.mark) return before;
    await using handle = await openUnlinked(file);
    const text = (await firstBytes(handle, MAX_COOKIE_LENGTH)).toString('utf8').trimEnd();
    if (!COOKIE.test(text)) throw notACookieError(file);
    const stats = await handle.stat({ bigint: true });
    return { text, owner: Number(stats.uid), mark: stateMarkOf(stats) };
  } catch (thrown) {
    if (walletsFolder !== undefined && isGone(walletsFolder))
      throw credentialsError(
        say('No folder {path}.', { path: walletsFolder }),
        say('Connect the wallets folder’s disk.'),
      );
    throw thrown instanceof AppError ? thrown : unreadableCookieError(file, thrown);
  }
}

function unreadableCookieError(file: string, thrown: unknown): AppError {
  const code = systemCode(thrown);
  if (thrown instanceof NoFileError && thrown.reason !== 'link') return notACookieError(file);
  switch (code) {
    // A link, EMLINK on FreeBSD, could lead to another node's cookie at any time.
    case 'ELOOP':
    case 'EMLINK':
      return credentialsError(
        say('The cookie file {file} is a link.', { file }),
        notSent(say('Choose the file itself.')),
      );
    case 'EACCES':
    case 'EPERM':
      return credentialsError(
        say('You are not allowed to open {path}.', { path: file }),
        say('Log in with a password, or start the node with -rpccookieperms=group.'),
      );
    case 'ENOENT':
    case 'ENOTDIR':
      return credentialsError(
        say('No cookie file {file}.', { file }),
        say('Start the node, or log in with a password.'),
      );
    case 'EMFILE':
    case 'ENFILE':
      return credentialsError(
        say('Too many open files and connections.'),
        notSent(say('Close other programs and try again.')),
      );
    default:
      return credentialsError(
        say('Unreadable cookie file {file} ({code}).', { file, code: code ?? '?' }),
        asSentence(say('Log in by hand')),
      );
  }
}

function notACookieError(file: string): AppError {
  return credentialsError(
    say('{file} is not a cookie file.', { file }),
    say('Choose “.cookie” in the node’s data folder.'),
  );
}

/** `file` is the file that contains the login. */
function wrongOwnerError(file: string, { here }: Peer): AppError {
  return here
    ? credentialsError(
        say('Another user listens there, not the owner of {file}.', { file }),
        notSent(say('Your node? Connect by hand. If not, its port was taken.')),
      )
    : credentialsError(
        say('This login works only on this computer.'),
        notSent(say('Log in with a password, or through a tunnel.')),
      );
}

function credentialsError(message: string, hint: string): AppError {
  return new AppError('credentials_missing', message, hint);
}
