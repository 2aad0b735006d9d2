/** Explains a node's errors by the RPC error number or the HTTP status, never by the message. */
import { AppError, type ErrorCode, type NodeWords } from '../../../shared/model/errors.ts';
import { unchanged } from '../../../shared/wording/findings/hints.ts';
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
      say('The node does not allow this login to call {method}.', { method }),
      say('See its settings -rpcwhitelist and -rpcallowip.'),
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
    say('Start it with wallets (without -disablewallet), or use another node.'),
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
      say('This node lacks {method}, new in release {release}.', { method, release }),
      say('Use release {release} or later, with wallets turned on.', { release }),
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

const untouched = say('The app touched no wallet file. The node’s words say why.');
const error: Words = [say('The node reported an error.'), untouched];
const perhapsNewer = say('Nothing was done. The app may not know this release.');
const malformed: Words = [say('The node did not understand the call.'), perhapsNewer];

type Meaning = readonly [ErrorCode, ...Words];

const noLogin: Meaning = [
  'credentials_missing',
  say('The node asks for a login.'),
  say('Connect by hand with user and password.'),
];
const statuses: Readonly<Record<number, Meaning>> = {
  401: [
    'credentials_refused',
    say('The node refused the login.'),
    say('Check user and password, or the cookie file.'),
  ],
  503: ['busy', say('The node is too busy.'), unchanged(say('Try again in a moment.'))],
};

const meanings: Readonly<Record<number, Meaning>> = {
  [-1]: ['misc_error', ...error],
  [-3]: ['wrong_type', ...malformed],
  [-4]: ['wallet_error', say('The node reported a wallet problem.'), untouched],
  [-8]: ['invalid_parameter', say('The node refused a value.'), unchanged(say('The node’s words say why.'))],
  [-13]: [
    'wallet_unlock_needed',
    say('The wallet is encrypted and locked.'),
    say('Try again with its passphrase.'),
  ],
  [-14]: [
    'wrong_passphrase',
    say('The passphrase is not the one of this wallet.'),
    unchanged(say('Check capitals, spaces and keyboard layout.')),
  ],
  [-15]: [
    'wallet_wrong_encryption_state',
    say('The wallet is not encrypted.'),
    say('It needs no passphrase.'),
  ],
  [-18]: [
    'wallet_not_found',
    say('The node has no such wallet loaded.'),
    say('It may still be loading. See All wallets.'),
  ],
  [-19]: ['wallet_not_specified', ...error],
  [-35]: ['wallet_already_loaded', say('The wallet is already loaded.'), say('There is nothing to do.')],
  [-36]: [
    'wallet_already_exists',
    say('The node already has a wallet of this name.'),
    say('Nothing was overwritten. Choose another name.'),
  ],
  [-32600]: ['invalid_request', ...malformed],
  [-32602]: ['invalid_request', ...malformed],
  [-32700]: ['invalid_request', ...malformed],
};

/** Narrower meanings for single methods. The recordings show what happened to the files. */
const byMethod: Readonly<Record<string, Readonly<Record<number, Words>>>> = {
  restorewallet: {
    [-8]: [
      say('The node refused the backup’s path or the wallet’s name.'),
      say('Nothing was restored. The node reads the path on its own machine, as its own user.'),
    ],
    [-18]: [
      say('The node cannot open this backup as a wallet.'),
      say(
        'Nothing was restored. It may be damaged or no wallet. Release 30 and later refuse a legacy backup: migrate it.',
      ),
    ],
    [-4]: [
      say('The node could not load the restored wallet.'),
      say(
        'The backup is as it was. It may be damaged, of another network, or need blocks a pruned node lacks.',
      ),
    ],
  },
  migratewallet: {
    [-4]: [
      say('The node did not migrate the wallet.'),
      say('The node should have put it back. Check that it is there and still legacy. Keep every backup.'),
    ],
    [-18]: [say('The node does not find this wallet.'), unchanged()],
  },
  backupwallet: {
    [-4]: [
      say('The node could not write the backup.'),
      say(
        'The wallet is as it was. The node writes on its own machine, as its own user: check the folder and free space.',
      ),
    ],
  },
  loadwallet: {
    [-18]: [
      say('The node cannot open a wallet of this name.'),
      say('Release 30 and later load no legacy wallet: migrate it.'),
    ],
    [-4]: [
      say('The node could not load the wallet.'),
      say('The file is as it was. It may be in use, damaged, or need blocks a pruned node lacks.'),
    ],
  },
  unloadwallet: { [-18]: [say('The wallet is not loaded.'), say('There is nothing to do.')] },
};
