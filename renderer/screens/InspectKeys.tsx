/** Keys by type, and the chains of keys that come of seeds. */
import { Title } from '@mantine/core';
import type { InspectedHdChain, Inspection } from '../../shared/inspection.ts';
import { FactList } from '../components/FactList.tsx';
import { LongList } from '../components/LongList.tsx';
import { SafeText } from '../components/SafeText.tsx';
import { Section } from '../components/Section.tsx';
import { Tag } from '../components/Tag.tsx';
import { Term } from '../components/Term.tsx';
import { counted, formatCount } from '../words/formatCount.ts';
import { keyFacts } from '../words/inspectionWords.ts';
import styles from './Inspect.module.css';

export function InspectKeys({ inspection }: { inspection: Inspection }) {
  const { hdChains } = inspection;
  return (
    <Section title="Keys" order={2}>
      <FactList facts={keyFacts(inspection)} />
      {hdChains.total > 0 && (
        <>
          <Title order={3} mt={4}>
            <Term word="seed">Seeds</Term> and their chains of keys
          </Title>
          <LongList items={hdChains} one="chain" row={chainRow} textOf={chainText} />
        </>
      )}
    </Section>
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
