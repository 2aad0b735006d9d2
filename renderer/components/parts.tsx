/** The parts of a page: its heading, sections, cards, disclosures, notices and tags, and the focus. */
import { Box, Group, Title, VisuallyHidden } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCheck,
  IconCircleCheck,
  IconInfoCircle,
  IconMinus,
  IconOctagon,
  IconQuestionMark,
  IconX,
} from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { AppErrorShape, NodeError } from '../../shared/model/errors.ts';
import type { Stop } from '../../shared/model/journey.ts';
import { answerTitle } from '../../shared/wording/lines.ts';
import { say } from '../../shared/wording/say.ts';
import type { Verdict } from '../../shared/wording/verdictWords.ts';
import { Paragraph, SafeText } from './texts.tsx';

interface PageHeadingProps {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** The first page leaves the focus where the system put it. */
let entered = false;

export function PageHeading({ title, children, actions }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (entered) heading.current?.focus({ preventScroll: true });
    entered = true;
  }, []);
  return (
    <Group justify="space-between" align="flex-start" gap="12px 24px" mb={24}>
      <div className="grows">
        <Title order={1} ref={heading} tabIndex={-1}>
          {title}
        </Title>
        {children && (
          <Box maw="62ch" mt={6} className="dim">
            {children}
          </Box>
        )}
      </div>
      {actions && <div className="row">{actions}</div>}
    </Group>
  );
}

interface SectionProps {
  title?: ReactNode;
  /** The accessible name, if the heading does not give one. */
  label?: string;
  /** Beside its heading. */
  aside?: ReactNode;
  isCard?: boolean;
  children: ReactNode;
}

export function Section({ title, label, aside, isCard = false, children }: SectionProps) {
  const id = useId();
  return (
    <section
      className={isCard ? 'card' : 'section'}
      {...(label === undefined ? { 'aria-labelledby': id } : { 'aria-label': label })}
    >
      {title && (
        <div className="ends">
          <Title order={2} id={id} className={isCard ? 'title' : undefined}>
            {title}
          </Title>
          {aside}
        </div>
      )}
      {children}
    </section>
  );
}

/** A section in a box. */
export function Card(props: Omit<SectionProps, 'isCard'>) {
  return <Section isCard {...props} />;
}

interface DisclosureProps {
  summary: ReactNode;
  look?: 'bare' | 'quiet';
  /** Opens it, also later. Only the user closes it. */
  startsOpen?: boolean;
  children: ReactNode;
}

/** Contents behind a line of text. They are rendered only once opened. */
export function Disclosure({ summary, look = 'bare', startsOpen = false, children }: DisclosureProps) {
  const [open, setOpen] = useState(startsOpen);
  useEffect(() => {
    if (startsOpen) setOpen(true);
  }, [startsOpen]);
  return (
    <details className={look} open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {open && <div className="stack body">{children}</div>}
    </details>
  );
}

const DOTS = {
  done: { Icon: IconCheck, tone: 'good' },
  skipped: { Icon: IconMinus, tone: 'plain' },
  partly: { Icon: IconMinus, tone: 'read' },
  unknown: { Icon: IconQuestionMark, tone: 'read' },
  failed: { Icon: IconX, tone: 'danger' },
  active: null,
  waiting: null,
} as const;

interface DotProps extends Pick<Stop, 'state'> {
  /** In place of the tone of its state. */
  tone?: Verdict['tone'];
}

/** A ring that shows the outcome of a step. */
export function Dot({ state, tone }: DotProps) {
  const dot = DOTS[state];
  return (
    <span className="dot" data-tone={tone ?? dot?.tone} aria-hidden>
      {dot && <dot.Icon size={13} stroke={3} />}
    </span>
  );
}

/** A window so short, as at 200 % zoom, that a wallet’s page opens at its heading. The styles use the same limit. */
export const SHORT_WINDOW = '(height < 480px)';

export function isShortWindow(): boolean {
  return window.matchMedia(SHORT_WINDOW).matches;
}

/** Returns the focus after a dialog, unless another element has it. */
export function useReturnFocus(): void {
  useEffect(() => {
    const before = document.activeElement;
    return () => {
      if (document.activeElement === document.body && before instanceof HTMLElement)
        before.focus({ preventScroll: true });
    };
  }, []);
}

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
