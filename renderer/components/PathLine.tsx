/** An exact path, to read, to copy and to open the folder of. */
import { Button } from '@mantine/core';
import { IconCheck, IconCopy, IconFolderOpen } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';
import { bridge } from '../bridge.ts';
import { useApp } from '../state/appStore.ts';
import { attempt } from '../state/attempt.ts';
import { copyText } from './copyText.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import styles from './PathLine.module.css';
import { SafeText } from './SafeText.tsx';

interface PathLineProps {
  path: string;
  label?: string;
  /** False for a path on another machine, which cannot be shown in a folder here. */
  here?: boolean;
  /** What is known of the file. */
  note?: ReactNode;
}

export function PathLine({ path, label, here = true, note }: PathLineProps) {
  const labelId = useId();
  const canShow = useApp(({ info }) => info?.canShowInFolder ?? false) && here;
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  const [error, setError] = useState<AppErrorShape | null>(null);

  async function copy() {
    setCopied((await copyText(path)) ? 'yes' : 'refused');
  }

  async function show() {
    const shown = await attempt(() => bridge.call('files.show', { path }));
    setError(shown.ok ? null : shown.error);
  }

  return (
    <fieldset className={styles.line} aria-labelledby={label ? labelId : undefined}>
      {label && (
        <div id={labelId} className={styles.label}>
          {label}
        </div>
      )}
      <div className={styles.box}>
        <code className={styles.path}>
          <SafeText text={path} mono />
        </code>
        <div className={styles.buttons}>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={copied === 'yes' ? <IconCheck size={15} /> : <IconCopy size={15} />}
            onClick={copy}
          >
            {say('Copy')}
          </Button>
          {canShow && (
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconFolderOpen size={15} />}
              onClick={show}
            >
              {say('Show in folder')}
            </Button>
          )}
          <span role="status" className={styles.said}>
            {copied === 'yes' && say('Copied')}
            {copied === 'refused' && say('Copying is not allowed here. Select the path and copy it by hand.')}
          </span>
        </div>
      </div>
      {note && <p className={styles.note}>{note}</p>}
      {error && <ErrorNotice error={error} />}
    </fieldset>
  );
}
