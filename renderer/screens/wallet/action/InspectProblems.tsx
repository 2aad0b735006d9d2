/** What is wrong with a wallet file. */
import { useId, useState } from 'react';
import type { FileProblem, Inspection } from '../../../../shared/model/inspection.ts';
import { findingText } from '../../../../shared/wording/findings/findingWords.ts';
import { readWords } from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import { List } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Section } from '../../../components/parts.tsx';
import { SafeText } from '../../../components/texts.tsx';

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

export function AllProblems({ inspection: { problems } }: { inspection: Inspection }) {
  if (problems.length === 0) return null;
  return (
    <Section title={say('Problems')}>
      <Problems problems={problems} />
    </Section>
  );
}

function Problems({ problems }: { problems: readonly FileProblem[] }) {
  const id = useId();
  const [all, setAll] = useState(false);
  const shown = all ? problems : problems.slice(0, FEW);
  const [only] = problems;
  if (only && problems.length === 1) return <p>{<Problem problem={only} />}</p>;
  return (
    <>
      <List look="bullets" id={id}>
        {shown
          .map((problem, at) => ({ problem, at }))
          .map(({ problem, at }) => (
            <li key={at}>
              <Problem problem={problem} />
            </li>
          ))}
      </List>
      {shown.length < problems.length && (
        <SmallButton aria-controls={id} onClick={() => setAll(true)}>
          {say('Show all {count, number}', { count: problems.length })}
        </SmallButton>
      )}
    </>
  );
}

function Problem({ problem: { finding, page } }: { problem: FileProblem }) {
  const isNamed = finding.code === 'wallet_damaged' && 'page' in finding.fault;
  return (
    <>
      <SafeText text={findingText(finding)} />
      {page !== null && !isNamed && <> {say('(page {page, number})', { page })}</>}
    </>
  );
}

const FEW = 4;
