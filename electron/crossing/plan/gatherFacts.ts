/** Looks at everything that the checks go by. Changes nothing. */
import { stat, statfs } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { Input, WalletSource } from '../../../shared/contract.ts';
import { AppError, errorShapeOf } from '../../../shared/errors.ts';
import type { FileFacts } from '../../../shared/files.ts';
import type { Inspection, PassphraseVerdict } from '../../../shared/inspection.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { isInUse } from '../../disk/lock/fileInUse.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { blockAt, blockFacts } from '../../node/calls/nodeCalls.ts';
import { listWalletDir, listWallets, type WalletInfo, walletInfo } from '../../node/calls/walletCalls.ts';
import { walletFilePath } from '../../node/calls/walletFile.ts';
import type { Session } from '../../node/rpc/session.ts';
import type { SafetyCopies } from '../copies/safetyCopies.ts';
import type { ChainFacts, Looked, MigrationFacts, Neighbours, RestoreFacts, Space } from './checkFacts.ts';
import { incompletePath } from './operationErrors.ts';
import { sharedWalletsFolder } from './sharedWalletsFolder.ts';

export interface Looking {
  /** Reads a wallet's file beside the main thread. Throws AppError. */
  inspect(source: WalletSource): Promise<Inspection>;
  /** The same for a passphrase. Throws AppError where it cannot be tried. */
  tryPassphrase(source: WalletSource, passphrase: string): Promise<PassphraseVerdict>;
  copies: SafetyCopies;
  /** The folder of the app's copies, or one above it that exists. */
  copiesFolder: string;
  /** Unix seconds. */
  now(): number;
}

/** Throws what the node's calls throw. What cannot be looked at is null in the facts. */
export async function gatherMigration(
  session: Session,
  { name, zeroInPassphrase = false }: Input<'migrate.check'>,
  looking: Looking,
): Promise<MigrationFacts> {
  const { client, status } = session;
  const [inFolder, loaded, copy] = await Promise.all([
    listWalletDir(client),
    listWallets(client),
    looking.copies.wayFor(session, name),
  ]);
  const onDisk = inFolder.map((wallet) => wallet.name);
  const isThere = onDisk.includes(name) || loaded.includes(name);
  const looked: Looked =
    copy.file === null || !isThere
      ? { state: 'elsewhere' }
      : await look(() => looking.inspect({ by: 'wallet', name }));
  const neighbours = name === '' ? await neighboursOf(onDisk, loaded, status.walletsFolder) : null;
  return {
    status,
    name,
    onDisk,
    loaded,
    info: loaded.includes(name) ? await infoOf(session, name) : null,
    looked,
    space:
      copy.file === null
        ? null
        : await spaceFor(copy.file, neighbours?.size ?? 0, status.walletsFolder, looking),
    chain: await chainOf(session, looked, looking),
    copy,
    neighbours,
    heldElsewhere: heldElsewhere(copy.file, loaded.includes(name)),
    zeroInPassphrase,
  };
}

export async function gatherRestore(
  session: Session,
  { name, backupFile, zeroInPassphrase = false }: Input<'restore.check'>,
  looking: Looking,
): Promise<RestoreFacts> {
  const { client, status } = session;
  const [inFolder, loaded] = await Promise.all([listWalletDir(client), listWallets(client)]);
  const here = status.local ? await fileOf(backupFile) : { file: null, fileError: null };
  const isWallet = here.file !== null && here.file.kind !== 'other';
  const looked: Looked = isWallet
    ? await look(() => looking.inspect({ by: 'file', path: backupFile }))
    : { state: 'elsewhere' };
  return {
    status,
    name,
    onDisk: inFolder.map((wallet) => wallet.name),
    loaded,
    ...here,
    inTheWay: status.local ? await isTaken(status.walletsFolder, name) : null,
    shared: status.local && status.walletsFolder !== null ? sharedWalletsFolder(status.walletsFolder) : null,
    looked,
    space: isWallet ? await spaceFor(backupFile, 0, status.walletsFolder, looking) : null,
    chain: await chainOf(session, looked, looking),
    zeroInPassphrase,
  };
}

