/** The numbers of RPC errors in our words, and where a method narrows them. */
import type { ErrorCode } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';

/** What a number means, by the method that was answered with it. */
export function meaningOf(method: string, code: number): Meaning {
  const known = meanings[code] ?? otherwise;
  return { ...known, ...byMethod[method]?.[code] };
}

interface Words {
  readonly says: string;
  readonly hint: string;
}
interface Meaning extends Words {
  readonly code: ErrorCode;
}

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
    says: say('The passphrase is wrong.'),
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
    says: say('This name is already taken.'),
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
        'Nothing was restored: the node removed its copy, and the backup is as it was. The file may not be a wallet, or be damaged. On release 30 and later a legacy backup is refused like this too: it has to be migrated there, or restored on a node of release 29 or earlier.',
      ),
    },
    [-4]: {
      says: say('The node could not load the wallet that it restored.'),
      hint: say(
        'The backup is as it was. The file may be damaged, cut short or of another network, or it may be of a kind that this release does not open. A pruned node may lack the blocks that the wallet needs.',
      ),
    },
    [-36]: {
      says: say('This name is already taken.'),
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
