/** `migratewallet`: a legacy wallet becomes one, two or three descriptor wallets. */
import { existsSync } from 'node:fs';
import { AppError } from '../../../shared/model/errors.ts';
import { type WalletPart, walletPart } from '../../../shared/model/migrationPreview.ts';
import { removePart } from '../../files/durableFile.ts';
import { systemCode } from '../../files/fileError.ts';
import type { MarkedFile } from '../../files/largeFile.ts';
import { hotJournalsBeside } from '../../files/walletJournals.ts';
import { JOURNAL } from '../../walletfile/database/relatedFiles.ts';
import { companionPrefix } from '../../walletfile/migrate/companionNames.ts';
import { MovesInterruptedError } from '../migration/moves.ts';
import {
  createNewFiles,
  dropMigrationBackup,
  type MigrationBackup,
  newFilesFor,
  notWrittenError,
  placeMigrated,
  type WrittenWallet,
  walletChangedError,
  writeMigrationBackup,
} from '../migration/placeMigrated.ts';
import { RpcError, type RpcValue } from '../rpc/jsonRpc.ts';
import { FAILED, keysLine, readWalletFile, refuseInUse } from '../wallets/readWalletFile.ts';
import type { Engine } from '../wallets/wallets.ts';
import { kindOfBytes, refuseUnsafePath, type WalletPath, walletPathOf } from '../wallets/walletsFolder.ts';
import type { KnownFile } from '../wallets/work.ts';
import { type Method, namedWallet, optional, type Table, walletToName } from './method.ts';
import { updateStartupList } from './walletCalls.ts';

export const migrateCalls: Table<Method> = {
  migratewallet: {
    about:
      'Migrates the wallet to a descriptor wallet. A new wallet backup will need to be made.\n\nThe migration makes a backup of the wallet before; it can be restored with restorewallet. An encrypted wallet needs its passphrase.',
    params: [
      walletToName('migrate'),
      optional('passphrase', 'string', 'The wallet passphrase'),
      {
        ...optional('load_wallet', 'bool', 'Load the new wallets after migration (default true).'),
        isIn: (dialect) => dialect.loadIsOptional,
      },
    ],
    isIn: (dialect) => dialect.migrates,
    run: (call) => {
      const { engine, args } = call;
      const name = namedWallet(call);
      const passphrase = args.text('passphrase');
      const prefix = companionPrefix(name);
      return engine.wallets.inTurn([name, `${prefix}_watchonly`, `${prefix}_solvables`], async () => {
        const migrated = await migrate(engine, name, passphrase);
        engine.log.ofWallet(name, 'Wallet migration complete.');
        if (engine.dialect.loadIsOptional && args.flag('load_wallet') === false)
          // As on a node, a wallet that stays unloaded is not loaded at the next start either.
          updateStartupList(engine, name, false);
        else await load(engine, name, migrated);
        return result(name, migrated);
      });
    },
  },
};

async function migrate(engine: Engine, name: string, passphrase: string | null) {
  const { layout, state, wallets, network, log } = engine;
  const place = walletPathOf(layout.walletsFolder, name);
  refuseUnsafePath(state, layout.walletsFolder, place.file);
  wallets.refuseAlias(place);
  const legacy = await checkLegacyFile(engine, place);
  // SQLite would apply it to the new file.
  if (hotJournalsBeside(place.file)) {
    throw new RpcError(
      'wallet',
      `Error: ${place.file}${JOURNAL} is next to the wallet and does not belong to it: move it elsewhere. The wallet is unchanged.`,
    );
  }
  // Windows and macOS would report our own threads as another program while they read the file from its disk.
  if (legacy.bytes === null) refuseInUse(place);
  let wasLoaded = false;
  let backup: MigrationBackup | null = null;
  const secret = passphrase === null ? {} : { passphrase };
  const shared = { file: legacy, ...secret, nextKeyIndex: new Int32Array(new SharedArrayBuffer(4)) };
  const failed = new AbortController();
  const stopping = AbortSignal.any([engine.stopping, failed.signal]);
  const files = newFilesFor(engine, place);
  const checks = new Map<WalletPart, Promise<KnownFile>>();
  /** What the second thread is doing. Starting a third would take longer than waiting for it. */
  let beside: Promise<unknown> = Promise.resolve();
  const check = (part: WalletPart) => {
    const checking = beside.then(() => engine.work.run('check', { path: files[part] }, { stopping }));
    // Its error is reported below, unless the migration fails first.
    checking.catch(() => {});
    checks.set(part, checking);
    return checking;
  };
  try {
    createNewFiles(engine, files, place);
    const task = { ...shared, files, network, name, now: engine.now() };
    const migrating = engine.work.run('migrate', task, { stopping, onWritten: check });
    // Its error is reported below, unless the backup fails first.
    migrating.catch(() => {});
    // Only now, because the thread works meanwhile.
    if (legacy.bytes !== null) refuseInUse(place);
    wasLoaded = wallets.get(name) !== undefined;
    if (wasLoaded) wallets.unload(name);
    const backingUp = writeMigrationBackup(engine, place, legacy);
    beside = backingUp;
    backup = await backingUp;
    log.write(`copied ${place.file} to ${backup.path}`);
    const isWorthSharing = legacy.size >= (passphrase === null ? SHARED_FROM : SECRETLY_SHARED_FROM);
    if (isWorthSharing) beside = engine.work.run('proveKeys', shared, { stopping });
    const [migrated] = await Promise.all([migrating, beside]);
    // A node logs this after it unlocked the wallet. Its absence shows a wrong passphrase.
    log.ofWallet(name, 'Migrating wallet storage database from BerkeleyDB to SQLite.');
    const writtenAs = async (part: WalletPart): Promise<WrittenWallet | null> => {
      const wallet = migrated[part];
      if (!wallet) return null;
      const { sha256, mark } = await (checks.get(part) ?? check(part));
      // Another file took its place while it was proved.
      if (sha256 !== wallet.sha256) throw notWrittenError(null);
      return { ...wallet, path: files[part], mark };
    };
    const primary = await writtenAs('primary');
    const watchonly = await writtenAs('watchonly');
    const solvables = await writtenAs('solvables');
    const written = { primary, watchonly, solvables };
    if (watchonly) log.ofWallet(name, 'Making a new watchonly wallet containing the watched scripts');
    if (solvables)
      log.ofWallet(name, 'Making a new solvables wallet containing the unwatched solvable scripts');
    const proved = await placeMigrated(engine, { original: place, backup, written });
    for (const part of walletPart.options) removePart(files[part]);
    return {
      primary: primary?.name ?? null,
      watchonly: watchonly?.name ?? null,
      solvables: solvables?.name ?? null,
      backup: backup.path,
      proved,
    };
  } catch (error) {
    failed.abort();
    if (error instanceof MovesInterruptedError) {
      throw new RpcError(
        'wallet',
        `Error: The new wallets are written, but not all of them could be moved to their places. Start the engine again, which finishes the migration. The backup of the legacy wallet is ${backup?.path}.`,
      );
    }
    for (const part of walletPart.options) removePart(files[part]);
    if (backup !== null) await dropMigrationBackup(engine, backup, place);
    const isOfPassphrase = error instanceof AppError && PASSPHRASE_CODES.includes(error.code);
    if (isOfPassphrase) await logKeys(engine, place);
    if (wasLoaded && !engine.stopping.aborted) {
      // Report the error that ended the migration.
      await wallets.load(name).catch(() => log.ofWallet(name, 'Not loaded again: the file cannot be read'));
    }
    if (isOfPassphrase) throw new RpcError('wallet', NOT_DECRYPTED);
    if (error instanceof AppError && error.code === 'file_changed') throw walletChangedError();
    throw error instanceof AppError || systemCode(error) === null ? error : notWrittenError(error);
  }
}

