/** The proof of a migration in numbers. */
import { IconCheck, IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Network } from '../../../../shared/model/network.ts';
import type { Compared, Proof } from '../../../../shared/model/safety.ts';
import { type ProofRow, proofRows } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import layout from '../../../components/layout.module.css';
import { TextList } from '../../../components/lists.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { Quiet } from '../../../components/texts.tsx';
import styles from './ProofTable.module.css';

/** Every count before and after, and what is missing. */
export function ProofTable({ proof, network }: { proof: Proof; network: Network }) {
  return (
    <div className={layout.apart}>
      <table
        className={`${layout.box} ${layout.numbers} ${styles.table}`}
        aria-label={say('Before and after')}
      >
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
      <Named label={say('Missing scripts')} list={proof.scripts?.missing} />
      <Named label={say('Misplaced scripts')} list={proof.misplaced} />
      <Named label={say('Descriptors without private keys')} list={proof.keyless} />
      <Named label={say('Missing labels')} list={proof.labels?.missing} />
      <Named label={say('Missing transactions')} list={proof.transactions?.missing} />
    </div>
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
