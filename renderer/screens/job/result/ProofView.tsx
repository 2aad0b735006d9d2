/** What a migration kept: before and after side by side, and every difference with what it means. */
import { Box } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Network } from '../../../../shared/model/network.ts';
import type { Compared, Proof } from '../../../../shared/model/safety.ts';
import { type ProofRow, proofRows } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Disclosure } from '../../../components/Disclosure.tsx';
import layout from '../../../components/layout.module.css';
import { TextList } from '../../../components/list/TextList.tsx';
import { Notice } from '../../../components/Notice.tsx';
import { Quiet, SafeText } from '../../../components/text/texts.tsx';
import styles from './ProofView.module.css';

export function ProofView({ proof, network }: { proof: Proof; network: Network }) {
  const { verdict } = proof;
  return (
    <section className={layout.apart} aria-label={say('Proof')}>
      {/* What the page's heading tells, too. */}
      {verdict === 'same' && <p>{say('Every script, label and transaction is in the new wallets.')}</p>}
      {verdict === 'different' && (
        <Notice tone="danger" title={say('Don’t use the new wallets yet')} role="alert">
          <p>{say('The old wallet’s backup is complete.')}</p>
        </Notice>
      )}
      {proof.lost && (
        <Notice tone="read" title={say('Not everything could be saved')}>
          <TextList texts={proof.lost} />
        </Notice>
      )}
      {proof.differences.map(({ title, meaning }) => (
        <Notice key={title} tone="danger" title={<SafeText text={title} />} role="alert">
          <p>
            <SafeText text={meaning} />
          </p>
        </Notice>
      ))}
      <table className={`${layout.box} ${layout.numbers} ${styles.table}`}>
        <Box component="caption" pb={4} ta="left" className={layout.name}>
          {say('Before and after')}
        </Box>
        <thead className={layout.small}>
          <tr>
            <th scope="col">{say('What')}</th>
            <th scope="col">{say('Before')}</th>
            <th scope="col">{say('After')}</th>
          </tr>
        </thead>
        <tbody>
          {proofRows(proof, network).map((row) => (
            <Row key={row.label} row={row} />
          ))}
        </tbody>
      </table>
      {proof.unknown.length > 0 && (
        <Disclosure
          look={verdict === 'same' ? 'quiet' : 'bare'}
          startsOpen={verdict !== 'same'}
          summary={verdict === 'same' ? say('About the balance') : say('What was not compared')}
        >
          <TextList texts={proof.unknown} />
        </Disclosure>
      )}
      <Named label={say('Missing scripts')} list={proof.scripts?.missing} />
      <Named label={say('Misplaced scripts')} list={proof.misplaced} />
      <Named label={say('Descriptors without private keys')} list={proof.keyless} />
      <Named label={say('Missing labels')} list={proof.labels?.missing} />
      <Named label={say('Missing transactions')} list={proof.transactions?.missing} />
    </section>
  );
}

function Row({ row: { label, before, after, whole } }: { row: ProofRow }) {
  const Icon = whole ? IconCheck : IconX;
  return (
    <tr data-whole={whole ?? undefined}>
      <th scope="row">{label}</th>
      {before && <Cell {...before} />}
      <Cell {...after} span={before === null}>
        {whole !== null && <Icon className={styles.icon} size={16} aria-hidden />}
      </Cell>
    </tr>
  );
}

interface CellProps {
  text: string;
  note?: string;
  /** There is nothing else in its row. */
  span?: boolean;
  children?: ReactNode;
}

function Cell({ text, note, span = false, children }: CellProps) {
  return (
    <td colSpan={span ? 2 : 1}>
      {children}
      {text}
      {note !== undefined && <Quiet small>{note}</Quiet>}
    </td>
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
