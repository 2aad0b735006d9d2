/**
 * Explains a node's errors by the RPC error number or the HTTP status, never by the message, and errors of the connection: not
 * connected, lost, timed out, or not a node.
 */
import { AppError, type ErrorCode, type NodeError } from '../../../shared/model/errors.ts';
import { authorityOf, type NodeAddress } from '../../../shared/model/node.ts';
import {
  asSentence,
  backupUnchanged,
  nothingChanged,
  notSent,
  walletUnchanged,
} from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';
import { systemCode } from '../../files/fileError.ts';

/** The error for a JSON-RPC error object. Keeps the node's message. */
export function rpcError(method: string, code: number, message: string): AppError {
  const words: NodeError = { code, message: message.slice(0, MAX_MESSAGE_LENGTH) };
  if (code === RPC_IN_WARMUP)
    return new AppError(
      'starting_up',
      say('The node is starting up: {words}', { words: words.message }),
      say('This can take minutes.'),
      words,
    );
  if (code === RPC_METHOD_NOT_FOUND) return unknownMethodError(method, words);
  const [ours, ...usual] = meanings[code] ?? ['rpc_error', ...NODE_ERROR];
  const [says, hint] = MEANINGS_BY_METHOD[method]?.[code] ?? usual;
  const cause = DISK_FULL.test(message) ? `${asSentence(say('Not enough space'))} ` : '';
  return new AppError(ours, `${cause}${says}`, hint, words);
}

/** The error for an HTTP status without a JSON-RPC answer; null for a status that means nothing by itself. */
export function httpError(method: string, status: number, sentCredentials: boolean): AppError | null {
  if (status === 403) {
    return new AppError(
      'forbidden',
      say('This login is not allowed to call {method}.', { method }),
      say('Check -rpcwhitelist and -rpcallowip.'),
    );
  }
  const refusal = status === 401 && !sentCredentials ? noLogin : statuses[status];
  return refusal ? new AppError(...refusal) : null;
}

/** The node runs without wallet support. */
export function noWalletSupportError(words?: NodeError): AppError {
  return new AppError(
    'no_wallet_support',
    say('This node runs without wallets.'),
    say('Start it without -disablewallet, or use another.'),
    words,
  );
}

/** Longer than any release's messages, so that an answer cannot flood the page. */
const MAX_MESSAGE_LENGTH = 20_000;

/** Numbers of `src/rpc/protocol.h`. */
const RPC_IN_WARMUP = -28;
const RPC_METHOD_NOT_FOUND = -32601;

/** The first release with each of these methods. */
const FIRST_RELEASES: Readonly<Record<string, string>> = { restorewallet: '23', migratewallet: '24' };

/** Wallet methods of every supported release: a node without one of them has no wallet support. */
const WALLET_METHODS = new Set([
  'listwallets',
  'listwalletdir',
  'getwalletinfo',
  'backupwallet',
  'loadwallet',
  'unloadwallet',
  'walletpassphrase',
]);

function unknownMethodError(method: string, words: NodeError): AppError {
  if (WALLET_METHODS.has(method)) return noWalletSupportError(words);
  const release = FIRST_RELEASES[method];
  if (release !== undefined) {
    return new AppError(
      'unknown_method',
      say('{method} is new in release {release}.', { method, release }),
      say('Use release {release} or later, with wallets on.', { release }),
      words,
    );
  }
  return new AppError(
    'unknown_method',
    say('This node does not know {method}.', { method }),
    perhapsNewer,
    words,
  );
}

/** The message and the hint. */
type Words = readonly [string, string];

const NO_FILE_TOUCHED = say('The app touched no wallet file.');
/** The words of the engine, and of the system, which nodes repeat. */
const DISK_FULL = /not enough space|no space left on device/i;
const NODE_ERROR: Words = [say('The node reported an error.'), NO_FILE_TOUCHED];
const perhapsNewer = say('Nothing was done. The app may not know this release.');
const malformed: Words = [say('The node did not understand the call.'), perhapsNewer];

type Meaning = readonly [ErrorCode, ...Words];

