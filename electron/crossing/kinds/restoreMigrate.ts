/** Brings a legacy backup to a node that cannot load one: a copy is placed under a new name, and migrated. */
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { identityOf } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { systemCode } from '../../disk/systemCode.ts';
import { refuseAnotherNode } from '../../node/calls/askIdentity.ts';
import { listWalletDir, listWallets, type Migrated, migrateWallet } from '../../node/calls/walletCalls.ts';
import { proveWalletsFolder } from '../../node/calls/walletsFolder.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import { furtherNames } from '../../wallet/migrate/furtherNames.ts';
import { changedMeanwhile, placeWallet } from '../placing/placedWallet.ts';
import { seeBackup } from '../placing/seenBackup.ts';
import { notYetTaken, takeBackPlaced } from '../placing/takeBackPlaced.ts';
import { checkRestore } from '../plan/checkRestore.ts';
import { gatherRestore, type Looking } from '../plan/gatherFacts.ts';
import type { MemoryOf } from '../plan/memory.ts';
import { incompletePath } from '../plan/operationErrors.ts';
import type { Continuation, Plan, Preparation } from '../plan/plan.ts';
import { nameRefused, refuseName } from '../plan/refuseName.ts';
import { refusePassphrase } from '../plan/refusePassphrase.ts';
import { refuseStops } from '../plan/refuseStops.ts';
import { refuseSharedWalletsFolder } from '../plan/sharedWalletsFolder.ts';
import type { Prover } from '../proof/proof.ts';
import { concludeMigration, continueMigration } from './continueMigration.ts';
import type { MigrationMeans } from './migrate.ts';

/**
 * Checks that it can work and gives the plan of it. Nothing is placed before.
 *
 * @throws AppError `not_available_here` for a node whose wallets folder is not proved, `release_unsupported`,
 * `name_invalid`, `name_taken`, `not_a_wallet`, `file_changed` for another file than the one that was shown, `bad_input` for a descriptor wallet, `wrong_passphrase` and
 * `wallet_unlock_needed` by the file itself, and what reading the file and the node's calls throw.
 */
export async function planRestoreMigrate(
  session: Session,
  input: Input<'restoreMigrate.start'>,
  { copies = null, prover = null, looking = null }: MigrationMeans,
): Promise<Plan<Migrated>> {
  const { name, backupFile, seenSha256 } = input;
  const { release } = session.status;
  const seen = input.seen ?? identityOf(session.status);
  let passphrase = input.passphrase === '' ? undefined : input.passphrase;
  if (release.migrates !== 'yes') throw cannotMigrateUnloaded(release.text);
  await refuseBackup(backupFile);
  const { sha256 } = await seeBackup(backupFile, seenSha256);
  const folder = await provedFolder(session);
  await refuseNameToPlace(session, name, folder);
  const encrypted =
    looking === null ? null : await refuseByTheFile(session, { name, backupFile, passphrase }, looking);
  const memory: MemoryOf<'restore-migrate'> = {
    kind: 'restore-migrate',
    name,
    backupFile,
    placed: null,
    loadedBefore: await listWallets(session.client),
    onDiskBefore: (await listWalletDir(session.client)).map((wallet) => wallet.name),
    gavePassphrase: passphrase !== undefined,
    encrypted,
    before: backupFile,
    balanceBefore: null,
  };
  return {
    ...continueRestoreMigrate(memory, prover),
    begin: {
      async prepare(preparation) {
        const { signal, show } = preparation;
        const copy = await copies?.ofFile(session.status, name, backupFile, signal);
        if (copy) {
          const [own] = copy.files;
          if (own?.sha256 !== sha256) throw changedMeanwhile();
          memory.before = own.path;
          show({ safetyCopy: copy });
        }
        await place(memory, { walletsFolder: folder, sha256 }, preparation);
      },
      call(client, signal) {
        const mayHave = (line: NodeClient) => refuseAnotherNode(line, seen, signal);
        const request = { name, passphrase, mayHave };
        passphrase = undefined;
        return migrateWallet(client, release, request, signal);
      },
      conclude: ({ status }, answer) => concludeMigration(name, answer, status.local),
    },
  };
}

