/** Asks what a text with keys leaves open: what to do about damaged keys, or on which test network its descriptors are. */
import { VisuallyHidden } from '@mantine/core';
import { IconCheck, IconMinus, IconQuestionMark, IconX } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { TextLines } from '../../../shared/model/findings/textLines.ts';
import { type Network, networks } from '../../../shared/model/network.ts';
import {
  damagedLine,
  goOnWithoutKeys,
  lineStateWord,
  linesSummary,
} from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/buttons.tsx';
import { Choice, networkOptions } from '../../components/fields.tsx';
import { PagedList } from '../../components/lists.tsx';
import { Notice } from '../../components/notices.tsx';
import styles from './Home.module.css';

/** What the user decided about a text. */
export interface KeyAnswers {
  withoutDamaged?: boolean;
  network?: Network;
}

/** `answers`: those that are given already. */
export type OpenQuestion = { answers: KeyAnswers } & ({ of: 'lines'; lines: TextLines } | { of: 'network' });

interface KeyQuestionProps {
  question: OpenQuestion;
  busy: boolean;
  onAnswer: (answers: KeyAnswers) => void;
}

export function KeyQuestion({ question, busy, onAnswer }: KeyQuestionProps) {
  const { answers } = question;
  // Descriptors of the test networks look alike.
  if (question.of === 'network')
    return (
      <Notice tone="info" role="status" title={say('Test network keys')}>
        <Choice
          inLine
          label={say('Which network?')}
          value={null}
          options={networkOptions(networks.filter((one) => one !== 'main'))}
          onChange={(network) => onAnswer({ ...answers, network })}
        />
      </Notice>
    );
  const { lines } = question;
  return (
    <Notice tone="read" role="status" title={linesSummary(lines)}>
      <p>{say('Correct the damaged lines from your original.')}</p>
      <PagedList
        look="boxed"
        label={say('Damaged')}
        items={[...new Set(lines.damaged.map(damagedLine))]}
        keyOf={(text) => text}
        row={(text) => text}
        page={20}
      />
      {lines.keys > 0 && (
        <ActionButton
          variant="default"
          busy={busy}
          onClick={() => onAnswer({ ...answers, withoutDamaged: true })}
        >
          {goOnWithoutKeys(lines)}
        </ActionButton>
      )}
    </Notice>
  );
}

/** Says where the marks end, if the text has more lines than are marked. */
export function marksEnd({ states }: Pick<TextLines, 'states'>, text: string): string | null {
  return text.trimEnd().split('\n').length > states.length
    ? say('Only the first {count, number} lines are marked.', { count: states.length })
    : null;
}

interface LineMarksProps {
  lines: TextLines;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Beside a field that does not wrap: the number of each line with what was read in it. Scrolls with the field. */
export function LineMarks({ lines, field }: LineMarksProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const text = field.current;
    const move = () => list.current?.style.setProperty('translate', `0 ${-(text?.scrollTop ?? 0)}px`);
    move();
    text?.addEventListener('scroll', move);
    return () => text?.removeEventListener('scroll', move);
  }, [field]);
  return (
    <ol ref={list} className={`dim ${styles.lines}`} aria-label={say('Lines')}>
      {lines.states.map((state, at) => {
        if (state === 'empty') return null;
        const { Icon, tone } = MARKS[state];
        const line = at + 1;
        const damages = lines.damaged.filter((damage) => damage.line === line).map(damagedLine);
        return (
          <li key={line} className={styles.line} style={{ gridRow: line }} data-tone={tone}>
            <VisuallyHidden>
              {damages.length > 0 ? damages.join(' ') : say('Line {line, number}', { line })}{' '}
              {lineStateWord(state)}
            </VisuallyHidden>
            <span aria-hidden>{line}</span>
            <Icon size={14} stroke={2.5} aria-hidden />
          </li>
        );
      })}
    </ol>
  );
}

const MARKS = {
  taken: { Icon: IconCheck, tone: 'good' },
  damaged: { Icon: IconX, tone: 'read' },
  other: { Icon: IconQuestionMark, tone: 'plain' },
  comment: { Icon: IconMinus, tone: 'plain' },
} as const;
