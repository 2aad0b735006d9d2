/** Migrates a legacy wallet with `migratewallet`: what is checked before, and how its outcome is found out. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Input } from '../../shared/contract.ts';
import { AppError } from '../../shared/errors.ts';
import type { Release } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import { inspectFile } from '../files/inspect.ts';
import { isNetworkPath } from '../node/isNetworkPath.ts';
import type { NodeClient, Session } from '../node/session.ts';
import {
  listWalletDir,
  listWallets,
  type Migrated,
  migrateWallet,
  type WalletInfo,
  walletBalances,
  walletInfo,
} from '../node/walletCalls.ts';
import { checkMigration } from './checks/checkMigration.ts';
import { gatherMigration, type Looking } from './checks/gatherFacts.ts';
import { refuseStops } from './checks/refuseStops.ts';
import type { MemoryOf } from './memory.ts';
import { explainMigration } from './migrateErrors.ts';
import type { Continuation, Ending, Evidence, Plan } from './plan.ts';
import { type Prover, wholeBalance } from './proof.ts';
import type { SafetyCopies } from './safetyCopies.ts';

/**
 * Checks that the migration can work and gives the plan of it. Nothing that changes anything is sent before.
 * The passphrase is kept for the one call only.
 *
 * @throws AppError `wallet_not_found`, `release_unsupported` (also where the release is known to endanger other
 * wallets), `bad_input` for a descriptor wallet, and what the node's calls throw.
 */
export async function planMigration(
  session: Session,
  input: Input<'migrate.start'>,
  { copies = null, prover = null, looking = null }: MigrationMeans = {},
): Promise<Plan<Migrated>> {
  const { name } = input;
  const { release } = session.status;
  let passphrase = input.passphrase === '' ? undefined : input.passphrase;
  const gavePassphrase = passphrase !== undefined;
  checkRelease(release, name);
  const loadedBefore = await listWallets(session.client);
  const info = await checkWallet(session.client, name, loadedBefore);
  if (looking !== null) await refuseStopped(session, input, looking);
  const encrypted = info?.encrypted ?? null;
  const memory: MemoryOf<'migrate'> = {
    kind: 'migrate',
    name,
    loadedBefore,
    gavePassphrase,
    encrypted,
    before: null,
    balanceBefore: null,
  };
  const copyWay = copies === null ? 'cannot' : (await copies.wayFor(session, name)).way;
  if (copies !== null && copyWay === 'cannot' && input.hasOwnCopy !== true) throw copyNeeded();
  return {
    ...continueMigration(memory, prover),
    begin: {
      async prepare({ session: now, signal, show }) {
        if (info !== null) memory.balanceBefore = await balanceOf(now.client, name, signal);
        if (copies === null || copyWay === 'cannot') return;
        const copy = await copies.ofWallet(now, name, signal);
        memory.before = copy.files.find(({ sha256 }) => sha256 !== null)?.path ?? null;
        show({ safetyCopy: copy });
      },
      call(client, signal) {
        const request = passphrase === undefined ? { name } : { name, passphrase };
        passphrase = undefined;
        return migrateWallet(client, release, request, signal);
      },
      conclude: ({ status }, answer) => concludeMigration(answer, status.local),
    },
  };
}

/** What a migration is made safe and proved with. */
export interface MigrationMeans {
  copies?: SafetyCopies | null;
  prover?: Prover | null;
  looking?: Looking | null;
}

/** That it cannot be told is no reason not to migrate. */
async function balanceOf(client: NodeClient, name: string, signal: AbortSignal): Promise<bigint | null> {
  try {
    return wholeBalance(await walletBalances(client, name, signal));
  } catch {
    signal.throwIfAborted();
    return null;
  }
}

/** A migration whose answer is not known. */
export function continueMigration(
  memory: MemoryOf<'migrate' | 'restore-migrate'>,
  prover: Prover | null,
): Continuation {
  const { kind, name, loadedBefore } = memory;
  return {
    kind,
    wallet: name,
    method: 'migratewallet',
    memory: () => memory,
    explain: (error, evidence) => explainMigration(error, evidence, memory),
    async decide(session, { stillRunning, ...evidence }) {
      if (stillRunning) return null;
      const { client, status } = session;
      const found = await findMigrated(client, name, loadedBefore, evidence);
      if (found !== null) return concludeMigration(found, status.local);
      return (await isStillLegacy(session, name)) ? asItWas() : untold(name, evidence);
    },
    async prove(session, result, signal) {
      if (prover === null || result.kind !== 'migrate') return null;
      const { before, balanceBefore } = memory;
      return prover.prove(session, { result, before, balanceBefore }, signal);
    },
  };
}

/** What the wizard showed may have changed since, and not every migration comes from there. */
async function refuseStopped(
  session: Session,
  { name, passphrase }: Input<'migrate.start'>,
  looking: Looking,
): Promise<void> {
  const zeroInPassphrase = passphrase?.includes('\0') ?? false;
  refuseStops(checkMigration(await gatherMigration(session, { name, zeroInPassphrase }, looking)).checks);
}

function copyNeeded(): AppError {
  return new AppError(
    'stopped_by_check',
    say('The app cannot make its own copy of this wallet.'),
    say(
      'Nothing was sent to the node. Make a copy of the wallet’s file by hand, then go on and say that you have one.',
    ),
  );
}

