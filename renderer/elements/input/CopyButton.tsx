/** A button that copies a text, in a row of buttons, and says whether it could. */
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import { say } from '../../../shared/text/say.ts';
import layout from '../layout.module.css';
import { SmallButton } from './ActionButton.tsx';
import styles from './buttons.module.css';

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
      <SmallButton
        leftSection={copied === 'yes' ? <IconCheck size={15} /> : <IconCopy size={15} />}
        onClick={copy}
      >
        {label}
      </SmallButton>
      <span role="status" className={`${layout.small} ${styles.said}`}>
        {copied === 'yes' && say('Copied')}
        {copied === 'refused' && say('Not allowed here. Select and copy it by hand.')}
      </span>
    </>
  );
}

/** Puts text on the clipboard as it is. Gives false where neither way is allowed. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The desktop entry grants the page no permissions; the older command needs none after a click.
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const before = document.activeElement;
  // Inside an open dialog the rest of the page cannot take the focus that copying needs.
  const place = document.querySelector('dialog[open]') ?? document.body;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  place.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}
