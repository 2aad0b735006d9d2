/** Keys by type, and the chains of keys that come of seeds. */
import { Title } from '@mantine/core';
import type { InspectedHdChain, Inspection } from '../../../../shared/model/inspection.ts';
import { keyFacts } from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { FactList, LongList } from '../../../components/lists.tsx';
import { Tag } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { SafeText, Say, Term } from '../../../components/texts.tsx';

export function InspectKeys({ inspection }: { inspection: Inspection }) {
  const { hdChains } = inspection;
  return (
    <Section title={say('Keys')}>
      <FactList facts={keyFacts(inspection)} />
      {hdChains.total > 0 && (
        <>
          <Title order={3} mt={4}>
            <Say text="{seeds} and chains" values={{ seeds: <Term word="seed">{say('Seeds')}</Term> }} />
          </Title>
          <LongList items={hdChains} what="chains" row={chainRow} textOf={chainText} />
        </>
      )}
    </Section>
  );
}

function chainRow({ seedId, active, externalKeys, internalKeys, fingerprint, hasSeed }: InspectedHdChain) {
  return (
    <>
      <div>
        <Say text="Seed {id}" values={{ id: <CopyText text={seedId} /> }} />
      </div>
      <div className={`${layout.line} ${layout.small}`}>
        <Tag tone={active ? 'info' : 'plain'}>{active ? say('In use') : say('Not in use')}</Tag>
        {!hasSeed && <Tag tone="read">{say('Seed missing')}</Tag>}
        <span>
          {fingerprint !== null && (
            <>
              <Say
                text="Fingerprint {fingerprint}"
                values={{ fingerprint: <SafeText text={fingerprint} mono /> }}
              />{' '}
              ·{' '}
            </>
          )}
          {internalKeys === null
            ? say('{keys, plural, one {# key} other {# keys}} for addresses', { keys: externalKeys })
            : say('{keys, plural, one {# key} other {# keys}} for addresses, {change, number} for change', {
                keys: externalKeys,
                change: internalKeys,
              })}
        </span>
      </div>
    </>
  );
}

function chainText({ seedId, fingerprint }: InspectedHdChain): string {
  return `${seedId} ${fingerprint ?? ''}`;
}
