/** A report of one operation for asking for help: shown whole before it is copied. */
import { Button, Textarea } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { AppErrorShape } from '../../shared/errors.ts';
import { say } from '../../shared/say.ts';
import { bridge } from '../bridge.ts';
import { copyText } from '../components/copyText.ts';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import { attempt } from '../state/attempt.ts';
import styles from './Activity.module.css';

export function ActivityReport({ id, describedBy }: { id: string; describedBy: string }) {
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');

  async function make() {
    if (text !== null) return setText(null);
    const made = await attempt(() => bridge.call('operations.report', { id }));
    setError(made.ok ? null : made.error);
    setCopied('no');
    if (made.ok) setText(made.value.text);
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-describedby={describedBy}
        aria-expanded={text !== null}
        onClick={make}
      >
        {say('Report')}
      </Button>
      {error && <ErrorNotice error={error} />}
      {text !== null && (
        <div className={styles.report}>
          <Textarea
            label={say('Report for asking for help')}
            description={say(
              'Names of wallets, paths, addresses, keys, ids and amounts are left out. Read it before you pass it on.',
            )}
            value={text}
            readOnly
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
          />
          <div className={styles.reportButtons}>
            <Button
              size="compact-sm"
              leftSection={copied === 'yes' ? <IconCheck size={15} /> : <IconCopy size={15} />}
              onClick={async () => setCopied((await copyText(text)) ? 'yes' : 'refused')}
            >
              {say('Copy the report')}
            </Button>
            <span role="status">
              {copied === 'yes' && say('Copied')}
              {copied === 'refused' &&
                say('Copying is not allowed here. Select the text and copy it by hand.')}
            </span>
          </div>
        </div>
      )}
    </>
  );
}
