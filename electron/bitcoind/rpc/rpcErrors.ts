/** Explains a node's errors by the RPC error number or the HTTP status, never by the message. */
import { AppError, type ErrorCode, type NodeWords } from '../../../shared/model/errors.ts';
import { backupUnchanged, unchanged, walletUnchanged } from '../../../shared/wording/findings/hints.ts';
import { say } from '../../../shared/wording/say.ts';

/** The error for a JSON-RPC error object. Keeps the node's message. */
export function rpcError(method: string, code: number, message: string): AppError {
  const words: NodeWords = { code, message: message.slice(0, LONGEST_MESSAGE) };
  if (code === STARTING_UP)
    return new AppError(
      'starting_up',
      say('The node is starting up: {words}', { words: words.message }),
      say('This can take minutes.'),
      words,
    );
  if (code === UNKNOWN_METHOD) return unknownMethod(method, words);
  const [ours, ...usual] = meanings[code] ?? ['rpc_error', ...error];
  const [says, hint] = byMethod[method]?.[code] ?? usual;
  return new AppError(ours, says, hint, words);
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
export function noWalletSupport(words?: NodeWords): AppError {
  return new AppError(
    'no_wallet_support',
    say('This node runs without wallets.'),
    say('Start it without -disablewallet, or use another.'),
    words,
  );
}

/** Longer than any release's messages, so that an answer cannot flood the page. */
const LONGEST_MESSAGE = 20_000;

/** Numbers of `src/rpc/protocol.h`. */
const STARTING_UP = -28;
const UNKNOWN_METHOD = -32601;

/** The first release with each of these methods. */
const since: Readonly<Record<string, string>> = { restorewallet: '23', migratewallet: '24' };

/** Wallet methods of every supported release: a node without one of them has no wallet support. */
const everyWallet = new Set([
  'listwallets',
  'listwalletdir',
  'getwalletinfo',
  'backupwallet',
  'loadwallet',
  'unloadwallet',
  'walletpassphrase',
]);

function unknownMethod(method: string, words: NodeWords): AppError {
  if (everyWallet.has(method)) return noWalletSupport(words);
  const release = since[method];
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

const untouched = say('The app touched no wallet file.');
const error: Words = [say('The node reported an error.'), untouched];
const perhapsNewer = say('Nothing was done. The app may not know this release.');
const malformed: Words = [say('Not understood by the node.'), perhapsNewer];

type Meaning = readonly [ErrorCode, ...Words];

const noLogin: Meaning = ['credentials_missing', say('The node asks for a login.'), say('Log in by hand.')];
const statuses: Readonly<Record<number, Meaning>> = {
  401: [
    'credentials_refused',
    say('The node refused the login.'),
    say('Check user, password or cookie file.'),
  ],
  503: ['busy', say('The node is too busy.'), unchanged(say('Try again in a moment.'))],
};

const meanings: Readonly<Record<number, Meaning>> = {
  [-1]: ['misc_error', ...error],
  [-3]: ['wrong_type', ...malformed],
  [-4]: ['wallet_error', say('The node reported an error.'), untouched],
  [-8]: ['invalid_parameter', say('The node refused a value.'), unchanged(say('The node’s words say why.'))],
  [-13]: ['wallet_unlock_needed', say('Encrypted and locked.'), say('Type the passphrase.')],
  [-14]: [
    'wrong_passphrase',
    say('Wrong passphrase.'),
    unchanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  [-15]: ['wallet_wrong_encryption_state', say('The wallet is not encrypted.'), unchanged()],
  [-18]: ['wallet_not_found', say('Not loaded.'), say('It may still be loading.')],
  [-19]: ['wallet_not_specified', ...error],
  [-35]: ['wallet_already_loaded', say('Already loaded.'), say('Nothing to do here.')],
  [-36]: ['wallet_already_exists', say('This name is taken.'), unchanged(say('Choose another name.'))],
  [-32600]: ['invalid_request', ...malformed],
  [-32602]: ['invalid_request', ...malformed],
  [-32700]: ['invalid_request', ...malformed],
};

/** Narrower meanings for single methods. The recordings show what happened to the files. */
const byMethod: Readonly<Record<string, Readonly<Record<number, Words>>>> = {
  restorewallet: {
    [-8]: [
      say('The node refused the path or name.'),
      unchanged(say('The node reads it on its machine, as its user.')),
    ],
    [-18]: [
      say('The node cannot open this wallet.'),
      unchanged(
        `${say('It may be damaged or not a wallet.')} ${say('From release 30 on, migrate legacy wallets first.')}`,
      ),
    ],
    [-4]: [
      say('The node could not load the wallet.'),
      backupUnchanged(say('It may be damaged, in use, for another network, or need pruned blocks.')),
    ],
  },
  migratewallet: {
    [-4]: [
      say('The node did not migrate the wallet.'),
      say('Check that it is there and still legacy. Keep every backup.'),
    ],
    [-18]: [say('The node cannot find it.'), unchanged()],
  },
  backupwallet: {
    [-4]: [
      say('The node could not write the backup.'),
      walletUnchanged(say('Check the folder and free space, on the node’s machine, as its user.')),
    ],
  },
  loadwallet: {
    [-18]: [
      say('The node cannot open this wallet.'),
      say('From release 30 on, migrate legacy wallets first.'),
    ],
    [-4]: [
      say('The node could not load the wallet.'),
      walletUnchanged(say('It may be damaged, in use, for another network, or need pruned blocks.')),
    ],
  },
  unloadwallet: { [-18]: [say('Not loaded.'), say('Nothing to do here.')] },
};
