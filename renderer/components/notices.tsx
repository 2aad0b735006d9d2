/** What is said in boxes and tags: to know, to read first, to beware of, or done well. */
import { Box, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconOctagon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import layout from './layout.module.css';
import { TextList } from './lists.tsx';
import styles from './notices.module.css';
import { SafeText } from './texts.tsx';

/** Of what is said: to know, to read first, to beware of, or done well. */
type Tone = keyof typeof LOOKS;

interface NoticeProps {
  tone: Tone;
  title: ReactNode;
  /** Says the tone on screen too, in a word of its own. */
  word?: string;
  checkId?: string;
  children?: ReactNode;
  /** `alert` is spoken at once, `status` when the reader is done; without one it is read in its place. */
  role?: 'alert' | 'status' | undefined;
}

const LOOKS = {
  info: { Icon: IconInfoCircle, spoken: say('Note:') },
  read: { Icon: IconAlertTriangle, spoken: say('Warning:') },
  danger: { Icon: IconOctagon, spoken: say('Problem:') },
  good: { Icon: IconCircleCheck, spoken: say('Done:') },
} as const;

export function Notice({ tone, title, word, checkId, children, role }: NoticeProps) {
  const { Icon, spoken } = LOOKS[tone];
  return (
    <div className={styles.notice} data-tone={tone} data-check={checkId} role={role}>
      <Icon size={20} stroke={1.8} aria-hidden />
      <div className={`${layout.grows} ${styles.words}`}>
        <div>
          {word === undefined ? (
            <VisuallyHidden>{spoken}</VisuallyHidden>
          ) : (
            <Box component="span" c="var(--tone-text)">
              {word}
            </Box>
          )}{' '}
          <strong>{title}</strong>
        </div>
        {children}
      </div>
    </div>
  );
}

/** A short fact about a thing, beside its name. Its words tell it; the colour only helps to find it. */
export function Tag({ tone = 'plain', children }: { tone?: Tone | 'plain'; children: ReactNode }) {
  return (
    <span className={styles.tag} data-tone={tone}>
      {children}
    </span>
  );
}

interface ErrorNoticeProps {
  error: AppErrorShape;
  /** What was tried, when the error alone does not tell: "The wallet was not loaded". */
  title?: string;
  /** `read` if it is unknown whether it went wrong. */
  tone?: 'danger' | 'read';
  /** Part of what is shown anyway, not the answer to something the user just did: read in its place. */
  quiet?: boolean;
  /** What can be done about it here: buttons, mostly. */
  children?: ReactNode;
}

/** An error as the user reads it: what happened, what is safe and what to do next, and the node's own words. */
export function ErrorNotice({ error, title, tone = 'danger', quiet = false, children }: ErrorNoticeProps) {
  const message = <SafeText text={error.message} lines />;
  return (
    <Notice tone={quiet ? 'read' : tone} title={title ?? message} role={quiet ? undefined : 'alert'}>
      {title !== undefined && <p>{message}</p>}
      {error.hint !== '' && (
        <p>
          <SafeText text={error.hint} lines />
        </p>
      )}
      {error.node && (
        <Box component="figure" m={0}>
          <figcaption className={layout.small}>
            {error.node.code === null
              ? say('Exact answer')
              : say('Exact answer (error {code})', { code: String(error.node.code) })}
          </figcaption>
          <blockquote className={styles.quote}>
            <SafeText text={error.node.message} mono lines />
          </blockquote>
        </Box>
      )}
      {children}
    </Notice>
  );
}

interface NodeWarningsProps {
  warnings: readonly string[];
  offline?: boolean | undefined;
}

/** Warnings of the node, or of the offline engine in its place, word for word and all of them. */
export function NodeWarnings({ warnings, offline = false }: NodeWarningsProps) {
  if (warnings.length === 0) return null;
  const title = offline ? say('Offline engine warnings') : say('Node warnings');
  return (
    <Notice tone="info" title={title}>
      <TextList label={title} texts={[...new Set(warnings)]} mono />
    </Notice>
  );
}
