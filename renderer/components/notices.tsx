/** Notices in boxes, and tags. */
import { Box, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconOctagon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppErrorShape, NodeError } from '../../shared/model/errors.ts';
import { answerTitle } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import { TextList } from './lists.tsx';
import { Paragraph, SafeText } from './texts.tsx';

/** Information, a warning, a problem, or success. */
type Tone = keyof typeof LOOKS;

interface NoticeProps {
  tone: Tone;
  title: ReactNode;
  /** Shows the word of the tone on screen, too. */
  word?: string;
  /** What screen readers say in place of the tone's word. */
  spoken?: string;
  /** Makes the title a heading of the page. */
  isHeading?: boolean;
  checkId?: string;
  children?: ReactNode;
  /** Screen readers speak `alert` at once and `status` after the current text. Without a role they read it in its place. */
  role?: 'alert' | 'status' | undefined;
  /** Below the title. With it, the role is of the title and of this only, and the children are read in their place. */
  lead?: ReactNode;
}

const LOOKS = {
  info: { Icon: IconInfoCircle, spoken: say('Note:') },
  read: { Icon: IconAlertTriangle, spoken: say('Warning:') },
  danger: { Icon: IconOctagon, spoken: say('Problem:') },
  good: { Icon: IconCircleCheck, spoken: say('Done:') },
} as const;

export function Notice({ tone, title, word, spoken, isHeading, checkId, children, role, lead }: NoticeProps) {
  const { Icon, ...look } = LOOKS[tone];
  const Title = isHeading ? 'h2' : 'strong';
  return (
    <div className="notice" data-tone={tone} data-check={checkId} role={lead ? undefined : role}>
      <Icon size={20} stroke={1.8} aria-hidden />
      <div className="grows words">
        <div className="words" role={lead ? role : undefined}>
          {word === undefined ? (
            <VisuallyHidden>{spoken ?? look.spoken}</VisuallyHidden>
          ) : (
            <Box component="span" c="var(--tone-text)">
              {word}
            </Box>
          )}{' '}
          <Title>{title}</Title>
          {lead}
        </div>
        {children}
      </div>
    </div>
  );
}

/** A short fact next to a name. The colour adds nothing to the words. */
export function Tag({ tone = 'plain', children }: { tone?: Tone | 'plain'; children: ReactNode }) {
  return (
    <span className="tag" data-tone={tone}>
      {children}
    </span>
  );
}

interface ErrorNoticeProps {
  error: AppErrorShape;
  /** The failed action, if the error does not name it: "Not loaded". */
  title?: string;
  /** Whether it is part of the page, not the answer to the user's action: screen readers read it in its place. */
  quiet?: boolean;
  /** Buttons that help here. */
  children?: ReactNode;
}

/** An error: what happened, what is safe, what to do next, and the node's message. */
export function ErrorNotice({ error, title, quiet = false, children }: ErrorNoticeProps) {
  const { message, hint } = error;
  return (
    <Notice
      tone={quiet ? 'read' : 'danger'}
      title={title ?? <SafeText text={message} lines home />}
      role={quiet ? undefined : 'alert'}
    >
      {title !== undefined && <Paragraph text={message} />}
      {hint !== '' && <Paragraph text={hint} />}
      {error.node && (
        <Box component="figure" m={0}>
          <figcaption className="small">{answerTitle(error.node)}</figcaption>
          <NodeWords {...error.node} />
        </Box>
      )}
      {children}
    </Notice>
  );
}

/** What the node answered, verbatim. */
export function NodeWords({ message }: Pick<NodeError, 'message'>) {
  return (
    <blockquote className="quote">
      <SafeText text={message} mono lines />
    </blockquote>
  );
}

interface NodeWarningsProps {
  warnings: readonly string[];
  offline?: boolean | undefined;
}

/** All warnings of the node or the offline engine, verbatim. */
export function NodeWarnings({ warnings, offline = false }: NodeWarningsProps) {
  if (warnings.length === 0) return null;
  const title = offline ? say('Offline engine warnings') : say('Node warnings');
  return (
    <Notice tone="info" title={title}>
      <TextList label={title} texts={[...new Set(warnings)]} mono />
    </Notice>
  );
}
