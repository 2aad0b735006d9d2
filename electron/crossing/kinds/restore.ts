/** Restores a backup with `restorewallet`: what is checked before, and what is told of it afterwards. */
import { isAbsolute } from 'node:path';
import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/errors.ts';
import { networkName } from '../../../shared/networkName.ts';
import type { OperationResult } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { inspectFile } from '../../disk/inspect.ts';
import { shownBalance } from '../../node/calls/shownBalance.ts';
import {
  type Loaded,
  listWalletDir,
  listWallets,
  restoreWallet,
  walletBalances,
  walletInfo,
} from '../../node/calls/walletCalls.ts';
import type { NodeClient, Session } from '../../node/rpc/session.ts';
import { backupAfter, refuseAnother, type SeenBackup, seeBackup } from '../placing/seenBackup.ts';
import { checkRestore } from '../plan/checkRestore.ts';
import { gatherRestore, type Looking } from '../plan/gatherFacts.ts';
import type { MemoryOf } from '../plan/memory.ts';
import { incompletePath } from '../plan/operationErrors.ts';
import type { Continuation, Ending, Plan } from '../plan/plan.ts';
import { refuseName } from '../plan/refuseName.ts';
import { refuseStops } from '../plan/refuseStops.ts';

/**
 * Checks that the restore can work and gives the plan of it. Nothing that changes anything is sent before.
 *
 * @throws AppError `name_invalid`, `name_taken`; with a node on this machine also `not_a_wallet`,
 * `release_unsupported` (a legacy backup on a release that cannot load it), `bad_input` (a path that is not
 * absolute, another network), `file_changed` for another file than the one that was shown, and what `inspectFile` throws; `stopped_by_check` for a check that stops; and what the
 * node's calls throw.
 */
export async function planRestore(
  session: Session,
  input: Input<'restore.start'>,
  { looking = null }: { looking?: Looking | null } = {},
): Promise<Plan<Loaded>> {
  const { name, backupFile, loadOnStartup, seenSha256 } = input;
  await refuseName(session, name);
  const { local } = session.status;
  if (local) await refuseBackup(session, backupFile);
  const seen = local ? await seeBackup(backupFile, seenSha256) : null;
  // What the wizard showed may have changed since, and not every restore comes from there.
  if (looking !== null) {
    refuseStops(checkRestore(await gatherRestore(session, { name, backupFile }, looking)).checks);
  }
  const memory = { kind: 'restore', name, backupFile, ...(seen ? { sha256: seen.sha256 } : {}) } as const;
  return {
    ...continueRestore(memory, seen),
    begin: {
      // The node opens the file by itself: the app can only look right before and after.
      async prepare() {
        if (seen !== null) await refuseAnother(seen);
      },
      call: (client, signal) => restoreWallet(client, { name, backupFile, loadOnStartup }, signal),
      conclude: ({ client }, answer) => concluded(client, answer.name, { warnings: answer.warnings, seen }),
    },
  };
}

/** A restore whose answer is not known. */
export function continueRestore(
  memory: MemoryOf<'restore'>,
  seen: SeenBackup | null = seenBefore(memory),
): Continuation {
  const { name } = memory;
  return {
    kind: 'restore',
    wallet: name,
    method: 'restorewallet',
    memory: () => memory,
    explain: (error) => error,
    async decide({ client }, { stillRunning }) {
      // The node lists a wallet only once it has loaded and rescanned it.
      if ((await listWallets(client)).includes(name)) return concluded(client, name, { warnings: [], seen });
      if (stillRunning) return null;
      const onDisk = (await listWalletDir(client)).some((wallet) => wallet.name === name);
      return onDisk ? leftUnloaded(name) : notRestored(name);
    },
  };
}

function seenBefore({ backupFile: path, sha256 }: MemoryOf<'restore'>): SeenBackup | null {
  return sha256 === undefined ? null : { path, sha256, facts: null };
}

async function refuseBackup({ status }: Session, backupFile: string): Promise<void> {
  if (!isAbsolute(backupFile)) throw incompletePath();
  const file = await inspectFile(backupFile);
  if (file.kind === 'other') {
    throw new AppError(
      'not_a_wallet',
      say('{file} is not a wallet: {kind}.', { file: file.name, kind: file.description }),
      say(
        'Nothing was sent to the node. A wallet’s file is mostly called wallet.dat, or ends in .bak or .dat.',
      ),
    );
  }
  if (file.kind === 'legacy-wallet' && !status.release.loadsLegacy) {
    throw new AppError(
      'release_unsupported',
      say('This is a legacy wallet, and a node of release {release} cannot load one.', {
        release: status.release.text,
      }),
      say(
        'Nothing was sent to the node, and the backup is as it was. Choose it again in the wizard: the app then restores and migrates it in one go. Or restore it with a node of release 29 or earlier, or without a node, and migrate it there.',
      ),
    );
  }
  if (file.network !== null && file.network !== status.network) {
    throw new AppError(
      'bad_input',
      say(
        'The wallet’s network: {ofFile}. The node’s network: {ofNode}. A node opens wallets of its own network only.',
        { ofFile: networkName(file.network), ofNode: networkName(status.network) },
      ),
      say('Nothing was sent to the node. Connect to a node of the wallet’s network.'),
    );
  }
}

async function concluded(
  client: NodeClient,
  walletName: string,
  { warnings, seen }: { warnings: readonly string[]; seen: SeenBackup | null },
): Promise<Ending> {
  // That the wallet is restored is known; what it is and holds is an extra that may stay unknown.
  const [info, balances, after] = await Promise.all([
    walletInfo(client, walletName).catch(() => null),
    walletBalances(client, walletName).catch(() => null),
    seen === null ? undefined : backupAfter(seen),
  ]);
  const result: OperationResult = {
    kind: 'restore',
    walletName,
    walletKind: info === null ? 'unknown' : info.descriptors ? 'descriptor' : 'legacy',
    balance: balances === null ? null : shownBalance(balances, info?.privateKeys === false).balance,
    ...(after === undefined ? {} : { backupAfter: after }),
  };
  return { state: 'done', result, warnings };
}

function leftUnloaded(name: string): Ending {
  return {
    state: 'unknown',
    error: {
      code: 'outcome_unknown',
      message: say('The node has a wallet “{name}” now, but it is not loaded.', { name }),
      hint: say(
        'The line was lost before the node answered, and it no longer works on the restore. The backup is as it was. Load the wallet and look at it; if it cannot be loaded, restore the backup under another name.',
      ),
    },
  };
}

function notRestored(name: string): Ending {
  return {
    state: 'failed',
    error: {
      code: 'connection_lost',
      message: say('The wallet “{name}” was not restored.', { name }),
      hint: say(
        'The line was lost before the node answered; it no longer works on the restore and has no such wallet. The backup is as it was. Try again.',
      ),
    },
  };
}
