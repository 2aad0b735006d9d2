/** Keys that are pasted in the place of a file. They live in the field alone, and are given up when they are sent. */
import { Textarea } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import { say } from '../../../shared/text/say.ts';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { takeSecret } from '../../elements/input/takeSecret.ts';
import layout from '../../elements/layout.module.css';
import { go, openMade, useNode } from '../../state/appStore.ts';
import { useAsking } from '../../state/useAsking.ts';
import { useFileJob } from '../../state/useFileJob.ts';

export function PasteKeys() {
  const field = useRef<HTMLTextAreaElement>(null);
  const node = useNode();
  const job = useFileJob();
  const { busy, error, ask } = useAsking();

  function open(event: FormEvent) {
    event.preventDefault();
    if (busy || !field.current?.value) return field.current?.focus();
    void ask(async () => {
      const text = takeSecret(field.current);
      const network = node === null ? {} : { network: node.network };
      const found = await job.ask('wallet.fromText', { from: { by: 'text', text }, ...network });
      if (!found.ok) {
        field.current?.focus();
        return found.error;
      }
      const { path, wanted, network: told } = found.value;
      if (wanted === 'restore') openMade(found.value);
      else go({ at: 'inspect', source: { by: 'file', path }, searched: { network: told } });
      return null;
    });
  }

  return (
    <form className={layout.stack} onSubmit={open} aria-label={say('Paste keys')}>
      <Textarea
        ref={field}
        label={say('Private keys, BIP38, descriptors or xprv, one per line')}
        rows={4}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <div>
        <ActionButton type="submit" variant="default" busy={busy}>
          {say('Open')}
        </ActionButton>
      </div>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}
