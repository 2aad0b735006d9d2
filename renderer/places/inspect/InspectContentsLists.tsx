/** The long lists of a wallet file: descriptors, scripts, transactions, labels, locked coins. */
import type {
  InspectedDescriptor,
  InspectedLabel,
  InspectedScript,
  Inspection,
} from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { descriptorWords } from '../../../shared/words/descriptorWords.ts';
import { multisigWords, noneWords, standingWords } from '../../../shared/words/inspectionWords.ts';
import { LongList } from '../../elements/list/LongList.tsx';
import { Section } from '../../elements/Section.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import styles from './Inspect.module.css';
import { InspectTransactions } from './InspectTransactions.tsx';

export function InspectContentsLists({ inspection }: { inspection: Inspection }) {
  const { descriptors, scripts, labels, lockedCoins, kind } = inspection;
  return (
    <>
      {kind === 'descriptor' && (
        <Section title={say('Descriptors')} order={2}>
          {descriptors.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
          <LongList items={descriptors} what="descriptors" row={descriptorRow} textOf={descriptorText} />
        </Section>
      )}
      {scripts.total > 0 && (
        <Section title={say('Watched scripts and multisig')} order={2}>
          <Quiet>
            <Say
              text="Scripts that are more than one of its own keys: {watched} ones, and {solvable} ones such as multisig."
              values={{
                watched: <Term word="watch-only">{say('watched')}</Term>,
                solvable: <Term word="solvable" />,
              }}
            />
          </Quiet>
          <LongList items={scripts} what="scripts" row={scriptRow} textOf={scriptText} />
        </Section>
      )}
      <InspectTransactions inspection={inspection} />
      <Section title={say('Labels')} order={2}>
        {labels.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
        <LongList items={labels} what="labels" row={labelRow} textOf={labelText} />
      </Section>
      {lockedCoins.total > 0 && (
        <Section title={say('Locked coins')} order={2}>
          <Quiet>{say('Coins that were set aside so that the wallet does not spend them.')}</Quiet>
          <LongList items={lockedCoins} what="lockedCoins" row={coinRow} textOf={coinText} />
        </Section>
      )}
    </>
  );
}

function descriptorRow(descriptor: InspectedDescriptor) {
  const { text } = descriptor;
  return (
    <>
      <div className={styles.lineMain}>
        {text === null ? say('It cannot be shown without a private key.') : <SafeText text={text} mono />}
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
        <span>
          {multisig && kind !== 'multisig' && <>{kind} · </>}
          {multisig ? multisigWords(multisig) : kind}
        </span>
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
          <span className={styles.dimmed}>{say('Without a label')}</span>
        ) : (
          <SafeText text={label} />
        )}
      </div>
      <div className={styles.under}>
        <SafeText text={address} mono />
        {purpose !== null && (
          <Tag>{Object.hasOwn(PURPOSES, purpose) ? PURPOSES[purpose] : <SafeText text={purpose} />}</Tag>
        )}
      </div>
    </>
  );
}

const PURPOSES: Readonly<Partial<Record<string, string>>> = {
  receive: say('To receive'),
  send: say('To send to'),
};

function labelText({ address, label }: InspectedLabel): string {
  return `${label ?? ''} ${address}`;
}

type LockedCoin = Inspection['lockedCoins']['shown'][number];

function coinRow({ txid, index }: LockedCoin) {
  return (
    <div className={styles.lineMain}>
      <Say text="Output {index, number} of {txid}" values={{ index, txid: <SafeText text={txid} mono /> }} />
    </div>
  );
}

function coinText({ txid }: LockedCoin): string {
  return txid;
}
