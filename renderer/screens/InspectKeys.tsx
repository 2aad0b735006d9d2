/** Keys by type, and the chains of keys that come of seeds. */
import type { InspectedHdChain, Inspection } from '../../shared/inspection.ts';
import { FactList } from '../components/FactList.tsx';
import { LongList } from '../components/LongList.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { Tag } from '../components/Tag.tsx';
import { Term } from '../components/Term.tsx';
import { counted, formatCount } from '../words/formatCount.ts';
import { keyFacts } from '../words/inspectionWords.ts';
import styles from './Inspect.module.css';
import { InspectSection } from './InspectSection.tsx';

export function InspectKeys({ inspection }: { inspection: Inspection }) {
  const { hdChains } = inspection;
  return (
    <InspectSection title="Keys">
      <FactList facts={keyFacts(inspection)} />
      {hdChains.total > 0 && (
        <>
          <h3>
            <Term word="seed">Seeds</Term> and their chains of keys
          </h3>
          <LongList items={hdChains} one="chain" row={chainRow} textOf={chainText} />
        </>
      )}
    </InspectSection>
  );
}

function chainRow({ seedId, active, externalKeys, internalKeys, fingerprint, hasSeed }: InspectedHdChain) {
  return (
    <>
      <div className={styles.lineMain}>
        Seed <SafeText text={seedId} mono />
      </div>
      <div className={styles.under}>
        <Tag tone={active ? 'accent' : 'plain'}>{active ? 'In use' : 'No longer in use'}</Tag>
        {!hasSeed && <Tag tone="read">The seed is missing</Tag>}
        {fingerprint !== null && (
          <span>
            Fingerprint <SafeText text={fingerprint} mono />
          </span>
        )}
        <span>
          {counted(externalKeys, 'key')} for addresses
          {internalKeys !== null && `, ${formatCount(internalKeys)} for change`}
        </span>
      </div>
    </>
  );
}

function chainText({ seedId, fingerprint }: InspectedHdChain): string {
  return `${seedId} ${fingerprint ?? ''}`;
}
