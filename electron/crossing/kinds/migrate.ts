/** Migrates a legacy wallet with `migratewallet`: what is refused before, and what is done. */
import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { identityOf, type NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { refuseAnotherNode } from '../../node/calls/askIdentity.ts';
import {
  cannotMigrate,
  listWalletDir,
  listWallets,
  type Migrated,
  migrateWallet,
  type WalletInfo,
  walletInfo,
} from '../../node/calls/walletCalls.ts';
import { isWithdrawn } from '../../node/rpc/release.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import type { SafetyCopies } from '../copies/safetyCopies.ts';
import { checkMigration } from '../plan/checkMigration.ts';
import { gatherMigration, type Looking } from '../plan/gatherFacts.ts';
import type { MemoryOf } from '../plan/memory.ts';
import type { Plan } from '../plan/plan.ts';
import { refuseStops } from '../plan/refuseStops.ts';
import type { Prover } from '../proof/proof.ts';
import { wholeBalance } from '../proof/wholeBalance.ts';
import { concludeMigration, continueMigration } from './continueMigration.ts';

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
  const seen = input.seen ?? identityOf(session.status);
  let passphrase = input.passphrase === '' ? undefined : input.passphrase;
  const gavePassphrase = passphrase !== undefined;
  refuseRelease(session.status, name);
  const loadedBefore = await listWallets(session.client);
  const info = await infoOfLegacy(session.client, name, loadedBefore);
  if (looking !== null) await refuseStopped(session, input, looking);
  const encrypted = info?.encrypted ?? null;
  const memory: MemoryOf<'migrate'> = {
    kind: 'migrate',
    name,
    loadedBefore,
    onDiskBefore: (await listWalletDir(session.client)).map((wallet) => wallet.name),
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
        // That it cannot be told is no reason not to migrate.
        if (info !== null) memory.balanceBefore = await wholeBalance(now.client, name, signal);
        if (copies === null || copyWay === 'cannot') return;
        const copy = await copies.ofWallet(now, name, signal);
        // Further files are of the wallets beside it.
        const [own] = copy.files;
        memory.before = own && own.sha256 !== null ? own.path : null;
        show({ safetyCopy: copy });
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

/** What a migration is made safe and proved with. */
export interface MigrationMeans {
  copies?: SafetyCopies | null;
  prover?: Prover | null;
  looking?: Looking | null;
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

function refuseRelease({ release, offline }: NodeStatus, name: string): void {
  if (release.migrates === 'no') throw cannotMigrate(release);
  // The offline engine may call itself such a release, and has not its fault.
  if (!offline && name === '' && isWithdrawn(release)) {
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

/** What the node says of the wallet; null when it is not loaded. */
async function infoOfLegacy(
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
