/** Gathers and checks the facts about a wallet and its node before a rescan. Changes no wallet; a node may write a copy for it. */
import { dirname } from 'node:path';
import { balanceInFile, mainAmount } from '../../../shared/model/money.ts';
import { nameAsLoaded } from '../../../shared/model/names/walletName.ts';
import type { Answers } from '../../../shared/model/plan.ts';
import type { Check } from '../../../shared/model/safety.ts';
import { conditionLines } from '../../../shared/wording/findings/faultWords.ts';
import { notSearchedText, rescanEstimate } from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { blockAt, snapshotBase } from '../../bitcoind/calls/call.ts';
import { walletInfo } from '../../bitcoind/calls/walletInfo.ts';
import { listNames, loadStateOf } from '../../bitcoind/calls/wallets.ts';
import { walletFilePath } from '../../bitcoind/calls/walletsFolder.ts';
import type { NodeClient, Session } from '../../bitcoind/rpc/session.ts';
import { findUnwritable } from '../../files/sharedFolder.ts';
import { crashingConditions } from '../../walletfile/conditions/conditionTable.ts';
import { blocker, fine, type RescanFacts, warning } from './checkFacts.ts';
import { checkWritable } from './checkRestore.ts';
import type { FactsDeps } from './gatherFacts.ts';
import { checkScanning, checkSyncing, lowestBlock, TWO_HOURS } from './nodeChecks.ts';
import { missingWalletCheck } from './walletChecks.ts';

/** Throws what the node's calls throw. */
export async function gatherRescan(
  session: Session,
  asked: string,
  start: Answers['rescanFrom'],
  { inspect }: Pick<FactsDeps, 'inspect'>,
): Promise<RescanFacts> {
  const { client, status } = session;
  const listed = await listNames(session);
  const name = nameAsLoaded(asked, listed.loaded, status.walletsFolder);
  const loadState = await loadStateOf(status, name, listed);
  const [result, info, pruned, snapshot] = await Promise.all([
    // If the app cannot read the file, the node decides.
    loadState === 'loaded' || loadState === 'unloaded'
      ? inspect({ by: 'wallet', name }, { isLoaded: false }).catch(() => null)
      : null,
    loadState === 'loaded' ? walletInfo(client, name) : null,
    status.pruneHeight === null ? null : blockAt(client, status.pruneHeight),
    snapshotBase(session),
  ]);
  const lowest = lowestBlock(status, { snapshot, pruneTime: pruned?.time ?? null });
  const crashConditions =
    result === null || status.offline
      ? []
      : crashingConditions(result.inspection.conditions, status.release.number);
  const names = loadState === 'missing' ? listed.inFolder.map((wallet) => wallet.name) : [];
  const from = await firstBlockToScan({ lowest }, session, start);
  const file = status.walletsFolder && (await walletFilePath(status.walletsFolder, name));
  const unwritable = loadState === 'unloaded' && file ? findUnwritable(status, [dirname(file), file]) : null;
  const found = result?.inspection ?? null;
  return {
    status,
    name,
    loadState,
    existingWallets: names,
    info,
    encrypted: info?.encrypted ?? (found && found.encryption !== null),
    heldInFile: found && {
      // As `holdings` reads the node's answers.
      balance: mainAmount(balanceInFile(found.balance), found.flags.includes('disable_private_keys')),
      transactions: found.transactions.total,
    },
    crashConditions,
    unwritable,
    lowest,
    from,
  };
}

/** The height of the first block to scan. */
export async function firstBlockToScan(
  { lowest: { height } }: Pick<RescanFacts, 'lowest'>,
  { client, status }: Session,
  start: Answers['rescanFrom'],
): Promise<number> {
  const lowest = height ?? 0;
  if (start === undefined) return lowest;
  if (start.by === 'height') return start.height;
  // A node also starts two hours earlier, because block times may be off by that much.
  return firstSince(client, start.time - MAX_ZONE_OFFSET - TWO_HOURS, [lowest, status.blocks]);
}

/** Seconds. The easternmost time zone is 14 hours ahead of UTC. The user means a day in their own zone, which the app does not know. */
const MAX_ZONE_OFFSET = 14 * 3600;

/** Binary search for the height of the first block of this time or later; the last block if all are older. */
async function firstSince(
  client: NodeClient,
  time: number,
  [first, last]: [number, number],
): Promise<number> {
  if (first >= last) return last;
  const middle = Math.floor((first + last) / 2);
  const block = await blockAt(client, middle);
  const isOlder = block !== null && block.time < time;
  return firstSince(client, time, isOlder ? [middle + 1, last] : [first, middle]);
}

export function checkRescanning(facts: RescanFacts): Check[] {
  return [
    checkCanLoad(facts),
    ...checkWritable(facts),
    ...(facts.status.offline ? [] : [checkBlocks(facts), checkSyncing(facts)]),
    checkDuration(facts),
  ];
}

function checkCanLoad({
  name,
  loadState,
  existingWallets,
  crashConditions,
  status: { release },
}: RescanFacts): Check {
  if (crashConditions.length > 0) {
    return blocker('wallet-exists', say('This wallet would crash the node'), {
      text: crashConditions.flatMap(conditionLines),
      todo: [say('Rescue what is intact.')],
    });
  }
  switch (loadState) {
    case 'loaded':
      return fine('wallet-exists', say('Wallet is loaded'));
    case 'unloaded':
      return fine('wallet-exists', say('The node loads it first'));
    case 'legacy':
      return blocker(
        'wallet-exists',
        say('Release {release} cannot load legacy wallets', { release: release.text }),
        { todo: [say('Migrate it first.')] },
      );
    case 'missing':
      return missingWalletCheck(name, existingWallets);
  }
}

function checkBlocks({ lowest, from, status: { pruned } }: RescanFacts): Check {
  const { height, time } = lowest;
  if (height === null || height === 0) {
    return pruned && height === null
      ? warning('pruned', say('The node is pruned'), { text: [say('It keeps only recent blocks.')] })
      : fine('pruned', say('Node has the needed blocks'));
  }
  return warning('pruned', say('No blocks before {height, number}', { height }), {
    text: time === null || from > height ? [] : [notSearchedText(time)],
    todo: [say('An unpruned node finds them.')],
  });
}

function checkDuration({ status, from, info, encrypted }: RescanFacts): Check {
  if (status.offline) {
    return blocker('rescan', say('The offline engine has no blocks'), {
      todo: [say('Restore and rescan it on a node.')],
    });
  }
  const scanning = checkScanning(info);
  if (scanning !== null) return scanning;
  const blocks = Math.max(0, status.blocks - from) + 1;
  return fine('rescan', say('Blocks to scan: {blocks, number}', { blocks }), {
    text: [
      rescanEstimate(blocks, status.blockFilters === 'on'),
      ...(encrypted === false ? [] : [say('Encrypted wallets stay unlocked meanwhile.')]),
    ],
  });
}

/** Checks whether the node has the first block to scan. */
export function checkStart({ from, lowest, status: { blocks } }: RescanFacts): Check {
  if (from > blocks) return blocker('rescan', say('The chain ends at block {blocks, number}.', { blocks }));
  const first = lowest.height ?? 0;
  if (from < first) return blocker('rescan', say('The node’s first block is {first, number}.', { first }));
  return fine('rescan', say('From block {block, number} on', { block: from }));
}
