/** The top of a wallet's page: its name, its balance, its balance over time, and the verdict. */
import { Title } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { mainBalance } from '../../../shared/model/inspection.ts';
import { formatBitcoin, mainPart, wholeOf } from '../../../shared/model/money.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import { balanceWords } from '../../../shared/wording/balanceWords.ts';
import { formatDay } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { walletLabel } from '../../../shared/wording/format/walletLabel.ts';
import { amountNetwork } from '../../../shared/wording/inspectionWords.ts';
import { say } from '../../../shared/wording/say.ts';
import {
  contentsLine,
  fileVerdict,
  jobVerdict,
  type Verdict,
  walletVerdict,
} from '../../../shared/wording/verdictWords.ts';
import layout from '../../components/layout.module.css';
import { Tag } from '../../components/notices.tsx';
import { SafeText, Term, WalletName } from '../../components/texts.tsx';
import type { WalletPageState } from '../../state/useWalletPage.ts';
import { BalanceLine } from './BalanceLine.tsx';
import styles from './Hero.module.css';

interface HeroProps {
  page: WalletPageState;
  /** Each wallet that the shown job made has a new backup. */
  isBackedUp: boolean;
}

export function Hero({ page, isBackedUp }: HeroProps) {
  const { inspection, facts, route, job } = page;
  const heading = useRef<HTMLHeadingElement>(null);
  const state = job?.state ?? 'none';
  // When another wallet or an outcome is shown, it is read from its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the route and the state of its job are what changed
  useEffect(() => heading.current?.focus({ preventScroll: true }), [route, state === 'running']);
  const amount = amountOf(page);
  const verdict = verdictOf(page, isBackedUp);
  return (
    <header className={styles.hero}>
      <div className={layout.line}>
        <Title order={1} ref={heading} tabIndex={-1} className={styles.name}>
          {titleOf(page)}
        </Title>
        <Chips page={page} />
      </div>
      <div className={styles.figures}>
        <div className={styles.words}>
          {amount && (
            <>
              <p className={styles.balance} data-unknown={amount.value === null || undefined}>
                {amount.value === null ? say('Balance not known') : <Amount text={amount.value} />}
              </p>
              {amount.notes.map((note) => (
                <p key={note} className={layout.dim}>
                  {note}
                </p>
              ))}
            </>
          )}
          {verdict && (
            <p role="status" className={styles.verdict} data-verdict data-tone={verdict.tone}>
              <SafeText text={verdict.text} />
            </p>
          )}
        </div>
        {inspection && facts?.kind !== 'other' && <BalanceLine inspection={inspection} />}
      </div>
    </header>
  );
}

/** The number large, its unit small. */
function Amount({ text }: { text: string }) {
  const [number = text, unit = ''] = text.split('\u00a0');
  return (
    <>
      {number} <span className={styles.unit}>{unit}</span>
    </>
  );
}

function titleOf({ route: { source }, facts, job }: WalletPageState) {
  const result = job?.state === 'done' ? job.result : null;
  if (result?.kind === 'restore' || result?.kind === 'migrate')
    return <WalletName name={result.walletName} />;
  if (source.by === 'wallet') return <WalletName name={source.name} />;
  return <SafeText text={titleText(source.path, facts)} />;
}

/** Most files are called wallet.dat: their folder names them better. */
function titleText(path: string, facts: WalletPageState['facts']): string {
  if (facts === null) return path.split(/[/\\]/).at(-1) ?? path;
  const isUsual = facts.name === 'wallet.dat' && facts.suggestedName !== '';
  return visibleText(isUsual ? facts.suggestedName : facts.name);
}

/** For the window's title. */
export function pageTitle({ route: { source }, facts }: WalletPageState): string {
  return source.by === 'wallet' ? walletLabel(source.name) : titleText(source.path, facts);
}

