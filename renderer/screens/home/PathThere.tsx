/** For a node on another machine, which opens the file itself: a field for the path there. */
import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { Section } from '../../components/Section.tsx';
import { usePlans } from '../../state/plansStore.ts';

export function PathThere() {
  const [path, setPath] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (path !== '') usePlans.getState().begin([{ action: 'restore', source: { by: 'file', path } }]);
  }
  return (
    <Section title={say('A file on the node’s machine')}>
      <form onSubmit={submit} className={`${layout.card} ${layout.stack}`}>
        <TextInput
          label={say('Path on the node’s machine')}
          description={say('The full path. The node opens the file itself.')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <ActionButton type="submit" variant="default" blocked={path === ''}>
          {say('Check')}
        </ActionButton>
      </form>
    </Section>
  );
}