const noLogin: Meaning = [
  'credentials_missing',
  say('The node asks for a login.'),
  asSentence(say('Log in by hand')),
];
const statuses: Readonly<Record<number, Meaning>> = {
  401: [
    'credentials_refused',
    say('The node refused the login.'),
    say('Check user, password or cookie file.'),
  ],
  503: ['busy', say('The node is too busy.'), nothingChanged(say('Try again in a moment.'))],
};

const meanings: Readonly<Record<number, Meaning>> = {
  [-1]: ['misc_error', ...NODE_ERROR],
  [-3]: ['wrong_type', ...malformed],
  [-4]: ['wallet_error', say('The node reported an error.'), NO_FILE_TOUCHED],
  [-8]: [
    'invalid_parameter',
    say('The node refused a value.'),
    nothingChanged(say('The node’s message says why.')),
  ],
  [-13]: ['wallet_unlock_needed', say('Encrypted and locked.'), say('Type the passphrase.')],
  [-14]: [
    'wrong_passphrase',
    say('Wrong passphrase.'),
    nothingChanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  [-15]: ['wallet_wrong_encryption_state', say('The wallet is not encrypted.'), nothingChanged()],
  [-18]: ['wallet_not_found', say('Not loaded.'), say('It may still be loading.')],
  [-19]: ['wallet_not_specified', ...NODE_ERROR],
  [-35]: ['wallet_already_loaded', say('Already loaded.'), say('Nothing to do here.')],
  [-36]: ['wallet_already_exists', say('This name is taken.'), nothingChanged(say('Choose another name.'))],
  [-32600]: ['invalid_request', ...malformed],
  [-32602]: ['invalid_request', ...malformed],
  [-32700]: ['invalid_request', ...malformed],
};

/** After a backup that the node could not write. */
export const CHECK_FOLDER = say('Check the folder and free space, on the node’s machine, as its user.');

/** Narrower meanings for single methods. The recordings show what happened to the files. */
const MEANINGS_BY_METHOD: Readonly<Record<string, Readonly<Record<number, Words>>>> = {
  restorewallet: {
    // Releases before 30 answer so if they cannot remove what a failed try left in the new wallet's folder.
    [-1]: [
      say('The node could not load the wallet.'),
      backupUnchanged(say('Damaged? Files may remain in the wallets folder.')),
    ],
    [-8]: [
      say('The node refused the path or name.'),
      nothingChanged(say('The node reads it on its machine, as its user.')),
    ],
    [-18]: [
      say('The node cannot open this wallet.'),
      nothingChanged(
        `${say('It may be damaged or not a wallet.')} ${say('From release 30 on, migrate legacy wallets first.')}`,
      ),
    ],
    [-4]: [say('The node could not load the wallet.'), backupUnchanged(say('The node’s message says why.'))],
  },
  migratewallet: {
    [-4]: [
      say('The node did not migrate the wallet.'),
      `${say('Check that it is still legacy.')} ${say('Keep all backups.')}`,
    ],
    [-18]: [say('The node cannot find it.'), nothingChanged()],
  },
  backupwallet: {
    [-4]: [
      say('The node could not write the backup.'),
      walletUnchanged(`${say('An incomplete file may remain.')} ${CHECK_FOLDER}`),
    ],
  },
  loadwallet: {
    [-18]: [
      say('The node cannot open this wallet.'),
      say('From release 30 on, migrate legacy wallets first.'),
    ],
    [-4]: [say('The node could not load the wallet.'), walletUnchanged(say('The node’s message says why.'))],
  },
  unloadwallet: { [-18]: [say('Not loaded.'), say('Nothing to do here.')] },
};

/** `cannot_connect` after a timeout: an immediate retry would only wait again. */
export class SlowToConnectError extends AppError {}

/** No node is connected. */
export function notConnectedError(): AppError {
  return new AppError('not_connected', say('Not connected.'), notSent(say('Connect first.')));
}

/** A newer attempt replaced this one. */
export function connectingCancelledError(): AppError {
  return new AppError('cancelled', say('Connecting was cancelled.'), nothingChanged());
}

/** Nothing was sent. Uses only the cause's code: its message may quote its input. */
export function cannotConnectError(address: NodeAddress, cause: unknown): AppError {
  const where = authorityOf(address);
  const code = systemCodeOf(cause);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new AppError(
      'cannot_connect',
      say('Unknown host {host}.', { host: address.host }),
      say('Check name and connection.'),
    );
  }
  if (code === 'EMFILE' || code === 'ENFILE') {
    return new AppError(
      'cannot_connect',
      say('Too many open files and connections.'),
      notSent(say('Close other programs and try again.')),
    );
  }
  if (address.tls && /CERT|SSL|TLS|EPROTO|SIGNATURE/.test(code)) {
    return new AppError(
      'cannot_connect',
      say('No trusted TLS connection to {address} ({code}).', { address: where, code }),
      notSent(say('Bitcoin Core speaks plain HTTP; a proxy needs a trusted certificate.')),
    );
  }
  const kind = /TIMEOUT|ETIMEDOUT|UNREACH/.test(code) ? SlowToConnectError : AppError;
  return new kind(
    'cannot_connect',
    say('Nothing answers at {address} ({code}).', { address: where, code: code || say('unknown') }),
    say('Check host, port and -server=1; on another machine, -rpcbind and -rpcallowip.'),
  );
}

