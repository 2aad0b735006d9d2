/** What a rescue saved, what it knows to be missing, and what may bring that back. */
import type { RescueFacts } from '../../../shared/safety.ts';
import { say } from '../../../shared/text/say.ts';
import { rescanWords, rescueRows } from '../../../shared/words/rescueWords.ts';
import { CopyText } from '../../elements/input/CopyButton.tsx';
import { FactList } from '../../elements/list/FactList.tsx';
import { Section } from '../../elements/Section.tsx';

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
