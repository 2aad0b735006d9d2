/** A boxed word to the reader. Its tone is told by colour, by an icon and by a word for screen readers. */
import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck, IconInfoCircle, IconOctagon } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { say } from '../../shared/wording/say.ts';
import layout from './layout.module.css';
import styles from './Notice.module.css';

/** Of what is said: to know, to read first, to beware of, or done well. */
export type Tone = keyof typeof LOOKS;

interface NoticeProps {
  tone: Tone;
  title: ReactNode;
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

export function Notice({ tone, title, children, role }: NoticeProps) {
  const { Icon, spoken } = LOOKS[tone];
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      <Icon size={20} stroke={1.8} aria-hidden />
      <div className={`${layout.grows} ${styles.words}`}>
        <div>
          <VisuallyHidden>{spoken}</VisuallyHidden>
          <strong>{title}</strong>
        </div>
        {children}
      </div>
    </div>
  );
}
