/** The parts of a page: its heading, sections, cards and disclosures, and the focus. */
import { Box, Group, Title } from '@mantine/core';
import { IconCheck, IconMinus, IconQuestionMark, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import type { Stop } from '../../shared/model/journey.ts';
import type { Verdict } from '../../shared/wording/verdictWords.ts';

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
