/** Reads a wallet's file, or fails with a node's error number and message. */

import { existsSync, lstatSync } from 'node:fs';
import { AppError } from '../../../shared/model/errors.ts';
import type { Network } from '../../../shared/model/network.ts';
import { errorShapeOf } from '../../../shared/wording/findings/findingWords.ts';
import type { FolderLayout } from '../../files/engineFolder.ts';
import { systemCode } from '../../files/fileError.ts';
import { isInUse } from '../../files/lock/fileInUse.ts';
import { orNull } from '../../walletfile/bytes/once.ts';
import type { Dialect } from '../rpc/dialect.ts';
import { RpcError } from '../rpc/jsonRpc.ts';
import type { EngineLog } from './log.ts';
import { kindOfBytes, type WalletPath } from './walletsFolder.ts';
import type { ReadFile, WalletFacts, WalletHandle, Work } from './work.ts';

/** Begins every message about a wallet that cannot be loaded. */
export const FAILED = 'Wallet file verification failed.';
const NEEDS_MIGRATION =
  'The wallet appears to be a Legacy wallet, please use the wallet migration tool (migratewallet RPC or the GUI option).';
export const IN_USE =
  'Unable to obtain an exclusive lock on the database, is it being used by another instance of Bitcoin Core?';

/** The parts of the engine that all work on wallets needs. */
export interface WalletServices {
  readonly dialect: Dialect;
  readonly network: Network;
  readonly layout: FolderLayout;
  readonly log: EngineLog;
  readonly work: Work;
  /** Aborts when the engine stops, which ends uncommitted work. */
  readonly stopping: AbortSignal;
}

/** Throws RpcError -4 while another program uses a wallet's file. On Linux this can wait 20 ms for the kernel. */
export function refuseInUse({ file }: WalletPath): void {
  if (isInUse(file)) throw new RpcError('wallet', `${FAILED} ${IN_USE}`);
}

/** Reads a wallet's file; `look` also while another program has it open. Throws RpcError -18 if it is missing, else -4. */
export async function readWalletFile(
  kind: 'read' | 'look',
  place: WalletPath,
  { layout, work, stopping }: WalletServices,
): Promise<ReadFile> {
  if (!existsSync(place.path)) {
    const isLink = orNull(() => lstatSync(place.path)) !== null;
    throw isLink ? invalidPathError(place, layout) : unreadableError('load', place, 'Path does not exist.');
  }
  if (kind === 'read') refuseInUse(place);
  try {
    return await work.run(kind, { path: place.file }, { stopping });
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (systemCode(error) === 'ENOTDIR') throw invalidPathError(place, layout);
    if (systemCode(error) === 'ENOENT')
      throw unreadableError('load', place, 'Data is not in recognized format.');
    throw new RpcError('wallet', `${FAILED} ${wordsOf(error, 'The wallet file cannot be read.')}`);
  }
}

/**
 * Opens a wallet from its file, and logs what a node logs. `facts`: see `Work.open`. Throws RpcError -18 if it is not a wallet,
 * else -4 or -7.
 */
export async function openWalletFile(
  place: WalletPath,
  { start, ...file }: ReadFile,
  { network, dialect, log, work, stopping }: WalletServices,
  facts?: WalletFacts,
): Promise<WalletHandle> {
  const kind = kindOfBytes(start, network);
  // Nodes open a bare file only if it is legacy.
  if (kind === 'unknown' || (place.form === 'file' && kind !== 'bdb'))
    throw unreadableError('load', place, 'Data is not in recognized format.');
  if (kind === 'other-network') {
    throw new RpcError('wallet', `${FAILED} SQLiteDatabase: the wallet belongs to another network.`);
  }
  if (kind === 'bdb' && dialect.legacyWallets === 'refuse')
    throw unreadableError('open', place, NEEDS_MIGRATION);
  const since = performance.now();
  log.write(`Using wallet ${kind === 'bdb' ? place.file : place.path}`);
  log.write('init message: Loading wallet…');
  let wallet: WalletHandle;
  try {
    wallet = await work.open({ file, kind, network, facts }, stopping);
  } catch (error) {
    if (error instanceof RpcError) throw error;
    if (error instanceof AppError && error.node) throw new RpcError('wallet', error.node.message);
    const why = wordsOf(error, 'the file is damaged.');
    throw new RpcError('wallet', `${FAILED} ${kind === 'sqlite' ? 'SQLiteDatabase: ' : ''}${why}`);
  }
  const { keypool, transactions } = wallet.summary;
  log.ofWallet(place.name, keysLine(wallet, dialect));
  const milliseconds = Math.round(performance.now() - since).toString();
  log.ofWallet(place.name, `Wallet completed loading in ${milliseconds.padStart(15)}ms`);
  log.ofWallet(place.name, `setKeyPool.size() = ${keypool.external + (keypool.internal ?? 0)}`);
  log.ofWallet(place.name, `mapWallet.size() = ${transactions}`);
  log.ofWallet(place.name, `m_address_book.size() = ${wallet.addresses}`);
  return wallet;
}

/** The app's sentence for an error; `other` for an unknown one. */
export function wordsOf(error: unknown, other: string): string {
  return error instanceof AppError ? errorShapeOf(error).message : other;
}

/** The line of a node's log that counts a wallet's keys. */
export function keysLine({ kind, summary: { keys } }: WalletFacts, { release }: Dialect): string {
  const counted = `Keys: ${keys.plain} plaintext, ${keys.encrypted} encrypted, ${keys.plain + keys.encrypted} total.`;
  const newWords = kind === 'legacy' ? 'Legacy Wallet ' : `Descriptors: ${keys.descriptors}, Descriptor `;
  return `${release >= 28 ? newWords : ''}${counted}`;
}

/** For a file in a wallet's folder, and for a link to nothing. */
function invalidPathError({ name }: WalletPath, { walletsFolder }: FolderLayout): RpcError {
  return new RpcError(
    'wallet',
    `${FAILED} Invalid -wallet path '${name}'. -wallet path should point to a directory where wallet.dat and database/log.?????????? files can be stored, a location where such a directory could be created, or (for backwards compatibility) the name of an existing data file in -walletdir (${JSON.stringify(walletsFolder)})`,
  );
}

function unreadableError(verb: 'load' | 'open', { path }: WalletPath, why: string): RpcError {
  return new RpcError('walletNotFound', `${FAILED} Failed to ${verb} database path '${path}'. ${why}`);
}