/**
 * Logs the keys, as a node does when it loads a wallet to migrate it. The engine needs it only after a failure about the
 * passphrase, whose answer does not show whether the wallet is encrypted.
 */
async function logKeys(engine: Engine, place: WalletPath): Promise<void> {
  const { dialect, network, log, work, stopping } = engine;
  try {
    const { start: _, ...file } = await readWalletFile('read', place, engine);
    const wallet = await work.open({ file, kind: 'bdb', network }, stopping);
    wallet.release();
    log.ofWallet(place.name, keysLine(wallet, dialect));
  } catch {
    // The wallet is damaged too. The answer reports the passphrase first.
  }
}

/** The state of a legacy wallet's file. Throws RpcError -4 with a node's message if there is nothing to migrate. */
async function checkLegacyFile(engine: Engine, place: WalletPath): Promise<MarkedFile> {
  const { dialect, network } = engine;
  const nothing = dialect.words.nothingToMigrate;
  if (nothing !== null && !existsSync(place.path)) throw new RpcError('wallet', nothing);
  const { start, ...file } = await readWalletFile('look', place, engine).catch((error: unknown) => {
    // A migration has error -4 for every failure of loading.
    throw error instanceof RpcError ? new RpcError('wallet', error.message) : error;
  });
  const kind = kindOfBytes(start, network);
  if (kind === 'sqlite') throw new RpcError('wallet', 'Error: This wallet is already a descriptor wallet');
  if (kind === 'bdb') return file;
  throw new RpcError(
    'wallet',
    `${FAILED} Failed to load database path '${place.path}'. Data is not in recognized format.`,
  );
}

type Migrated = Awaited<ReturnType<typeof migrate>>;

function namesOf({ primary, watchonly, solvables }: Migrated): string[] {
  return [primary, watchonly, solvables].filter((each) => each !== null);
}

async function load({ wallets, startup, log, stopping }: Engine, name: string, all: Migrated): Promise<void> {
  const names = namesOf(all);
  for (const each of names) {
    if (stopping.aborted) break;
    await wallets.load(each, all.proved.get(each)).catch((error: unknown) => {
      if (stopping.aborted) return;
      if (!(error instanceof RpcError)) throw error;
      const done = `The migration is done and the backup is ${all.backup}, but the wallet "${each}" cannot be loaded.`;
      throw new RpcError('wallet', `${done} ${error.message}`);
    });
  }
  // As a node does, whether the wallet itself is on the startup list or not.
  try {
    for (const each of names) if (each !== name) startup.set(each, true);
  } catch {
    log.ofWallet(
      name,
      'The settings file cannot be written: the new wallets are not loaded at the next start',
    );
  }
}

function result(name: string, all: Migrated): RpcValue {
  const { primary, watchonly, solvables, backup } = all;
  const [first = name] = namesOf(all);
  return {
    wallet_name: first,
    ...(primary !== null && watchonly !== null ? { watchonly_name: watchonly } : {}),
    ...(solvables !== null && solvables !== first ? { solvables_name: solvables } : {}),
    backup_path: backup,
  };
}

/** The sizes of files from which a second thread does a share of the work, in bytes; with a passphrase, one must start for it. */
const SHARED_FROM = 256 * 2 ** 10;
const SECRETLY_SHARED_FROM = 2 * 2 ** 20;
const PASSPHRASE_CODES = ['wrong_passphrase', 'wallet_unlock_needed'];
/** Nodes have one message for a missing and for a wrong passphrase. */
const NOT_DECRYPTED =
  'Error: Wallet decryption failed, the wallet passphrase was not provided or was incorrect.';
