/** What a job kept: the balance before and after as two bars, the counts, and every difference. */
import { Box, Group, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { formatBitcoin, totalBalance } from '../../../../shared/model/money.ts';
import type { Network } from '../../../../shared/model/network.ts';
import type { BalanceParts, Compared, Proof, RescueFacts } from '../../../../shared/model/safety.ts';
import { BALANCE_PARTS, walletBalance } from '../../../../shared/wording/balanceWords.ts';
import { counted, formatCount } from '../../../../shared/wording/format/formatNumber.ts';
import { joinList } from '../../../../shared/wording/format/perRegion.ts';
import { COINS_SAFE } from '../../../../shared/wording/interruptionWords.ts';
import {
  arrivedWords,
  keysWords,
  type ProofRow,
  proofHeads,
  proofRows,
} from '../../../../shared/wording/proofWords.ts';
import { hasLosses, lostKeys } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { TextList } from '../../../components/lists.tsx';
import { Card, Disclosure, Notice } from '../../../components/parts.tsx';
import { Paragraph, Quiet, SafeText } from '../../../components/texts.tsx';
import styles from './ProofCard.module.css';

interface ProofCardProps {
  proof: Proof;
  network: Network;
  /** Whether the app made a whole copy of the old wallet. */
  hasCopy: boolean;
  rescue?: RescueFacts | undefined;
  /** Why the files were not compared. */
  children?: ReactNode;
}

export function ProofCard({ proof, network, hasCopy, rescue, children }: ProofCardProps) {
  const { verdict, lost, balance, wallets } = proof;
  const keys = keysWords(proof);
  return (
    <Card label={say('Proof')} title={<span className={styles.title}>{say('Proof')}</span>}>
      {verdict === 'different' && (
        <Notice
          tone="danger"
          title={wallets.length === 1 ? say('Don’t use the new wallet') : say('Don’t use the new wallets')}
          role="alert"
        >
          {hasCopy && <p>{COINS_SAFE}</p>}
        </Notice>
      )}
      {lost && lost.length > 0 && (
        <Notice tone="read" title={say('Not everything could be saved')}>
          <TextList texts={lost} />
        </Notice>
      )}
      {proof.differences.map(({ title, meaning, minor }) => (
        <Notice
          key={`${title} ${meaning}`}
          tone={minor ? 'read' : 'danger'}
          title={<SafeText text={title} />}
          role={minor ? undefined : 'alert'}
        >
          <Paragraph text={meaning} />
        </Notice>
      ))}
      <Bars balance={balance} network={network} isRescue={rescue !== undefined} />
      {rescue && <SavedKeys rescue={rescue} />}
      {((verdict !== 'same' && proof.unknown.length > 0) || children) && (
        <Disclosure startsOpen summary={say('Not compared')}>
          {verdict !== 'same' && <TextList texts={proof.unknown} />}
          {children}
        </Disclosure>
      )}
      <Disclosure startsOpen={proof.differences.length > 0} summary={arrivedWords(proof) ?? say('Compared')}>
        {keys && <p>{keys}</p>}
        <ProofTable proof={proof} network={network} isRescue={rescue !== undefined} />
        {verdict === 'same' && <TextList texts={proof.unknown} />}
      </Disclosure>
    </Card>
  );
}

const ALL_PARTS = ['spendable', 'watched', 'notYours'] as const;

/** Both bars have the same scale; their parts sum to their lengths. */
function Bars({
  balance,
  network,
  isRescue,
}: Pick<Proof, 'balance'> & { network: Network; isRescue: boolean }) {
  const after = balance.split?.after ?? unsplitBalance(balance.after);
  const before = balance.split?.before ?? unsplitBalance(balance.before ?? balance.file);
  if (after === null && before === null) return null;
  const most = [before, after].reduce((sum, one) => (one && barLength(one) > sum ? barLength(one) : sum), 0n);
  const partNames = ALL_PARTS.filter((part) => [before, after].some((one) => (one?.[part] ?? 0n) > 0n));
  // Equal amounts are shown once, below both bars, if there are any.
  const isSame = before !== null && after !== null && ALL_PARTS.every((part) => before[part] === after[part]);
  const [, beforeLabel, afterLabel] = proofHeads(isRescue);
  const rows = [
    { label: beforeLabel, parts: before, isShown: !isSame || most === 0n },
    { label: afterLabel, parts: after, isShown: true },
  ];
  return (
    <div className="stack">
      <dl className="numbers stack">
        {rows.map(({ label, parts, isShown }) => (
          <div key={label} className={styles.balance}>
            <dt className="dim">{label}</dt>
            <dd className="line">
              {parts && most > 0n && (
                <div className={styles.bar} aria-hidden>
                  {partNames.map((part) => (
                    <span
                      key={part}
                      data-part={part}
                      style={{ width: `${Number(((parts[part] ?? 0n) * 10_000n) / most) / 100}%` }}
                    />
                  ))}
                </div>
              )}
              {parts === null ? (
                say('Not known')
              ) : isShown ? (
                <Amounts parts={parts} partNames={partNames} network={network} />
              ) : (
                <VisuallyHidden component="span">
                  {joinList(partNames.map((part) => amountWords(parts, part, network)))}
                </VisuallyHidden>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {balance.split === undefined && <Quiet small>{say('Parts not recorded.')}</Quiet>}
    </div>
  );
}

/** The share of the known keys that a rescue saved. The bar is full only if nothing of the wallet was lost. */
function SavedKeys({ rescue }: { rescue: RescueFacts }) {
  const saved = rescue.saved.keys;
  const all = saved + lostKeys(rescue);
  if (all === 0) return null;
  const isPart = hasLosses(rescue);
  const share = Math.min(Math.floor((saved / all) * 100), isPart ? 97 : 100);
  return (
    <dl className={`numbers ${styles.balance}`}>
      <dt className="dim">{say('Saved')}</dt>
      <dd className="line">
        <div className={styles.bar} aria-hidden>
          <span data-part="spendable" style={{ width: `${share}%` }} />
          {isPart && <span data-part="lost" style={{ width: `${100 - share}%` }} />}
        </div>
        <Quiet small>
          {saved < all
            ? say('{done} of {all}', { done: formatCount(saved), all: counted.privateKeys(all) })
            : counted.privateKeys(all)}
        </Quiet>
      </dd>
    </dl>
  );
}

type PartName = (typeof ALL_PARTS)[number];

interface AmountsProps {
  parts: BalanceParts;
  partNames: readonly PartName[];
  network: Network;
}

/** `18.299 971 80 BTC spendable, 0.610 000 00 BTC watched only`: each part that either bar has. */
function Amounts({ parts, partNames, network }: AmountsProps) {
  if (partNames.length < 2) return <span>{walletBalance(parts[partNames[0] ?? 'spendable'], network)}</span>;
  return partNames.map((part) => (
    <Group key={part} component="span" fz="xs" gap={6} wrap="nowrap">
      <Box component="span" w={14} h={14} className={styles.swatch} data-part={part} aria-hidden />
      {amountWords(parts, part, network)}
    </Group>
  ));
}

function amountWords(parts: BalanceParts, part: PartName, network: Network): string {
  const amount = parts[part];
  if (amount === null) return `${say('Not known')}: ${BALANCE_PARTS[part]}`;
  return `${formatBitcoin(amount, network)} ${BALANCE_PARTS[part]}`;
}

function unsplitBalance(satoshi: bigint | null): BalanceParts | null {
  return satoshi === null ? null : { spendable: satoshi, watched: 0n, notYours: 0n };
}

function barLength(parts: BalanceParts): bigint {
  return totalBalance(parts) + (parts.notYours ?? 0n);
}

/** Every count before and after, and what is missing. */
export function ProofTable({
  proof,
  network,
  isRescue,
}: {
  proof: Proof;
  network: Network;
  isRescue: boolean;
}) {
  return (
    <div className="apart">
      <table className={`box numbers table ${styles.table}`} aria-label={say('Compared')}>
        <thead className="small">
          <tr>
            {proofHeads(isRescue).map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {proofRows(proof, network).map((row) => (
            <TableRow key={row.label} row={row} />
          ))}
        </tbody>
      </table>
      <Named label={say('Missing addresses')} list={proof.scripts?.missing} />
      <Named label={say('Misplaced addresses')} list={proof.misplaced} />
      <Named label={say('Descriptors without private keys')} list={proof.keyless} />
      <Named label={say('Missing labels')} list={proof.labels?.missing} />
      <Named label={say('Missing transactions')} list={proof.transactions?.missing} />
    </div>
  );
}

function TableRow({ row: { label, before, after, whole } }: { row: ProofRow }) {
  const Icon = whole ? IconCheck : IconX;
  return (
    <tr data-whole={whole ?? undefined}>
      <th scope="row">{label}</th>
      {before && (
        <td>
          <CellWords {...before} />
        </td>
      )}
      <td colSpan={before === null ? 2 : 1}>
        {whole !== null && <Icon className={styles.icon} size={16} aria-hidden />}
        <CellWords {...after} />
      </td>
    </tr>
  );
}

function CellWords({ text, note }: ProofRow['after']) {
  return (
    <>
      {text}
      {note !== undefined && <Quiet small>{note}</Quiet>}
    </>
  );
}

function Named({ label, list }: { label: string; list: Compared['missing'] | undefined }) {
  if (list === undefined || list.total === 0) return null;
  const { total, shown } = list;
  return (
    <Disclosure summary={say('{label} ({count, number})', { label, count: total })}>
      <TextList texts={shown} most={200} total={total} mono />
    </Disclosure>
  );
}
