/** Restores a backup with `restorewallet`, and tells what came of it. */
import type { CrossingResult } from '../../../shared/crossing.ts';
import { say } from '../../../shared/text/say.ts';
import {
  type Loaded,
  listWalletDir,
  listWallets,
  restoredOf,
  walletBalances,
  walletInfo,
} from '../../node/calls/walletCalls.ts';
import { shownBalance } from '../../node/calls/walletShapes.ts';
import type { NodeClient } from '../../node/rpc/session.ts';
import { backupAfter, refuseAnother, type SeenBackup } from '../placing/seenBackup.ts';
import type { RestoreFacts } from '../plan/checkFacts.ts';
import {
  type Continuation,
  type Course,
  cannotTell,
  type Ending,
  lineLost,
  type Planned,
} from '../plan/course.ts';
import type { MemoryOf } from '../plan/memory.ts';

/** Restores the backup as it was planned. */
export function restore({ facts, calls }: Planned<RestoreFacts>): Course<Loaded> {
  const { name, backupFile, looked, mark } = facts;
  const seen: SeenBackup | null =
    looked.state === 'seen' && looked.sha256 !== null
      ? { path: backupFile, sha256: looked.sha256, facts: mark }
      : null;
  const memory = { kind: 'restore', name, backupFile, ...(seen ? { sha256: seen.sha256 } : {}) } as const;
  return {
    ...continueRestore(memory, seen),
    // The node opens the file by itself: the app can only look right before and after.
    async prepare() {
      if (seen !== null) await refuseAnother(seen);
    },
    calls: () => calls,
    parse: restoredOf,
    conclude: ({ client }, answer) => concluded(client, answer.name, { warnings: answer.warnings, seen }),
  };
}

/** A restore whose answer is not known. */
export function continueRestore(
  memory: MemoryOf<'restore'>,
  seen: SeenBackup | null = seenBefore(memory),
): Continuation {
  const { name } = memory;
  return {
    memory,
    method: 'restorewallet',
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
  const result: CrossingResult = {
    kind: 'restore',
    walletName,
    walletKind: info === null ? 'unknown' : info.descriptors ? 'descriptor' : 'legacy',
    balance: balances === null ? null : shownBalance(balances, info?.privateKeys === false).balance,
    ...(after === undefined ? {} : { backupAfter: after }),
  };
  return { state: 'done', result, warnings };
}

function leftUnloaded(name: string): Ending {
  return cannotTell(
    say('The node has “{name}” now, but not loaded.', { name }),
    say('The backup is as it was. Load the wallet and look at it, or restore under another name.'),
  );
}

function notRestored(name: string): Ending {
  return lineLost(
    say('“{name}” was not restored.', { name }),
    say('The connection was lost. Nothing was changed. Try again.'),
  );
}