function Chips({ page: { inspection, wallet, facts, job, node } }: { page: WalletPageState }) {
  const isDone = job?.state === 'done' && job.result?.kind === 'migrate';
  const kind = isDone ? 'descriptor' : (wallet?.kind ?? inspection?.kind ?? null);
  const isText = facts?.kind === 'other' && facts.temporary;
  const found = inspection?.network.name;
  const network = found === undefined || found === 'unknown' ? (wallet || job ? node?.network : null) : found;
  const isEncrypted = wallet?.encrypted ?? (inspection !== null && inspection.encryption !== null);
  const isWatchOnly = wallet?.watchOnly ?? inspection?.flags.includes('disable_private_keys') ?? false;
  const isInterrupted = (inspection?.cutOff ?? null) !== null || wallet?.kind === 'interrupted';
  return (
    <>
      {isInterrupted ? (
        <Tag tone="danger">{say('Interrupted')}</Tag>
      ) : (
        !isText && (
          <>
            {kind === 'legacy' && (
              <Tag>
                <Term word="legacy wallet">{say('Legacy')}</Term>
              </Tag>
            )}
            {kind === 'descriptor' && (
              <Tag>
                <Term word="descriptor wallet">{say('Descriptor')}</Term>
              </Tag>
            )}
          </>
        )
      )}
      {network && <Tag>{networkName(network)}</Tag>}
      {isEncrypted && <Tag>{say('Encrypted')}</Tag>}
      {isWatchOnly && <Tag>{say('Watch-only')}</Tag>}
    </>
  );
}

/** The amount to show, and from when it is. Null while nothing is known of the wallet. */
function amountOf({
  wallet,
  node,
  inspection,
  facts,
  job,
}: WalletPageState): { value: string | null; notes: string[] } | null {
  if (inspection?.coin.verdict === 'other') return null;
  // What is left of the file says nothing about the wallet.
  if (job?.state === 'interrupted' || wallet?.kind === 'interrupted' || inspection?.cutOff) return null;
  const after = job?.proof?.balance;
  if (job?.state === 'done' && after && after.after !== null) {
    const isFromFile = job.node.offline === true;
    const whole = after.parts?.after ?? null;
    return {
      value: formatBitcoin(whole ? mainAfter(whole) : after.after, job.node.network),
      notes: [isFromFile ? seenOn(after.fileTime) : say('from your node, now')],
    };
  }
  if (wallet?.balance && node) {
    const main = mainPart(wallet.balance, wallet.watchOnly === true);
    const isFromFile = node.offline || wallet.fromFile;
    const newest = inspection?.balance.newestTransaction ?? null;
    const beside = wholeOf(wallet.balance) - main;
    return {
      value: formatBitcoin(main, node.network),
      notes: [
        isFromFile ? seenOn(newest) : say('from your node, now'),
        ...(beside > 0n
          ? [say('{amount} more is only watched', { amount: formatBitcoin(beside, node.network) })]
          : []),
      ],
    };
  }
  if (inspection === null) return null;
  const { total, notes } = balanceWords(inspection);
  if (facts?.temporary && total === null) return null;
  const { newestTransaction } = inspection.balance;
  const { beside } = mainBalance(inspection);
  const network = amountNetwork(inspection.network);
  return {
    value: total,
    notes: [
      [total === null ? null : seenOn(newestTransaction), contentsLine(inspection)]
        .filter((text) => text !== null && text !== '')
        .join(' · '),
      ...(beside > 0n
        ? [say('{amount} more is only watched', { amount: formatBitcoin(beside, network) })]
        : []),
      // The first note repeats the date.
      ...notes.slice(1),
    ].filter((text) => text !== ''),
  };
}

function mainAfter(parts: { spendable: bigint; watched: bigint }): bigint {
  return parts.spendable > 0n ? parts.spendable : parts.watched;
}

function seenOn(time: number | null): string {
  return time === null ? say('as its file has it') : say('last seen {day}', { day: formatDay(time) });
}

function verdictOf(page: WalletPageState, isBackedUp: boolean): Verdict | null {
  const { job, wallet, inspection, backups, draft } = page;
  if (job !== null) return jobVerdict(job, isBackedUp);
  if (wallet !== null) return wallet.pending && draft === null ? null : walletVerdict(wallet, backups);
  return inspection === null ? null : fileVerdict(inspection);
}