async function look(inspect: () => Promise<Inspection>): Promise<Looked> {
  try {
    return { state: 'seen', inspection: await inspect() };
  } catch (thrown) {
    return { state: 'unseen', error: errorShapeOf(thrown) };
  }
}

/** Null for a name that is none of a file, which another check tells. */
async function isTaken(walletsFolder: string | null, name: string): Promise<boolean | null> {
  if (walletsFolder === null || name === '') return null;
  try {
    await stat(join(walletsFolder, name));
    return true;
  } catch (error) {
    return systemCode(error) === 'ENOENT' ? false : null;
  }
}

async function fileOf(path: string): Promise<Pick<RestoreFacts, 'file' | 'fileError'>> {
  if (!isAbsolute(path)) return { file: null, fileError: incompletePath().toShape() };
  try {
    const file: FileFacts = await inspectFile(path);
    return { file, fileError: null };
  } catch (thrown) {
    return { file: null, fileError: errorShapeOf(thrown) };
  }
}

async function infoOf({ client }: Session, name: string): Promise<WalletInfo | null> {
  try {
    return await walletInfo(client, name);
  } catch (thrown) {
    // It may have been unloaded since.
    if (thrown instanceof AppError && thrown.code === 'wallet_not_found') return null;
    throw thrown;
  }
}

/** A wallet that this node has open is held by it. Only Linux tells who else holds one. */
function heldElsewhere(file: string | null, loadedHere: boolean): boolean | null {
  if (file === null || loadedHere || process.platform !== 'linux') return null;
  return isInUse(file);
}

/** Those that `ofWallet` of the safety copies copies along with an unnamed wallet. */
async function neighboursOf(
  onDisk: readonly string[],
  loaded: readonly string[],
  walletsFolder: string | null,
): Promise<Neighbours | null> {
  if (walletsFolder === null) return null;
  let size = 0;
  const notFound: string[] = [];
  for (const name of onDisk.filter((each) => each !== '')) {
    const file = await walletFilePath(walletsFolder, name);
    if (file !== null)
      size += await stat(file).then(
        (found) => found.size,
        () => 0,
      );
    else if (!loaded.includes(name)) notFound.push(name);
  }
  return { size, notFound };
}

async function spaceFor(
  file: string,
  beside: number,
  walletsFolder: string | null,
  { copiesFolder }: Looking,
): Promise<Space | null> {
  try {
    const { size } = await stat(file);
    const [wallets, copies] = await Promise.all([
      walletsFolder === null ? null : diskOf(walletsFolder),
      diskOf(copiesFolder),
    ]);
    return {
      size,
      beside,
      free: wallets?.free ?? null,
      freeForCopies: copies?.free ?? null,
      oneDisk: wallets !== null && copies !== null && wallets.device === copies.device,
    };
  } catch {
    return null;
  }
}

/** With the bytes that this user can still write; of the nearest folder that exists. Null: the system does not tell. */
async function diskOf(folder: string): Promise<{ free: number; device: number } | null> {
  try {
    const [{ bavail, bsize }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
    return { free: bavail * bsize, device: dev };
  } catch {
    const above = dirname(folder);
    return above === folder ? null : diskOf(above);
  }
}

/** Asked only where a check needs it. */
async function chainOf({ client, status }: Session, looked: Looked, { now }: Looking): Promise<ChainFacts> {
  const nothing = { lastBlock: null, pruneTime: null, now: now() };
  if (status.offline || looked.state !== 'seen') return nothing;
  const hash = looked.inspection.balance.lastBlock;
  const { pruneHeight } = status;
  const [lastBlock, lowest] = await Promise.all([
    hash === null ? null : blockFacts(client, hash),
    pruneHeight === null ? null : blockAt(client, pruneHeight),
  ]);
  return { ...nothing, lastBlock, pruneTime: lowest?.time ?? null };
}
