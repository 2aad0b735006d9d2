/** Where a backup is chosen: a file of this computer, one that a migration left, or a path on the node's machine. */
import { TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ChooseFile } from '../../elements/file/ChooseFile.tsx';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { useNode } from '../../state/appStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import { FoundBackupList } from './FoundBackupList.tsx';
import styles from './Restore.module.css';

export function Restore() {
  const node = useNode();
  return (
    <>
      <PageHeading title={say('Restore a backup')}>
        <Say text="Choose a {backup}. The file is only read." values={{ backup: <Term word="backup" /> }} />
      </PageHeading>
      {node && !node.local ? <PathThere /> : <FileHere node={node} />}
    </>
  );
}

function begin(path: string): void {
  usePlans.getState().begin([{ wanted: 'restore', source: { by: 'file', path } }]);
}

function FileHere({ node }: { node: NodeStatus | null }) {
  return (
    <>
      <ChooseFile purpose="backup" chosen={false} onPath={begin} />
      {node && <FoundBackupList onUse={begin} />}
    </>
  );
}

/** The node opens the file itself. */
function PathThere() {
  const [path, setPath] = useState('');
  function submit(event: FormEvent) {
    event.preventDefault();
    if (path !== '') begin(path);
  }
  return (
    <form onSubmit={submit} className={styles.path}>
      <TextInput
        label={say('Path on the node’s machine')}
        description={say('The full path: the node opens it itself.')}
        value={path}
        onChange={(event) => setPath(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <ActionButton type="submit" blocked={path === ''}>
        {say('Check')}
      </ActionButton>
    </form>
  );
}
