/** The top of a wallet’s page: its name, its balance, its balance over time, and the verdict. */
import { Box, Group, Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { isPasted } from '../../../shared/model/files.ts';
import { type Inspection, mainBalance, needsRescue } from '../../../shared/model/inspection.ts';
import { type Job, newWalletResult } from '../../../shared/model/job.ts';
import { formatBitcoin, totalBalance } from '../../../shared/model/money.ts';
import { DEFAULT_NAME } from '../../../shared/model/names/walletName.ts';
import type { Network } from '../../../shared/model/network.ts';
import { type Connection, isBehind, type NodeStatus } from '../../../shared/model/node.ts';
import type { WalletSource } from '../../../shared/model/plan.ts';
import type { BackedUp } from '../../../shared/model/walletBackups.ts';
import { BALANCE_PARTS, balanceWords, listedBalance } from '../../../shared/wording/balanceWords.ts';
import { asSentence } from '../../../shared/wording/findings/hints.ts';
import { formatDay, formatDayOrClock } from '../../../shared/wording/format/formatTime.ts';
import { KIND_NAMES, networkName, UNNAMED } from '../../../shared/wording/format/names.ts';
import { amountNetwork, isEmpty } from '../../../shared/wording/inspectionWords.ts';
import { NOT_IN_USE } from '../../../shared/wording/interruptionWords.ts';
import { STILL_SYNCING } from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import {
  contentsLine,
  fileVerdict,
  jobVerdict,
  REFUSED,
  RESCANNING,
  type Verdict,
  WHOLE_AGAIN,
  walletVerdict,
} from '../../../shared/wording/verdictWords.ts';
import { Tag } from '../../components/parts.tsx';
import { Quiet, SafeText, Term } from '../../components/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import { isBlocked } from '../../state/draftsStore.ts';
import type { WalletPageState } from '../../state/useWalletPage.ts';
import styles from './WalletPage.module.css';

/** `isBackedUp`: as for `jobVerdict`. */
export function Hero({ page, isBackedUp }: { page: WalletPageState; isBackedUp: BackedUp | null }) {
  const { inspection, facts, route, job } = page;
  const heading = useRef<HTMLHeadingElement>(null);
  const state = job?.state ?? 'none';
  // When another wallet or an outcome is shown, it is read from its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route and the state of its job are what changed
  useEffect(() => heading.current?.focus({ preventScroll: true }), [route, state === 'running']);
  const amount = amountOf(
    page,
    useApp(({ connection }) => connection),
  );
  const verdict = verdictOf(page, isBackedUp);
  return (
    <header className={`stack ${styles.hero}`}>
      <div className="line">
        <Title order={1} ref={heading} tabIndex={-1} className="name">
          <SafeText text={pageTitle(page)} spaces />
        </Title>
        <Chips page={page} />
      </div>
      <Group align="end" justify="space-between" gap="8px 32px">
        <div className={`stack grows ${styles.hero}`}>
          {amount && (
            <>
              <Amount text={amount.value} />
              {amount.notes.map((note) => (
                <Quiet key={note}>{note}</Quiet>
              ))}
            </>
          )}
          {verdict && (
            <Box
              component="p"
              maw="62ch"
              fw={600}
              c="var(--tone-text)"
              role="status"
              data-verdict
              data-tone={verdict.tone}
            >
              <SafeText text={verdict.text} home />
            </Box>
          )}
        </div>
        {inspection && facts?.kind !== 'other' && <BalanceLine inspection={inspection} />}
      </Group>
    </header>
  );
}

function Amount({ text }: { text: string | null }) {
  if (text === null)
    return (
      <Box component="p" fz="1.5rem" fw={650} c="dimmed">
        {say('Balance not known')}
      </Box>
    );
  const [number = text, unit = ''] = text.split('\u00a0');
  return (
    <Box
      component="p"
      fz={{ base: '1.875rem', xs: '2.5rem' }}
      fw={650}
      lh={1.2}
      className={`numbers ${styles.amount}`}
    >
      {number}{' '}
      <Box component="span" fz="1.125rem" fw={400} c="dimmed">
        {unit}
      </Box>
    </Box>
  );
}

/** The name of the wallet that the job made, or of what the page shows: not of the backup that an undo restores. Not escaped yet. */
export function pageTitle({ route: { source }, facts, job, draft }: WalletPageState): string {
  const result = job?.state === 'done' ? newWalletResult(job.result) : null;
  const undone =
    job?.action === 'undo' ? job.wallet : draft?.action === 'undo' ? draft.suggestedName : undefined;
  return (result?.walletName ?? undone ?? shortName(source, facts)) || UNNAMED;
}

/** The name in the sidebar. Most files are called wallet.dat, and the name of their folder is clearer, if it describes a wallet. */
export function shortName(source: WalletSource, facts: WalletPageState['facts']): string {
  if (source.by === 'wallet') return source.name;
  if (facts === null) return source.path.split(/[/\\]/).at(-1) ?? source.path;
  if (isPasted(facts)) return say('Pasted keys');
  const { name, suggestedName } = facts;
  return name === 'wallet.dat' && !['', DEFAULT_NAME].includes(suggestedName) ? suggestedName : name;
}

function Chips({ page }: { page: WalletPageState }) {
  const { wallet, facts, job, node } = page;
  // A running migration counts once the node has written the new wallet, even while it rescans.
  const isConverted =
    job?.state === 'done'
      ? job.result?.kind === 'migrate' && !job.result.undone
      : job?.state === 'running' && hasConverted(job);
  const isInterrupted = (page.inspection?.incomplete ?? null) !== null || wallet?.kind === 'interrupted';
  // A whole copy shows more of the wallet than its incomplete file.
  const inspection = isInterrupted ? page.copied : page.inspection;
  const listed = isInterrupted ? undefined : wallet?.kind;
  // Its first bytes show its kind long before a large file is read.
  const recognised = isInterrupted || !facts ? null : KIND_BY_START[facts.kind];
  const kind = isConverted ? 'descriptor' : (listed ?? inspection?.kind ?? recognised);
  const isText = facts?.kind === 'other' && facts.temporary;
  const found = (inspection ?? page.inspection)?.network.name;
  const network = found === undefined || found === 'unknown' ? (wallet || job ? node?.network : null) : found;
  const isEncrypted = wallet?.encrypted ?? (inspection !== null && inspection.encryption !== null);
  const isWatchOnly = wallet?.watchOnly ?? (inspection !== null && mainBalance(inspection).onlyWatches);
  const { restoredAs } = page.interruption ?? wallet?.interruption ?? {};
  return (
    <>
      {restoredAs !== undefined && <Tag>{NOT_IN_USE}</Tag>}
      {!isText && kind === 'legacy' && (
        <Tag>
          <Term word="legacy wallet">{KIND_NAMES.legacy}</Term>
        </Tag>
      )}
      {!isText && kind === 'descriptor' && (
        <Tag>
          <Term word="descriptor wallet">{KIND_NAMES.descriptor}</Term>
        </Tag>
      )}
      {network && <Tag>{networkName(network)}</Tag>}
      {isEncrypted && <Tag>{say('Encrypted')}</Tag>}
      {isWatchOnly && <Tag>{say('Watch-only')}</Tag>}
    </>
  );
}

/** By a file's first bytes. */
export const KIND_BY_START = {
  'legacy-wallet': 'legacy',
  'descriptor-wallet': 'descriptor',
  other: null,
} as const;

function hasConverted({ steps }: Job): boolean {
  return steps.some(({ phase, state }) => phase === 'converting' && state === 'done');
}

/** The amount to show, and from when it is. Null while nothing is known of the wallet. */
export function amountOf(
  page: WalletPageState,
  connection: Connection,
): { value: string | null; notes: string[] } | null {
  const { wallet, node, inspection, facts, job, copied } = page;
  if (inspection?.coin.verdict === 'other') return null;
  // What is left of the file says nothing about the wallet. Its copy does.
  if (job?.state === 'interrupted' || wallet?.kind === 'interrupted' || inspection?.incomplete)
    return copied && inspectedAmount(copied);
  // What the node says now is newer than the proof.
  const isListed = wallet?.balance && node && !node.offline && !wallet.fromFile;
  const proved = job?.state === 'done' && !isListed ? job.proof?.balance : undefined;
  if (job && proved && proved.after !== null) {
    const { spendable, watched } = proved.split?.after ?? { spendable: proved.after, watched: 0n };
    return {
      value: formatBitcoin(spendable > 0n ? spendable : watched, job.node.network),
      notes: [
        [
          job.node.offline
            ? lastSeenWords(proved.fileTime)
            : say('from your node, {day}', { day: formatDay(job.ended ?? job.started) }),
          ...(spendable === 0n && watched > 0n ? [BALANCE_PARTS.watched] : []),
        ].join(' · '),
        ...watchedNote(spendable > 0n ? watched : 0n, job.node.network),
      ],
    };
  }
  if (wallet?.balance && node) {
    const { main, spendable } = listedBalance(wallet, node);
    const newest = inspection?.balance.newestTransaction ?? null;
    const isFromFile = node.offline || wallet.fromFile;
    const isConverted = job?.state === 'running' && hasConverted(job);
    return {
      value: main === null ? null : formatBitcoin(main, node.network),
      notes: [
        [
          isFromFile
            ? isConverted
              ? say('before the migration')
              : inspection === null
                ? say('last known')
                : lastSeenWords(newest)
            : sourceWords(node, connection),
          ...(inspection ? [contentsLine(inspection)] : []),
        ]
          .filter((text) => text !== '')
          .join(' · '),
        ...(spendable === null ? [] : [spendable]),
        ...watchedNote(main === null ? 0n : totalBalance(wallet.balance) - main, node.network),
        ...(!isFromFile && connection.state === 'connected' && isBehind(node)
          ? [asSentence(STILL_SYNCING)]
          : []),
      ],
    };
  }
  if (inspection === null) return null;
  const amount = inspectedAmount(inspection);
  // Nobody looks for the balance of pasted keys, and that of an empty wallet is no open question.
  return amount.value === null && (facts?.temporary || isEmpty(inspection)) ? null : amount;
}

function inspectedAmount(inspection: Inspection): { value: string | null; notes: string[] } {
  const { total, notes } = balanceWords(inspection);
  const date = total === null ? null : lastSeenWords(inspection.balance.newestTransaction);
  return {
    value: total,
    notes: [
      [date, contentsLine(inspection)].filter((text) => text !== null && text !== '').join(' · '),
      ...watchedNote(mainBalance(inspection).beside, amountNetwork(inspection.network)),
      // The first note repeats the date.
      ...notes.slice(1),
    ].filter((text) => text !== ''),
  };
}

function watchedNote(amount: bigint, network: Network): string[] {
  return amount > 0n ? [say('plus {amount} you only watch', { amount: formatBitcoin(amount, network) })] : [];
}

/** The source of the node's amounts and their time. The page does not read them again while the node catches up. */
function sourceWords(node: NodeStatus, connection: Connection): string {
  const since = connection.state === 'lost' ? connection.since : undefined;
  if (isBehind(node, since)) return say('last known');
  return since === undefined
    ? say('from your node, now')
    : say('from your node, {day}', { day: formatDayOrClock(since) });
}

function lastSeenWords(time: number | null): string {
  return time === null ? say('from the file') : say('last seen {day}', { day: formatDay(time) });
}

/** `isBackedUp`: as for `Hero`. */
export function verdictOf(page: WalletPageState, isBackedUp: BackedUp | null): Verdict | null {
  const { job, wallet, inspection, inspecting, backups, draft } = page;
  if (job?.state === 'done' && wallet?.scanning) return RESCANNING;
  if (page.isWholeAgain) return WHOLE_AGAIN;
  if (job !== null) return jobVerdict(job, isBackedUp);
  // While the node does not answer, its list is older than the file.
  if (inspection !== null && inspection.incomplete !== null && wallet?.kind !== 'interrupted')
    return fileVerdict(inspection, page.interruption);
  if (wallet !== null) {
    const listed = walletVerdict(wallet, backups);
    // The list reads less of the file. The plan knows which releases refuse it.
    const migrates = draft?.plan?.kind === 'migrate' && !isBlocked(draft);
    if (listed.due === 'migration' && !wallet.loaded && !migrates && inspection && needsRescue(inspection))
      return REFUSED;
    return wallet.pending && draft === null ? null : listed;
  }
  if (inspection === null || inspecting.state !== 'known') return null;
  return fileVerdict(inspection, page.interruption, page.earlier, page.facts, page.isEarlierListed);
}

const WIDTH = 300;
const HEIGHT = 70;
const INSET = 3;
const DAY = 86_400;

/** Renders nothing for fewer than two changes, or within a day. */
export function BalanceLine({ inspection }: { inspection: Inspection }) {
  const points = balanceOverTime(inspection);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length < 3) return null;
  if (last.time - first.time < DAY) return null;
  const highest = points.reduce((most, { balance }) => (balance > most ? balance : most), 1n);
  const span = Math.max(1, last.time - first.time);
  const x = (time: number) => INSET + ((time - first.time) / span) * (WIDTH - 2 * INSET);
  const y = (balance: bigint) =>
    HEIGHT - INSET - (Number((balance * 1000n) / highest) / 1000) * (HEIGHT - 2 * INSET);
  const path = points.map(({ time, balance }, at) =>
    at === 0 ? `M${x(time)} ${y(balance)}` : `H${x(time)}V${y(balance)}`,
  );
  const days = { first: formatDay(first.time), last: formatDay(last.time) };
  return (
    <div className="small dim" style={{ flex: '0 1 300px', minWidth: 160 }}>
      <svg
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={say('Balance from {first} to {last}', days)}
      >
        <path d={`${path.join('')}H${WIDTH - INSET}`} />
      </svg>
      <div className="ends" aria-hidden>
        <span>{days.first}</span>
        <span>{days.last}</span>
      </div>
    </div>
  );
}

/**
 * The balance in satoshi after each transaction that counts, oldest first. Counted back from the last known balance, so that
 * it is right for the newest transactions even if the list of them is cut.
 */
export function balanceOverTime(
  inspection: Pick<Inspection, 'balance' | 'transactions' | 'flags' | 'keys'>,
): { time: number; balance: bigint }[] {
  const { onlyWatches, total } = mainBalance(inspection);
  let balance = total;
  const points = [];
  for (const { time, state, spendable, watched } of inspection.transactions.shown) {
    if (state === 'conflicted' || state === 'abandoned' || time <= 0) continue;
    points.push({ time, balance });
    const { received, spent } = onlyWatches ? watched : spendable;
    balance -= received - spent;
    if (balance < 0n) balance = 0n;
  }
  return points.toReversed().toSorted((one, other) => one.time - other.time);
}
