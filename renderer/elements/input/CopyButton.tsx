/** A button that copies a text, in a row of buttons, and says whether it could. */
import { Button } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { say } from '../../../shared/text/say.ts';
import styles from './CopyButton.module.css';
import { copyText } from './copyText.ts';

interface CopyButtonProps {
  text: string;
  /** Its own word, where "Copy" does not tell what. */
  label?: string;
}

export function CopyButton({ text, label = say('Copy') }: CopyButtonProps) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');

  async function copy() {
    setCopied((await copyText(text)) ? 'yes' : 'refused');
  }

  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        leftSection={copied === 'yes' ? <IconCheck size={15} /> : <IconCopy size={15} />}
        onClick={copy}
      >
        {label}
      </Button>
      <span role="status" className={styles.said}>
        {copied === 'yes' && say('Copied')}
        {copied === 'refused' && say('Copying is not allowed here. Select the text and copy it by hand.')}
      </span>
    </>
  );
}
