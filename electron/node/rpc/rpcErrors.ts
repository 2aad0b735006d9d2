/** What a node's refusals mean: told apart by the number of the RPC error or the HTTP status, never by text. */
import { AppError, type NodeWords } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { MIGRATE_SINCE, RESTORE_SINCE } from './release.ts';
import { meaningOf } from './rpcMeanings.ts';

/** The error for a JSON-RPC error object. The node's words are kept as they came, however few. */
export function rpcError(method: string, code: number, message: string): AppError {
  const words: NodeWords = { code, message: message.slice(0, LONGEST_MESSAGE) };
  if (code === STARTING_UP) return startingUp(words);
  if (code === UNKNOWN_METHOD) return unknownMethod(method, words);
  const { code: ours, says, hint } = meaningOf(method, code);
  return new AppError(ours, says, hint, words);
}

/** The error for an HTTP status that carries no JSON-RPC answer; null for a status that says nothing by itself. */
export function httpError(method: string, status: number, sentCredentials: boolean): AppError | null {
  if (status === 401 && !sentCredentials) {
    return new AppError(
      'credentials_missing',
      say('The node asks for a login.'),
      say(
        'Nothing was done. There is no cookie file to log in with. Connect by hand with the user and password of the node.',
      ),
    );
  }
  if (status === 401) {
    return new AppError(
      'credentials_refused',
      say('The node refused the login.'),
      say(
        'Nothing was done. Check user and password. With a cookie file, check that it is the one of this very node and network.',
      ),
    );
  }
  if (status === 403) {
    return new AppError(
      'forbidden',
      say('The node does not allow this login to call {method}.', { method }),
      say(
        'Nothing was done. The settings -rpcwhitelist and -rpcallowip of the node say who may call what, and from where.',
      ),
    );
  }
  if (status === 503) {
    return new AppError(
      'busy',
      say('The node has too much to do just now and turned the call away.'),
      say(
        'Nothing was done. Try again in a moment. The setting -rpcworkqueue of the node raises how many calls may wait.',
      ),
    );
  }
  return null;
}

/** The node has no wallets at all. */
export function noWalletSupport(words?: NodeWords): AppError {
  return new AppError(
    'no_wallet_support',
    say('This node runs without wallets.'),
    say(
      'No wallet was touched. It was built without them or started with -disablewallet. Start it with wallets, or connect to another node.',
    ),
    words,
  );
}

/** Far beyond what any release writes; a bound so that an answer cannot flood the page. */
const LONGEST_MESSAGE = 20_000;

/** Numbers of `src/rpc/protocol.h`. */
const STARTING_UP = -28;
const UNKNOWN_METHOD = -32601;

function startingUp(words: NodeWords): AppError {
  return new AppError(
    'starting_up',
    say('The node is starting up: {words}', { words: words.message }),
    say('Nothing is wrong. It answers as soon as it is ready; that can take minutes.'),
    words,
  );
}

const since: Readonly<Record<string, string>> = {
  restorewallet: RESTORE_SINCE,
  migratewallet: MIGRATE_SINCE,
};

/** Wallet methods that every release within reach knows: a node without one of them runs without wallets. */
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
      say('This node does not know {method}, which came with release {release}.', { method, release }),
      say(
        'Nothing was done. Use a node of release {release} or later. If it is one already, its wallets are turned off (-disablewallet).',
        { release },
      ),
      words,
    );
  }
  return new AppError(
    'unknown_method',
    say('This node does not know the call {method}.', { method }),
    say('Nothing was done. The node may be of a release that the app does not know.'),
    words,
  );
}
