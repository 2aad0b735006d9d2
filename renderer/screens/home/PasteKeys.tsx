/** Keys that are pasted in the place of a file. Nothing but the field holds them. */
import { Textarea } from '@mantine/core';
import { type FormEvent, useRef } from 'react';
import type { Input } from '../../../shared/contract.ts';
import { AppError } from '../../../shared/model/errors.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/buttons.tsx';
import layout from '../../components/layout.module.css';
import { ErrorNotice } from '../../components/notices.tsx';
import { go, useNode } from '../../state/appStore.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { useAsking, useTasks } from '../../state/useAsking.ts';

export function PasteKeys() {
  const field = useRef<HTMLTextAreaElement>(null);
  const { busy, error, open } = useOpenKeys();

  async function submit(event: FormEvent) {
    event.preventDefault();
    // What is no key stays in the field, to be corrected.
    if (!busy && field.current?.value) await open({ by: 'text', text: field.current.value });
    field.current?.focus();
  }

  return (
    <form className={layout.stack} onSubmit={submit} aria-label={say('Paste keys')}>
      <Textarea
        ref={field}
        label={say('Private keys, BIP38, descriptors or xprv, one per line')}
        rows={4}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
      <ActionButton type="submit" variant="default" busy={busy}>
        {say('Open')}
      </ActionButton>
      {error && <ErrorNotice error={error} />}
    </form>
  );
}

/** Goes to the wallet that is made of the keys in a text or a file, or to what can be rescued of them. */
export function useOpenKeys() {
  const node = useNode();
  const tasks = useTasks();
  const { busy, error, ask } = useAsking();

  function open(from: Input<'wallet.fromText'>['from']) {
    return ask(async () => {
      const asked = { from, ...(node ? { network: node.network } : {}) };
      const found = await tasks.run('keys', (task) => bridge.call('wallet.fromText', { ...asked, task }));
      if (found === null) return;
      if (!found.ok) throw AppError.fromShape(found.error);
      const { path, action, network, unchecked } = found.value;
      const source = { by: 'file', path } as const;
      if (action === 'rescue') go({ at: 'wallet', source, searched: { network } });
      else go({ at: 'wallet', source, ...(unchecked && { unchecked }) });
    });
  }

  return { busy, error, open };
}
