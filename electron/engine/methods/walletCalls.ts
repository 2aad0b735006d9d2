/** The calls that list, load, unload, lock, unlock and back up wallets. */
import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AppError } from '../../../shared/model/errors.ts';
import { isReservedName } from '../../../shared/model/names/walletName.ts';
import { partPath, refuseTaken } from '../../files/durableFile.ts';
import { isDiskFull, systemCode } from '../../files/fileError.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import { RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import type { Engine } from '../wallets/wallets.ts';
import type { WalletFacts } from '../wallets/work.ts';
import {
  calledWallet,
  loadOnStartup,
  type Method,
  namedWallet,
  required,
  type Table,
  walletToName,
} from './method.ts';

export const walletCalls: Table<Method> = {
  listwallets: {
    about: 'Names of the loaded wallets. The unnamed one is the empty string.',
    run: ({ engine }) => engine.wallets.all().map((open) => open.name),
  },
  listwalletdir: {
    about: 'Every wallet in the wallets folder, loaded or not.',
    run: async ({ engine }) => {
      const { dialect, layout, network, work, stopping } = engine;
      const found = await work.run('list', { folder: layout.walletsFolder, network }, { stopping });
      const wallets = found.map(({ name, kind }) => ({
        name,
        ...(dialect.listsWarnings ? { warnings: kind === 'bdb' ? [LEGACY] : [] } : {}),
      }));
      return { wallets };
    },
  },
  loadwallet: {
    about: 'Loads a wallet from the wallets folder.',
    params: [
      required('filename', 'string', 'The name of the wallet: its folder, or its .dat file.'),
      loadOnStartup,
    ],
    run: ({ engine, args }) => {
      const name = args.text('filename') ?? '';
      return engine.wallets.inTurn([name], async () => {
        const { wallet } = await engine.wallets.load(name);
        return loadedResult(engine, name, wallet, args.flag('load_on_startup'));
      });
    },
  },
  unloadwallet: {
    about: 'Unloads the wallet of the path or of the argument. Its file stays as it is.',
    params: [walletToName('unload'), loadOnStartup],
    run: (call) => {
      const { engine, args } = call;
      const name = namedWallet(call);
      return engine.wallets.inTurn([name], async () => {
        engine.wallets.unload(name);
        return warningsResult(engine, updateStartupList(engine, name, args.flag('load_on_startup')));
      });
    },
  },
  walletpassphrase: {
    about: 'Unlocks an encrypted wallet for a while, so that its private descriptors can be listed.',
    params: [
      required('passphrase', 'string', 'The wallet passphrase.'),
      required('timeout', 'number', 'For how many seconds; at most 100000000.'),
    ],
    run: ({ engine, args, endpoint }) => {
      const { name, wallet } = calledWallet({ engine, endpoint });
      if (!wallet.encryption) throw notEncryptedError('walletpassphrase');
      const { encryption } = wallet;
      const seconds = args.integer('timeout') ?? 0;
      if (seconds < 0) throw new RpcError('invalidParameter', 'Timeout cannot be negative.');
      const passphrase = args.text('passphrase') ?? '';
      if (passphrase === '') throw new RpcError('invalidParameter', 'passphrase cannot be empty');
      return engine.wallets.inTurn([name], async () => {
        const { work, stopping } = engine;
        const masterKey = await work.run('unlock', { encryption, passphrase }, { stopping });
        if (!masterKey) {
          throw new RpcError('wrongPassphrase', 'Error: The wallet passphrase entered was incorrect.');
        }
        engine.wallets.get(name)?.lock.open(masterKey, Math.min(seconds, MAX_UNLOCK_SECONDS));
        return null;
      });
    },
  },
  walletlock: {
    about: 'Locks an unlocked wallet and forgets its key.',
    run: (call) => {
      const { wallet, lock } = calledWallet(call);
      if (!wallet.encryption) throw notEncryptedError('walletlock');
      lock.close();
      return null;
    },
  },
};

const LEGACY =
  'This wallet is a legacy wallet and will need to be migrated with migratewallet before it can be loaded';

