import type { Inspection } from '../../../../shared/model/inspection.ts';
import { readWords } from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { Notice } from '../../../components/notices.tsx';

/** What was lost, in one notice; every problem is listed in the tab *Technical*. */
export function InspectProblems({ inspection }: { inspection: Inspection }) {
  const lost = inspection.problems.filter((problem) => problem.lost);
  const read = readWords(inspection);
  if (lost.length === 0) return null;
  return (
    <Notice
      tone="read"
      role="status"
      title={read === null ? say('Nothing can be read') : say('Part of this file is unreadable')}
    >
      {read !== null && <p>{say('What can still be read: {read}. More may be missing.', { read })}</p>}
      <p>{say('Check another copy too, and keep this one.')}</p>
    </Notice>
  );
}
