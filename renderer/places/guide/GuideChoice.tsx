/** A question of the guide with its answers, of which one is chosen. */
import { Radio } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './Guide.module.css';
import { GuideStep } from './GuideStep.tsx';

interface GuideChoiceProps<Answer extends string> {
  question: string;
  /** What has to be known before. */
  lead?: ReactNode;
  answers: readonly { answer: Answer; label: string }[];
  chosen: Answer | null;
  onChoose: (answer: Answer) => void;
  /** What to mind with the answer that was chosen. */
  children: ReactNode;
}

export function GuideChoice<Answer extends string>({
  question,
  lead,
  answers,
  chosen,
  onChoose,
  children,
}: GuideChoiceProps<Answer>) {
  return (
    <GuideStep title={question}>
      {lead}
      <Radio.Group
        aria-label={question}
        value={chosen ?? ''}
        onChange={(value) => {
          const found = answers.find(({ answer }) => answer === value);
          if (found) onChoose(found.answer);
        }}
      >
        <div className={styles.choices}>
          {answers.map(({ answer, label }) => (
            <Radio key={answer} value={answer} label={label} />
          ))}
        </div>
      </Radio.Group>
      <div role="status" className={styles.advice}>
        {children}
      </div>
    </GuideStep>
  );
}
