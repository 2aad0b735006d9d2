/** What a rescue saved, what it knows to be missing, and what may bring that back. */
import type { RescueFacts } from '../../../../shared/model/safety.ts';
import { rescanWords, rescueRows } from '../../../../shared/wording/rescueWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/input/CopyButton.tsx';
import { FactList } from '../../../components/list/FactList.tsx';
import { Section } from '../../../components/Section.tsx';

export function Rescued({ facts }: { facts: RescueFacts }) {
  const rescan = rescanWords(facts);
  const rows = rescueRows(facts).map(({ label, value, isPath }) => ({
    label,
    value: isPath ? <CopyText text={value} /> : value,
  }));
  return (
    <Section title={say('Rescued')}>
      <FactList facts={rows} />
      {rescan && <p>{rescan}</p>}
    </Section>
  );
}
