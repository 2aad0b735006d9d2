/** A report of one crossing for asking for help: shown whole before it is copied. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import { CopyButton } from '../../elements/input/CopyButton.tsx';
import layout from '../../elements/layout.module.css';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import styles from './Activity.module.css';

export function ActivityReport({ id, describedBy }: { id: string; describedBy: string }) {
  const [text, setText] = useState<string | null>(null);
  const [error, setError] = useState<AppErrorShape | null>(null);

  async function make() {
    if (text !== null) return setText(null);
    const made = await attempt(() => bridge.call('crossings.report', { id }));
    setError(made.ok ? null : made.error);
    if (made.ok) setText(made.value.text);
  }

  return (
    <>
      <SmallButton describedBy={describedBy} aria-expanded={text !== null} onClick={make}>
        {say('Report')}
      </SmallButton>
      {error && <ErrorNotice error={error} />}
      {text !== null && (
        <div className={`${layout.stack} ${styles.report}`}>
          <Textarea
            label={say('Report for asking for help')}
            description={say(
              'Without names, paths, addresses, keys, ids and amounts. Read it before you share it.',
            )}
            value={text}
            readOnly
            autosize
            minRows={6}
            maxRows={16}
            spellCheck={false}
          />
          <div>
            <CopyButton text={text} label={say('Copy the report')} />
          </div>
        </div>
      )}
    </>
  );
}