function checkRelease(release: Release, name: string): void {
  if (release.migrates === 'no') {
    throw new AppError(
      'release_unsupported',
      say('A node of release {release} cannot migrate wallets.', { release: release.text }),
      say(
        'Nothing was sent to the node, and the wallet is as it was. Use a node of release 25 or later; 28 and later have been tried the most.',
      ),
    );
  }
  if (name === '' && DANGEROUS_UNNAMED.has(release.number)) {
    throw new AppError(
      'release_unsupported',
      say(
        'Release {release} can delete every wallet in the wallets folder when the migration of the unnamed wallet fails.',
        { release: release.text },
      ),
      say(
        'Nothing was sent to the node, and all wallets are as they were. Use release 30.2 or later. Or stop the node, put the file wallet.dat into a new folder within the wallets folder, start the node and migrate the wallet of that folder’s name.',
      ),
    );
  }
}

/** 30.0 and 30.1, withdrawn for this: bitcoin/bitcoin#34128, public notice of 5 January 2026. */
const DANGEROUS_UNNAMED: ReadonlySet<number> = new Set([300_000, 300_100]);

/** What the node says of the wallet; null when it is not loaded. */
async function checkWallet(
  client: NodeClient,
  name: string,
  loaded: readonly string[],
): Promise<WalletInfo | null> {
  if (!loaded.includes(name)) {
    if ((await listWalletDir(client)).some((wallet) => wallet.name === name)) return null;
    throw new AppError(
      'wallet_not_found',
      name === ''
        ? say('The node has no unnamed wallet.')
        : say('The node has no wallet “{name}”.', { name }),
      say(
        'Nothing was sent to the node. Look at the list of wallets: it may have another name, or have been moved.',
      ),
    );
  }
  const info = await walletInfo(client, name);
  if (info.descriptors) {
    throw new AppError(
      'bad_input',
      say('This is a descriptor wallet already.'),
      say('Nothing was sent to the node. There is nothing to migrate.'),
    );
  }
  return info;
}

/** What came of a migration that ended well. */
export async function concludeMigration(answer: FoundMigration, local: boolean): Promise<Ending> {
  const { walletName, watchonlyName, solvablesName, backupPath } = answer;
  const backupSeen =
    local && backupPath !== null && !isNetworkPath(backupPath) ? await isFile(backupPath) : null;
  return {
    state: 'done',
    result: { kind: 'migrate', walletName, watchonlyName, solvablesName, backupPath, backupSeen },
    warnings: [],
  };
}

type FoundMigration = Omit<Migrated, 'backupPath'> & { readonly backupPath: string | null };

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** The wallets that the migration made, if the node shows them loaded. */
async function findMigrated(
  client: NodeClient,
  name: string,
  loadedBefore: readonly string[],
  { log }: Evidence,
): Promise<FoundMigration | null> {
  const [loaded, onDisk] = await Promise.all([listWallets(client), listWalletDir(client)]);
  const present = new Set([...loaded, ...onDisk.map((wallet) => wallet.name)]);
  const made = (into: 'watchonly' | 'solvables') => {
    const stems = name === '' ? ['', 'default_wallet'] : [name];
    return (
      stems
        .map((stem) => `${stem}_${into}`)
        .find(
          (other) =>
            (loaded.includes(other) && !loadedBefore.includes(other)) ||
            (log.separated.includes(into) && present.has(other)),
        ) ?? null
    );
  };
  const parts = {
    watchonlyName: made('watchonly'),
    solvablesName: made('solvables'),
    backupPath: log.backupPath,
  };
  if (loaded.includes(name)) {
    return (await walletInfo(client, name)).descriptors ? { walletName: name, ...parts } : null;
  }
  // A wallet that only watched leaves no spendable one: the watch-only wallet is then the main result.
  const onlyWatches =
    !present.has(name) && parts.watchonlyName !== null && loaded.includes(parts.watchonlyName);
  return onlyWatches && parts.watchonlyName !== null ? { walletName: parts.watchonlyName, ...parts } : null;
}

async function isStillLegacy({ client, status }: Session, name: string): Promise<boolean> {
  if ((await listWallets(client)).includes(name)) return !(await walletInfo(client, name)).descriptors;
  if (!(await listWalletDir(client)).some((wallet) => wallet.name === name)) return false;
  if (!status.local || status.walletsFolder === null) return false;
  for (const path of [join(status.walletsFolder, name, 'wallet.dat'), join(status.walletsFolder, name)]) {
    try {
      return (await inspectFile(path)).kind === 'legacy-wallet';
    } catch {
      // Wallets of old are bare files in the wallets folder.
    }
  }
  return false;
}

function asItWas(): Ending {
  return {
    state: 'failed',
    error: {
      code: 'connection_lost',
      message: say('The wallet was not migrated.'),
      hint: say(
        'The line was lost before the node answered, and it no longer works on the migration. The wallet is still the legacy wallet that it was. Try again.',
      ),
    },
  };
}

function untold(name: string, { log }: Evidence): Ending {
  const backup =
    log.backupPath === null
      ? say(
          'The node makes a backup before it changes anything: look for a file that ends in .legacy.bak in or beside the wallet’s folder.',
        )
      : say('The backup that the node made first is at {path}.', { path: log.backupPath });
  return {
    state: 'unknown',
    error: {
      code: 'outcome_unknown',
      message: say('The app cannot tell whether the wallet was migrated.'),
      hint: say(
        'The line was lost before the node answered, it no longer works on the migration, and the wallet is not loaded. {backup} Load {wallet} and look at it.',
        { wallet: nameOf(name), backup },
      ),
    },
  };
}

function nameOf(name: string): string {
  return name === '' ? say('the unnamed wallet') : `“${name}”`;
}
