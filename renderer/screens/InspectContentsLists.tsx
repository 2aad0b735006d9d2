/** The long lists of a wallet file: descriptors, scripts, transactions, labels, locked coins. */
import type {
  InspectedDescriptor,
  InspectedLabel,
  InspectedScript,
  Inspection,
} from '../../shared/inspection.ts';
import { descriptorWords } from '../components/descriptorWords.ts';
import { LongList } from '../components/LongList.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { Tag } from '../components/Tag.tsx';
import { Term } from '../components/Term.tsx';
import { formatCount } from '../words/formatCount.ts';
import { multisigWords, noneWords, standingWords } from '../words/inspectionWords.ts';
import styles from './Inspect.module.css';
import { InspectSection } from './InspectSection.tsx';
import { InspectTransactions } from './InspectTransactions.tsx';

export function InspectContentsLists({ inspection }: { inspection: Inspection }) {
  const { descriptors, scripts, labels, lockedCoins, kind } = inspection;
  return (
    <>
      {kind === 'descriptor' && (
        <InspectSection title="Descriptors">
          {descriptors.total === 0 && <p className={styles.dimmed}>{noneWords(inspection)}</p>}
          <LongList items={descriptors} one="descriptor" row={descriptorRow} textOf={descriptorText} />
        </InspectSection>
      )}
      {scripts.total > 0 && (
        <InspectSection title="Watched scripts and multisig">
          <p className={styles.dimmed}>
            Scripts that are more than one of its own keys: <Term word="watch-only">watched</Term> ones, and{' '}
            <Term word="solvable" /> ones such as multisig.
          </p>
          <LongList items={scripts} one="script" row={scriptRow} textOf={scriptText} />
        </InspectSection>
      )}
      <InspectTransactions inspection={inspection} />
      <InspectSection title="Labels">
        {labels.total === 0 && <p className={styles.dimmed}>{noneWords(inspection)}</p>}
        <LongList items={labels} one="label" row={labelRow} textOf={labelText} />
      </InspectSection>
      {lockedCoins.total > 0 && (
        <InspectSection title="Locked coins">
          <p className={styles.dimmed}>Coins that were set aside so that the wallet does not spend them.</p>
          <LongList items={lockedCoins} one="locked coin" row={coinRow} textOf={coinText} />
        </InspectSection>
      )}
    </>
  );
}

function descriptorRow(descriptor: InspectedDescriptor) {
  const { text } = descriptor;
  return (
    <>
      <div className={styles.lineMain}>
        {text === null ? 'It cannot be shown without a private key.' : <SafeText text={text} mono />}
      </div>
      <div className={styles.under}>{descriptorWords(descriptor)}</div>
    </>
  );
}

function descriptorText({ text }: InspectedDescriptor): string {
  return text ?? '';
}

function scriptRow({ script, address, kind, multisig, standing }: InspectedScript) {
  return (
    <>
      <div className={styles.lineMain}>
        <SafeText text={address ?? script} mono />
      </div>
      <div className={styles.under}>
        <Tag tone={standing === 'not-mine' ? 'read' : 'plain'}>{standingWords(standing)}</Tag>
        <span>{kind}</span>
        {multisig && <span>{multisigWords(multisig)}</span>}
      </div>
    </>
  );
}

function scriptText({ script, address, kind }: InspectedScript): string {
  return `${address ?? ''} ${script} ${kind}`;
}

function labelRow({ address, label, purpose }: InspectedLabel) {
  return (
    <>
      <div className={styles.lineMain}>
        {label === null || label === '' ? (
          <span className={styles.dimmed}>Without a label</span>
        ) : (
          <SafeText text={label} />
        )}
      </div>
      <div className={styles.under}>
        <SafeText text={address} mono />
        {purpose !== null && <Tag>{PURPOSES[purpose] ?? <SafeText text={purpose} />}</Tag>}
      </div>
    </>
  );
}

const PURPOSES: Readonly<Partial<Record<string, string>>> = { receive: 'To receive', send: 'To send to' };

function labelText({ address, label }: InspectedLabel): string {
  return `${label ?? ''} ${address}`;
}

type LockedCoin = Inspection['lockedCoins']['shown'][number];

function coinRow({ txid, index }: LockedCoin) {
  return (
    <div className={styles.lineMain}>
      Output {formatCount(index)} of <SafeText text={txid} mono />
    </div>
  );
}

function coinText({ txid }: LockedCoin): string {
  return txid;
}
