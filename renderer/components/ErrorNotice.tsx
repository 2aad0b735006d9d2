/** An error as the user reads it: what happened, what is safe and what to do next, and the node's own words. */
import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { say } from '../../shared/wording/say.ts';
import layout from './layout.module.css';
import styles from './Notice.module.css';
import { Notice } from './Notice.tsx';
import { SafeText } from './text/texts.tsx';

interface ErrorNoticeProps {
  error: AppErrorShape;
  /** What was tried, when the error alone does not tell: "The wallet was not loaded". */
  title?: string;
  /** `read` where nobody can tell whether it went wrong. */
  tone?: 'danger' | 'read';
  /** Part of what is shown anyway, not the answer to something the user just did: read in its place. */
  quiet?: boolean;
  /** What can be done about it here: buttons, mostly. */
  children?: ReactNode;
}

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
