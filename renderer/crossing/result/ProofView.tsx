/** What a migration kept: before and after side by side, and every difference with what it means. */
import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { Network } from '../../../shared/network.ts';
import type { Compared, Proof } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { formatCount } from '../../../shared/words/format/formatCount.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { walletBalance } from '../../../shared/words/walletBalance.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { TextList } from '../../elements/list/TextList.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './ProofView.module.css';

interface ProofViewProps {
  proof: Proof;
  network: Network;
}

export function ProofView({ proof, network }: ProofViewProps) {
  return (
    <section className={styles.proof} aria-label={say('Proof')}>
      <Verdict proof={proof} />
      {proof.differences.map(({ title, meaning }) => (
        <Notice key={title} tone="danger" title={<SafeText text={title} />} role="alert">
          <p>
            <SafeText text={meaning} />
          </p>
        </Notice>
      ))}
      <table className={styles.table}>
        <caption className={styles.caption}>{say('Before and after')}</caption>
        <thead>
          <tr>
            <th scope="col">{say('What')}</th>
            <th scope="col">{say('Before')}</th>
            <th scope="col">{say('After')}</th>
          </tr>
        </thead>
        <tbody>
          <Row
            label={say('Scripts')}
            compared={proof.scripts}
            isAmiss={isSome(proof.misplaced) || isSome(proof.keyless)}
          />
          <Row label={say('Labels')} compared={proof.labels} />
          <Row label={say('Transactions')} compared={proof.transactions} />
          <BalanceRows balance={proof.balance} network={network} />
        </tbody>
      </table>
      {proof.unknown.length > 0 && (
        <Disclosure
          look={proof.verdict === 'same' ? 'quiet' : 'bare'}
          startsOpen={proof.verdict !== 'same'}
          summary={proof.verdict === 'same' ? say('About the balance') : say('What was not compared')}
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

/** The page's heading tells it too. */
function Verdict({ proof: { verdict } }: { proof: Proof }) {
  if (verdict === 'partly') return null;
  if (verdict === 'same') {
    return <p>{say('Every script, label and transaction is in the new wallets.')}</p>;
  }
  return (
    <Notice tone="danger" title={say('Don’t use the new wallets yet')} role="alert">
      <p>{say('The old wallet’s backup holds everything.')}</p>
    </Notice>
  );
}

interface RowProps {
  label: string;
  compared: Compared | null;
  /** Something is wrong with what is there. */
  isAmiss?: boolean;
}

function Row({ label, compared, isAmiss = false }: RowProps) {
  if (compared === null) {
    return (
      <tr>
        <th scope="row">{label}</th>
        <td colSpan={2}>{say('Not compared')}</td>
      </tr>
    );
  }
  const arrived = compared.missing.total === 0;
  const whole = arrived && !isAmiss;
  const Icon = whole ? IconCheck : IconX;
  return (
    <tr data-whole={whole}>
      <th scope="row">{label}</th>
      <td>{formatCount(compared.before)}</td>
      <td>
        <Icon className={styles.icon} size={16} aria-hidden />
        {whole ? (
          say('all {count, number}', { count: compared.after })
        ) : (
          <>
            {formatCount(compared.after)}
            <VisuallyHidden> {arrived ? say('(some wrong)') : say('(some missing)')}</VisuallyHidden>
          </>
        )}
      </td>
    </tr>
  );
}

/** The file's last knowledge takes the place of what the node did not say before, or stands below it. */
function BalanceRows({ balance, network }: { balance: Proof['balance']; network: Network }) {
  const { before, after, file, fileTime, standing } = balance;
  const ofFile = file !== null && (
    <>
      {walletBalance(file, network)}
      <span className={styles.hint}>
        {fileTime === null
          ? say('last known to the file')
          : say('last known to the file, {time}', { time: formatTime(fileTime) })}
      </span>
    </>
  );
  const stands = before === null && file !== null;
  return (
    <>
      <tr data-whole={standing !== 'less'}>
        <th scope="row">{say('Balance')}</th>
        <td>{stands ? ofFile : walletBalance(before, network)}</td>
        <td>
          {standing === 'same' && <IconCheck className={styles.icon} size={16} aria-hidden />}
          {standing === 'less' && <IconX className={styles.icon} size={16} aria-hidden />}
          {walletBalance(after, network)}
          {standing !== undefined && standing !== 'same' && (
            <span className={styles.hint}>{STANDING[standing]}</span>
          )}
        </td>
      </tr>
      {!stands && file !== null && (
        <tr>
          <th scope="row">{say('Last known balance')}</th>
          <td>{ofFile}</td>
          <td />
        </tr>
      )}
    </>
  );
}

const STANDING = {
  more: say('more: payments came since'),
  less: say('less than before'),
  unclear: say('less by unconfirmed payments'),
} as const;

function isSome(list: Compared['missing'] | undefined): boolean {
  return list !== undefined && list.total > 0;
}

function Named({ label, list }: { label: string; list: Compared['missing'] | undefined }) {
  if (list === undefined || list.total === 0) return null;
  const { total, shown } = list;
  return (
    <Disclosure summary={say('{label} ({count, number})', { label, count: total })}>
      <TextList texts={shown} most={MOST_SHOWN} total={total} mono />
    </Disclosure>
  );
}

const MOST_SHOWN = 200;
