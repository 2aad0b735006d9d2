/** Restores a legacy backup on a node that cannot load one: places a copy under a new name and has the node migrate it. */
import { AppError } from '../../shared/model/errors.ts';
import { isSearchableForKeys } from '../../shared/wording/findings/fileKindWords.ts';
import { asSentence } from '../../shared/wording/findings/hints.ts';
import { say } from '../../shared/wording/say.ts';
import { send } from '../bitcoind/calls/call.ts';
import { proveWalletsFolder } from '../bitcoind/calls/proveWalletsFolder.ts';
import type { MigrateResult } from '../bitcoind/calls/walletCalls.ts';
import type { Session } from '../bitcoind/rpc/session.ts';
import { fileChangedError, realPath } from '../files/openFile.ts';
import type { JobDeps, JobKind, Preparation } from './jobKind.ts';
import { createMigrationBase, migrationBaseline } from './migrate.ts';
import { moveWallets } from './placing/moveWallets.ts';
import { placeWallet } from './placing/placedWallet.ts';
import type { RestoreFacts } from './plan/checkFacts.ts';
import type { CheckpointOf } from './plan/checkpoint.ts';
import { BY_HAND, refuseSharedWalletsFolder } from './plan/checkRestore.ts';
import { listMovedWallets, unloadsFor } from './plan/walletRenames.ts';
import type { SafetyCopies } from './safetyCopies/safetyCopies.ts';

/** The job of the planned restore with migration. */
export function createRestoreMigrateJob(facts: RestoreFacts, deps: JobDeps): JobKind<MigrateResult> {
  const { backupFile } = facts;
  const checkpoint: CheckpointOf<'restore-migrate'> = {
    kind: 'restore-migrate',
    ...migrationBaseline(afterMoves(facts), deps),
    backupFile,
    placed: null,
    fileForProof: backupFile,
    ...plannedMoves(facts),
  };
  return {
    ...createMigrationBase(checkpoint, deps),
    async prepare(preparation) {
      const walletsFolder = await requireWalletsFolder(preparation.session);
      const { path, sha256 } = await copyChosenFile(facts, deps.copies, preparation);
      checkpoint.fileForProof = path;
      await moveInterruptedWallets(facts, checkpoint, walletsFolder, preparation);
      await placeCopy(checkpoint, { walletsFolder, sha256 }, preparation);
    },
  };
}

/** The facts without the incomplete wallets, which move first: a later wallet of the same name is a new one. */
function afterMoves(facts: RestoreFacts): RestoreFacts {
  const stays = (each: string) => facts.renames.every(({ name }) => name !== each);
  return { ...facts, onDisk: facts.onDisk.filter(stays), loaded: facts.loaded.filter(stays) };
}

/** What the checkpoint keeps of the incomplete wallets that move. */
export function plannedMoves(facts: RestoreFacts): Pick<CheckpointOf<'restore-migrate'>, 'movedWallets'> {
  if (facts.putsBack === null) return {};
  const movedWallets = listMovedWallets(facts).map(({ name, newName, path }) => ({
    name,
    newName,
    ...(path === null ? {} : { path }),
  }));
  return { movedWallets };
}

/** Unloads and moves the incomplete wallets. Saves each step in the checkpoint before it happens. */
export async function moveInterruptedWallets(
  facts: RestoreFacts,
  checkpoint: CheckpointOf<'restore' | 'restore-migrate'>,
  walletsFolder: string,
  { session, signal, save }: Preparation,
): Promise<void> {
  if (facts.putsBack === null || facts.renames.length === 0) return;
  const unloads = unloadsFor(facts);
  if (unloads.length > 0) {
    checkpoint.unloaded = facts.renames.flatMap(({ name }) => (facts.loaded.includes(name) ? name : []));
    save();
  }
  for (const call of unloads) await send(session.client, call, { timeoutMs: null, signal });
  signal.throwIfAborted();
  await moveWallets(walletsFolder, facts.renames, (moved) => {
    checkpoint.moves = [...moved];
    save();
  });
}

/** The safety copy of the chosen file. Throws AppError `file_changed` for another file. */
export async function copyChosenFile(
  { name, backupFile, file, fileInspection, copyFolder }: RestoreFacts,
  copies: SafetyCopies,
  { session, signal, show }: Preparation,
): Promise<{ path: string; sha256: string }> {
  const folder = copyFolder ?? (await copies.folderFor(name));
  // The copy is named as a wallet's, and stays until the user removes it.
  const isText = file !== null && isSearchableForKeys(file.fileKind);
  const note = isText ? say('It contains the wallet’s keys.') : null;
  const copy = await copies.copyFile(session.status, name, { file: backupFile, folder, note }, signal);
  const [mainCopy] = copy.files;
  const sha256 = mainCopy?.sha256 ?? null;
  if (
    mainCopy === undefined ||
    sha256 === null ||
    (fileInspection.state === 'read' && sha256 !== fileInspection.sha256)
  ) {
    throw fileChangedError();
  }
  show({ safetyCopy: copy });
  return { path: mainCopy.path, sha256 };
}

/** Places the file `fileForProof` of the checkpoint. Saves each step before it happens, so that a crash leaves no unknown copy. */
export async function placeCopy(
  checkpoint: CheckpointOf<'restore-migrate' | 'rescue'>,
  { walletsFolder, sha256 }: { walletsFolder: string; sha256: string },
  { signal, startPlacing, save }: Preparation,
): Promise<void> {
  startPlacing();
  // Its permissions may have changed while the safety copy was made.
  refuseSharedWalletsFolder(walletsFolder);
  await placeWallet({
    from: checkpoint.fileForProof ?? checkpoint.backupFile,
    sha256,
    walletsFolder,
    name: checkpoint.name,
    signal,
    save(placed) {
      checkpoint.placed = placed;
      if (placed !== null) save();
    },
  });
}

/** Where a wallet can be placed. Throws AppError `not_available_here`. */
export async function requireWalletsFolder({ client, status }: Session): Promise<string> {
  const { offline, walletsFolder, logPath } = status;
  // The app chose the engine's folder, and there may be no wallet yet to prove it by.
  const folder = offline
    ? walletsFolder
    : await proveWalletsFolder(client, logPath, { chosen: walletsFolder });
  if (folder === null)
    throw new AppError('not_available_here', asSentence(say('Unknown wallets folder')), BY_HAND);
  // Use the real path from here on: the folders above it are checked, and no link can lead elsewhere later.
  const real = await realPath(folder);
  refuseSharedWalletsFolder(real);
  return real;
}