/**
 * Adds the wallet to the startup list or removes it; null changes nothing. Returns a warning instead of an error, because
 * the call itself has succeeded by then.
 */
export function updateStartupList(
  { startup, log }: Engine,
  name: string,
  listed: boolean | null,
): readonly string[] {
  if (listed === null) return [];
  try {
    startup.set(name, listed);
    return [];
  } catch {
    log.ofWallet(name, NOT_LISTED);
    return [NOT_LISTED];
  }
}

const NOT_LISTED =
  'The call succeeded, but the settings file cannot be written. Whether the wallet loads at the next start is unchanged.';

/** The result of a call that loaded a wallet: its name and warnings. Also updates the startup list: see `listAtStart`. */
export function loadedResult(
  engine: Engine,
  name: string,
  { kind, warnings }: Pick<WalletFacts, 'kind' | 'warnings'>,
  listed: boolean | null,
): RpcValue {
  const isDeprecated = kind === 'legacy' && engine.dialect.legacyWallets === 'load-and-warn';
  const all = [
    ...(isDeprecated ? [LEGACY_WARNING] : []),
    ...warnings,
    ...updateStartupList(engine, name, listed),
  ];
  return { name, ...warningsResult(engine, all) };
}

/** The fields for warnings: `warning` in release 23, `warnings` later, both in 25 with an option. */
export function warningsResult({ dialect, walletWarningField }: Engine, warnings: readonly string[]) {
  const text = warnings.join('\n');
  if (dialect.loadWarnings === 'warning') return { warning: text };
  return {
    ...(walletWarningField && dialect.release === 25 ? { warning: text } : {}),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
}

const LEGACY_WARNING =
  'Wallet loaded successfully. The legacy wallet type is being deprecated and support for creating and opening legacy wallets will be removed in the future. Legacy wallets can be migrated to a descriptor wallet with migratewallet.';

/** A node's own limit, in seconds. */
const MAX_UNLOCK_SECONDS = 100_000_000;

function notEncryptedError(method: string): RpcError {
  return new RpcError(
    'wrongEncryptionState',
    `Error: running with an unencrypted wallet, but ${method} was called.`,
  );
}

export const backupCalls: Table<Method> = {
  backupwallet: {
    about: "Copies the wallet's file to a path, or a legacy wallet's into a folder. Never replaces a file.",
    params: [required('destination', 'string', 'The path of the copy, or a folder for a legacy wallet.')],
    run: ({ engine, args, endpoint }) => {
      const { name, walletPath, wallet } = calledWallet({ engine, endpoint });
      const wanted = resolve(args.text('destination') ?? '');
      const isFolder = orNull(() => statSync(wanted).isDirectory());
      if (isFolder && wallet.kind === 'descriptor')
        throw backupFailedError(`${wanted} is a folder: name a file.`);
      const destination = isFolder ? join(wanted, basename(walletPath.file)) : wanted;
      return engine.wallets.inTurn([name], async () => {
        if (destination.split(/[\\/]/).some(isReservedName))
          throw backupFailedError("That name is reserved for the engine's own files.");
        try {
          refuseTaken(destination);
          const part = partPath(dirname(destination));
          await engine.work.run('copy', { from: walletPath.file, to: destination, part });
        } catch (error) {
          const code = error instanceof AppError ? error.code : systemCode(error);
          if (code === 'EEXIST' || code === 'file_exists') throw backupFailedError(takenText(destination));
          throw backupFailedError(
            isDiskFull(code) || code === 'no_space' ? 'There is not enough space.' : null,
          );
        }
        return null;
      });
    },
  },
};

/** A node overwrites the file. The engine does not: it may be the only copy of another wallet. */
function takenText(destination: string): string {
  return `${destination} already exists, and the engine replaces no file: choose another name.`;
}

/** A node has the first sentence only. */
function backupFailedError(why: string | null): RpcError {
  return new RpcError('wallet', `Error: Wallet backup failed!${why === null ? '' : ` ${why}`}`);
}