/** Throws for a check that stops and for a wrong passphrase. Gives whether the wallet is encrypted, null: not known. */
async function refuseByTheFile(
  session: Session,
  { name, backupFile, passphrase }: Input<'restoreMigrate.start'>,
  looking: Looking,
): Promise<boolean | null> {
  const facts = await gatherRestore(session, { name, backupFile }, looking);
  refuseStops(checkRestore(facts).checks);
  await refusePassphrase(facts, backupFile, passphrase, looking);
  return facts.looked.state === 'seen' ? facts.looked.inspection.encryption !== null : null;
}

/** One whose answer is not known, or that never came so far. */
export function continueRestoreMigrate(
  memory: MemoryOf<'restore-migrate'>,
  prover: Prover | null,
): Continuation {
  return {
    ...continueMigration(memory, prover),
    takeBack: (session, call) => takeBackPlaced(memory, session, call),
    notYetTaken: (call) => notYetTaken(memory, call),
  };
}

/** Each step is written down before it is done, so that what was placed can be taken away after a crash too. */
async function place(
  memory: MemoryOf<'restore-migrate'>,
  { walletsFolder, sha256 }: { walletsFolder: string; sha256: string },
  { signal, reached, remember }: Preparation,
): Promise<void> {
  reached('placing');
  // It may have been opened to others while the safety copy was made.
  refuseSharedWalletsFolder(walletsFolder);
  await placeWallet({
    from: memory.before ?? memory.backupFile,
    sha256,
    walletsFolder,
    name: memory.name,
    signal,
    remember(placed) {
      memory.placed = placed;
      if (placed !== null) remember();
    },
  });
}

async function provedFolder({ client, status }: Session): Promise<string> {
  const folder =
    status.local && status.logPath !== null ? await proveWalletsFolder(client, status.logPath) : null;
  if (folder !== null) {
    // From here on by its real path: what lies on the way there is looked at, and links are not asked again.
    const real = await realpath(folder);
    refuseSharedWalletsFolder(real);
    return real;
  }
  throw new AppError(
    'not_available_here',
    status.local
      ? say(
          'The app cannot tell for certain which folder the node keeps its wallets in, so it places nothing there.',
        )
      : say('The node is on another machine: the app cannot place a file there.'),
    say(
      'Nothing was changed. Put a copy of the backup as wallet.dat into a new folder within the node’s wallets folder by hand, and migrate the wallet of that folder’s name. Or work without a node: the offline engine restores and migrates it here.',
    ),
  );
}

async function refuseNameToPlace(session: Session, name: string, walletsFolder: string): Promise<void> {
  const taken = await refuseName(session, name);
  if (name.includes('/')) throw nameRefused('name_invalid', say('A name with a slash cannot be used here.'));
  const further = furtherNames(name).find((each) => taken.includes(each));
  if (further !== undefined) {
    throw nameRefused(
      'name_taken',
      say('The migration may need the name “{needed}”, which another wallet has.', { needed: further }),
    );
  }
  const isFree = await stat(join(walletsFolder, name)).then(
    () => false,
    (error: unknown) => systemCode(error) === 'ENOENT',
  );
  if (!isFree)
    throw nameRefused('name_taken', say('There is already something of this name in the wallets folder.'));
}

async function refuseBackup(backupFile: string): Promise<void> {
  if (!isAbsolute(backupFile)) throw incompletePath();
  const { kind, name, description, truncated } = await inspectFile(backupFile);
  if (kind === 'legacy-wallet' && !truncated) return;
  throw new AppError(
    kind === 'descriptor-wallet' ? 'bad_input' : 'not_a_wallet',
    kind === 'legacy-wallet'
      ? say('{file} is cut short: it is not a whole wallet.', { file: name })
      : say('{file} is not a legacy wallet: {kind}.', { file: name, kind: description }),
    say('Nothing was sent to the node. Only a whole legacy wallet is restored and migrated in one go.'),
  );
}

function cannotMigrateUnloaded(release: string): AppError {
  return new AppError(
    'release_unsupported',
    say('A node of release {release} cannot migrate a wallet that it has not loaded.', { release }),
    say(
      'Nothing was sent to the node. Restore the backup first, then migrate it; or use a node of release 25 or later.',
    ),
  );
}
