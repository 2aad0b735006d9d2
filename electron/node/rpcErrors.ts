/** What a node's refusals mean: told apart by the number of the RPC error or the HTTP status, never by text. */
import { AppError, type ErrorCode, type NodeWords } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';
import { MIGRATE_SINCE, RESTORE_SINCE } from './release.ts';

/** The error for a JSON-RPC error object. The node's words are kept as they came, however few. */
export function rpcError(method: string, code: number, message: string): AppError {
  const words: NodeWords = { code, message: message.slice(0, LONGEST_MESSAGE) };
  if (code === STARTING_UP) return startingUp(words);
  if (code === UNKNOWN_METHOD) return unknownMethod(method, words);
  const known = meanings[code] ?? otherwise;
  const { says, hint } = byMethod[method]?.[code] ?? known;
  return new AppError(known.code, says, hint, words);
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

interface Words {
  readonly says: string;
  readonly hint: string;
}
interface Meaning extends Words {
  readonly code: ErrorCode;
}

/** Far beyond what any release writes; a bound so that an answer cannot flood the page. */
const LONGEST_MESSAGE = 20_000;

/** Numbers of `src/rpc/protocol.h`. */
const STARTING_UP = -28;
const UNKNOWN_METHOD = -32601;

const malformed: Meaning = {
  code: 'invalid_request',
  says: say('The node could not make sense of the call.'),
  hint: say('Nothing was done. The node may be of a release that the app does not know.'),
};

const otherwise: Meaning = {
  code: 'rpc_error',
  says: say('The node answered with an error.'),
  hint: say('The app itself touched no wallet file. The node’s own words say what happened.'),
};

const meanings: Readonly<Record<number, Meaning>> = {
  [-1]: {
    code: 'misc_error',
    says: say('The node could not do what it was asked.'),
    hint: say('The app itself touched no wallet file. The node’s own words say why.'),
  },
  [-3]: {
    code: 'wrong_type',
    says: say('The node expected another kind of value.'),
    hint: say('Nothing was done. The node may be of a release that the app does not know.'),
  },
  [-4]: {
    code: 'wallet_error',
    says: say('The node has a problem with the wallet.'),
    hint: say('The app itself touched no wallet file. The node’s own words say what the problem is.'),
  },
  [-8]: {
    code: 'invalid_parameter',
    says: say('The node refused one of the values it was given.'),
    hint: say('Nothing was done. Its own words say which value.'),
  },
  [-13]: {
    code: 'wallet_unlock_needed',
    says: say('The wallet is encrypted and locked.'),
    hint: say('Nothing was done. Give its passphrase and try again.'),
  },
  [-14]: {
    code: 'wrong_passphrase',
    says: say('The passphrase is not the one of this wallet.'),
    hint: say(
      'Nothing was done. Check capitals, spaces and the keyboard layout, and try again. There is no limit of tries.',
    ),
  },
  [-15]: {
    code: 'wallet_wrong_encryption_state',
    says: say('The wallet is not encrypted, or not in the state that this call needs.'),
    hint: say('Nothing was done. A wallet that is not encrypted needs no passphrase.'),
  },
  [-18]: {
    code: 'wallet_not_found',
    says: say('The node has no such wallet loaded.'),
    hint: say('Nothing was done. It may not be loaded, or still be loading. Look at the list of wallets.'),
  },
  [-19]: {
    code: 'wallet_not_specified',
    says: say('Several wallets are loaded and the call did not say which one it meant.'),
    hint: say('Nothing was done. Choose a wallet and try again.'),
  },
  [-35]: {
    code: 'wallet_already_loaded',
    says: say('The wallet is already loaded.'),
    hint: say('There is nothing to do. It is in the list of wallets.'),
  },
  [-36]: {
    code: 'wallet_already_exists',
    says: say('The node already has a wallet of this name.'),
    hint: say('Nothing was overwritten. Choose another name.'),
  },
  [-32600]: malformed,
  [-32602]: malformed,
  [-32700]: malformed,
};

/** Where the same number means something narrower. What the hints say of files is from the recordings. */
const byMethod: Readonly<Record<string, Readonly<Record<number, Words>>>> = {
  restorewallet: {
    [-8]: {
      says: say('The node refused the backup file or the name of the wallet.'),
      hint: say(
        'Nothing was restored. The node opens the file itself, on its own machine and as its own user: check that this path exists there. The wallet must have a name.',
      ),
    },
    [-18]: {
      says: say('The node cannot open this backup as a wallet.'),
      hint: say(
        'Nothing was restored: the node removed its copy, and the backup is as it was. The file may not be a wallet, or be damaged. On release 30 and later a legacy backup is refused like this too: it has to be migrated there, or restored with an earlier release.',
      ),
    },
    [-4]: {
      says: say('The node could not load the wallet that it restored.'),
      hint: say(
        'The backup is as it was. The file may be damaged, cut short or of another network, or it may be of a kind that this release does not open. A pruned node may lack the blocks that the wallet needs.',
      ),
    },
    [-36]: {
      says: say('The node already has a wallet of this name.'),
      hint: say('Nothing was restored and nothing overwritten. Choose another name.'),
    },
  },
  migratewallet: {
    [-8]: {
      says: say('The node refused the name of the wallet to migrate.'),
      hint: say('Nothing was changed. Its own words say why.'),
    },
    [-4]: {
      says: say('The node did not migrate the wallet.'),
      hint: say(
        'A node that fails to migrate a wallet is meant to put it back as it was. Its own words say why it stopped. Look whether the wallet is there and still a legacy wallet, and keep every backup file.',
      ),
    },
    [-18]: {
      says: say('The node does not find the wallet to migrate.'),
      hint: say('Nothing was changed. Look at the list of wallets: it may have another name.'),
    },
  },
  backupwallet: {
    [-4]: {
      says: say('The node could not write the backup.'),
      hint: say(
        'The wallet is as it was. The node writes the file itself, on its own machine and as its own user: check that the folder exists there, that the node may write to it and that there is room.',
      ),
    },
  },
  loadwallet: {
    [-18]: {
      says: say('The node finds no wallet of this name that it can open.'),
      hint: say(
        'Nothing was changed. A node of release 30 or later does not load a legacy wallet: migrate it.',
      ),
    },
    [-4]: {
      says: say('The node could not load the wallet.'),
      hint: say(
        'The file is as it was. It may be loaded already, in use by another program, damaged, or of another network. A pruned node may lack the blocks that the wallet needs.',
      ),
    },
  },
  unloadwallet: {
    [-18]: {
      says: say('The wallet is not loaded.'),
      hint: say('There is nothing to do.'),
    },
  },
};

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
