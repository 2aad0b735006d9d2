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
      say('Connect by hand with user and password.'),
    );
  }
  if (status === 401) {
    return new AppError(
      'credentials_refused',
      say('The node refused the login.'),
      say('Check user and password, or the cookie file.'),
    );
  }
  if (status === 403) {
    return new AppError(
      'forbidden',
      say('The node does not allow this login to call {method}.', { method }),
      say('See its settings -rpcwhitelist and -rpcallowip.'),
    );
  }
  if (status === 503) {
    return new AppError(
      'busy',
      say('The node is too busy.'),
      say('Nothing was changed. Try again in a moment.'),
    );
  }
  return null;
}

/** The node has no wallets at all. */
export function noWalletSupport(words?: NodeWords): AppError {
  return new AppError(
    'no_wallet_support',
    say('This node runs without wallets.'),
    say('Start it with wallets (without -disablewallet), or use another node.'),
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
    say('This can take minutes.'),
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
      say('This node lacks {method}, new in release {release}.', { method, release }),
      say('Use release {release} or later, with wallets turned on.', { release }),
      words,
    );
  }
  return new AppError(
    'unknown_method',
    say('This node does not know {method}.', { method }),
    say('Nothing was done. The app may not know this release.'),
    words,
  );
}
