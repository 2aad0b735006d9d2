/** Restores a backup with `restorewallet`, and tells what came of it. */
import type { CrossingResult } from '../../../shared/crossing.ts';
import { AppError } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { fileChanged } from '../../disk/openRegularFile.ts';
import {
  type Loaded,
  listWalletDir,
  listWallets,
  restoredOf,
  walletBalances,
  walletInfo,
} from '../../node/calls/walletCalls.ts';
import { shownBalance } from '../../node/calls/walletShapes.ts';
import type { Session } from '../../node/rpc/session.ts';
import { backupAfter, refuseAnother, type SeenBackup } from '../placing/seenBackup.ts';
import { contentsOf, type Looked, type Renamed, type RestoreFacts } from '../plan/checkFacts.ts';
import { mendedFile, recoveredFile } from '../plan/checkRescue.ts';
import type { MemoryOf } from '../plan/memory.ts';
import { backupAfterwards } from '../plan/setAside.ts';
import {
  type Continuation,
  type Course,
  cannotTell,
  type Ending,
  lineLost,
  type Means,
  type Preparation,
} from './course.ts';
import { paymentsFound } from './paymentsFound.ts';
import { mendDescriptors } from './rescue.ts';
import { copyChosen } from './restoreMigrate.ts';

/** Restores the backup as it was planned; of a rescue, the mended file that is made of it first. */
export function restore(facts: RestoreFacts, means: Means): Course<Loaded> {
  const { name, looked, mark, undoes, setAside } = facts;
  const mended = mendedFile(facts);
  const recovered = recoveredFile(facts);
  const backupFile = recovered ?? backupAfterwards(facts);
  const seen: SeenBackup | null =
    looked.state === 'seen' && looked.sha256 !== null
      ? { path: backupFile, sha256: looked.sha256, facts: recovered === null ? mark : null }
      : null;
  const memory: MemoryOf<'restore'> = {
    ...{ kind: 'restore', name, backupFile },
    ...(seen ? { sha256: seen.sha256 } : {}),
    ...(undoes ? { setAside: [...setAside] } : {}),
    ...(mended === null ? {} : { mended: { path: mended, rescue: null } }),
    ...birthOf(looked),
  };
  return {
    ...continueRestore(memory, seen),
    // The node opens the file by itself: the app can only look right before and after.
    async prepare(preparation) {
      if (mended !== null) await mendDescriptors(facts, memory, means, preparation);
      else if (recovered !== null) await copyRecovered(facts, recovered, means, preparation);
      else if (seen !== null) await refuseAnother({ ...seen, path: facts.backupFile });
    },
    calls: () => means.calls,
    parse: restoredOf,
    conclude: (session, answer) =>
      concluded(session, { ...memory, name: answer.name }, { warnings: answer.warnings, seen }),
  };
}

/** The node is sent this path and no other. Throws AppError `file_changed` where the file or its journal is another one by now. */
async function copyRecovered(
  facts: RestoreFacts,
  planned: string,
  { copies }: Means,
  preparation: Preparation,
): Promise<void> {
  const { path } = await copyChosen(facts, copies, preparation);
  if (path !== planned) throw fileChanged();
}

/** A restore whose answer is not known. */
export function continueRestore(
  memory: MemoryOf<'restore'>,
  seen: SeenBackup | null = seenBefore(memory),
): Continuation {
  const { name, setAside = [] } = memory;
  return {
    memory,
    method: 'restorewallet',
    // Which of the calls was refused is not told: the first names may have changed by then.
    explain: (error) =>
      setAside.length === 0
        ? error
        : new AppError(error.code, error.message, notUndone(setAside), error.node),
    async decide(session, { stillRunning }) {
      const { client } = session;
      // The node lists a wallet only once it has loaded and rescanned it.
      const [loaded, inFolder] = await Promise.all([listWallets(client), listWalletDir(client)]);
      const names = new Set([...loaded, ...inFolder.map((wallet) => wallet.name)]);
      const moved = setAside.filter(({ newName }) => names.has(newName));
      // Until all of them have made room, a wallet of this name is the migrated one.
      const hasRoom = moved.length === setAside.length;
      if (hasRoom && loaded.includes(name)) return concluded(session, memory, { warnings: [], seen });
      if (stillRunning) return null;
      if (hasRoom && names.has(name)) {
        return cannotTell(
          say('The node has “{name}” now, but not loaded.', { name }),
          say('The backup is as it was. Load the wallet and look at it, or restore under another name.'),
        );
      }
      return lineLost(
        say('“{name}” was not restored.', { name }),
        moved.length > 0 ? notUndone(moved) : say('The connection was lost. Nothing was changed. Try again.'),
      );
    },
  };
}

function birthOf(looked: Looked): { birth?: number } {
  const birth = contentsOf(looked)?.birth;
  return birth?.known === 'exactly' ? { birth: birth.time } : {};
}

function seenBefore({ backupFile: path, sha256 }: MemoryOf<'restore'>): SeenBackup | null {
  return sha256 === undefined ? null : { path, sha256, facts: null };
}

async function concluded(
  session: Session,
  { name: walletName, backupFile, setAside, mended, birth }: MemoryOf<'restore'>,
  { warnings, seen }: { warnings: readonly string[]; seen: SeenBackup | null },
): Promise<Ending> {
  // That the wallet is restored is known; what it is and holds is an extra that may stay unknown.
  const { client } = session;
  const [info, balances, after, payments] = await Promise.all([
    walletInfo(client, walletName).catch(() => null),
    walletBalances(client, walletName).catch(() => null),
    seen === null ? undefined : backupAfter(seen),
    paymentsFound(session, walletName, birth),
  ]);
  const result: CrossingResult = {
    kind: 'restore',
    walletName,
    walletKind: info === null ? 'unknown' : info.descriptors ? 'descriptor' : 'legacy',
    balance: balances === null ? null : shownBalance(balances, info?.privateKeys === false).balance,
    ...(after === undefined ? {} : { backupAfter: after }),
    backupFile,
    ...(setAside === undefined ? {} : { undone: setAside }),
    ...(mended?.rescue ? { rescue: mended.rescue } : {}),
    ...payments,
  };
  return { state: 'done', result, warnings };
}

function notUndone(setAside: readonly Renamed[]): string {
  const renamed = setAside.map((one) => say('“{name}” may be “{newName}” now.', { ...one }));
  return [say('Nothing is lost.'), ...renamed, say('Try again.')].join(' ');
}
