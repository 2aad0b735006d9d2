/** The transactions that a wallet file keeps, the newest first. */
import type { InspectedState, InspectedTransaction, Inspection } from '../../../shared/inspection.ts';
import { formatBitcoin } from '../../../shared/money.ts';
import type { Network } from '../../../shared/network.ts';
import { say } from '../../../shared/text/say.ts';
import { formatTime } from '../../../shared/words/format/formatTime.ts';
import { noneWords } from '../../../shared/words/inspectionWords.ts';
import { amountNetwork } from '../../../shared/words/networkFound.ts';
import { LongList } from '../../elements/list/LongList.tsx';
import { Section } from '../../elements/Section.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import styles from './Inspect.module.css';

export function InspectTransactions({ inspection }: { inspection: Inspection }) {
  const { transactions, network } = inspection;
  const shownAs = amountNetwork(network);
  return (
    <Section title={say('Transactions')} order={2}>
      {transactions.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
      <LongList
        items={transactions}
        what="transactions"
        row={(transaction) => <Transaction transaction={transaction} network={shownAs} />}
        textOf={textOf}
      />
    </Section>
  );
}

interface TransactionProps {
  transaction: InspectedTransaction;
  network: Network;
}

function Transaction({ transaction, network }: TransactionProps) {
  const { txid, time, state, coinbase, spendable, watched } = transaction;
  const own = spendable.received - spendable.spent;
  const seen = watched.received - watched.spent;
  const onlySeen = spendable.received === 0n && spendable.spent === 0n;
  return (
    <>
      <div className={styles.line}>
        <span>{formatTime(time)}</span>
        <span className={styles.strong}>
          {onlySeen ? say('{amount} watched', { amount: signed(seen, network) }) : signed(own, network)}
        </span>
      </div>
      <div className={styles.under}>
        <SafeText text={txid} mono />
        {STATES[state] && <Tag tone="read">{STATES[state]}</Tag>}
        {coinbase && <Tag>{say('Reward of a block')}</Tag>}
        {!onlySeen && seen !== 0n && (
          <span>{say('{amount} watched', { amount: signed(seen, network) })}</span>
        )}
      </div>
    </>
  );
}

/** What it changed: `+0.420 000 00 rBTC`. */
function signed(amount: bigint, network: Network): string {
  return `${amount > 0n ? '+' : ''}${formatBitcoin(amount, network)}`;
}

const STATES: Readonly<Record<InspectedState, string | null>> = {
  confirmed: null,
  unconfirmed: say('Not in a block yet'),
  conflicted: say('In conflict with another one'),
  abandoned: say('Abandoned'),
};

function textOf({ txid, time }: InspectedTransaction): string {
  return `${txid} ${formatTime(time)}`;
}