/** The listener changed during the connection attempt, so its owner is unknown. */
export function listenerChangedError(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The program at {address} changed.', { address: authorityOf(address) }),
    notSent(say('Try again in a moment.')),
  );
}

/** Another user than before listens on this machine's port. */
export function listenerOfOtherUserError(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('Another user’s program listens at {address}.', { address: authorityOf(address) }),
    notSent(say('Your node? Connect by hand. If not, its port was taken.')),
  );
}

/** The system used to show who listens at the address, and no longer does. */
export function listenerHiddenError(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('It is unclear who listens at {address}.', { address: authorityOf(address) }),
    notSent(say('If the node moved, connect again.')),
  );
}

/** Calls that must share one connection cannot continue on another. */
export function connectionClosedError(address: NodeAddress): AppError {
  return new AppError(
    'cannot_connect',
    say('The connection to {address} ended before the call was sent.', { address: authorityOf(address) }),
    say('No passphrase was sent and no wallet was changed.'),
  );
}

/** The connection was lost after the call was sent. `changes`: the method changes something. */
export function connectionLostError(method: string, changes: boolean): AppError {
  return new AppError(
    'connection_lost',
    say('The connection was lost.'),
    changes ? mayContinue(method) : nothingChanged(),
  );
}

export function timedOutError(method: string, changes: boolean): AppError {
  return new AppError(
    'timed_out',
    say('No answer to {method} in time.', { method }),
    changes ? mayContinue(method) : nothingChanged(say('Try again in a moment.')),
  );
}

function mayContinue(method: string): string {
  return say('The node may continue with {method}. Wait for the outcome.', { method });
}

export function cancelledError(changes: boolean): AppError {
  return new AppError(
    'cancelled',
    say('No longer waiting for the node.'),
    changes ? say('The node continues.') : nothingChanged(),
  );
}

/** More bytes or values than the limits that protect the app's memory. */
export function answerTooLargeError(method: string): AppError {
  return new AppError(
    'answer_too_large',
    say('The answer to {method} is too large.', { method }),
    say('Check host and port: 8332, not 8333.'),
  );
}

/** `why` is a clause about what answers. It contains nothing that was sent. */
export function notANodeError(address: NodeAddress, why: string): AppError {
  return new AppError(
    'not_a_node',
    say('{address} does not seem to be a Bitcoin Core node: {why}.', { address: authorityOf(address), why }),
    say('Check host and port: 8332, not 8333.'),
  );
}

/** Empty if there is none. For several addresses each attempt has an error; the first one counts. */
export function systemCodeOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.errors.length > 0) return systemCodeOf(cause.errors[0]);
  return systemCode(cause) ?? '';
}
