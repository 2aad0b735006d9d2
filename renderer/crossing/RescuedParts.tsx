/** What a rescue saved, what it knows to be missing, and what may bring that back. */
import type { RescueFacts } from '../../shared/safety.ts';
import { rescanWords, rescueRows } from '../../shared/words/rescueWords.ts';
import { CopyText } from '../elements/input/CopyButton.tsx';
import { FactList } from '../elements/list/FactList.tsx';

export function RescuedParts({ facts }: { facts: RescueFacts }) {
  const rescan = rescanWords(facts);
  const rows = rescueRows(facts).map(({ label, value, isPath }) => ({
    label,
    value: isPath ? <CopyText text={value} /> : value,
  }));
  return (
    <>
      <FactList facts={rows} />
      {rescan && <p>{rescan}</p>}
    </>
  );
}
