/** What can be done with a file once it was looked into. */
import { Button } from '@mantine/core';
import { IconFileImport } from '@tabler/icons-react';
import type { WalletSource } from '../../../shared/contract.ts';
import type { FileFacts } from '../../../shared/files.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import { say } from '../../../shared/text/say.ts';
import { useApp, useNode } from '../../state/appStore.ts';
import { usePlans } from '../../state/plansStore.ts';
import styles from './Inspect.module.css';

interface InspectWaysProps {
  source: WalletSource;
  facts: FileFacts | null;
  kind: Inspection['kind'];
}

export function InspectWays({ source, facts, kind }: InspectWaysProps) {
  const go = useApp((state) => state.go);
  const { begin } = usePlans.getState();
  const node = useNode();
  if (source.by === 'wallet') {
    const migrates = kind === 'legacy' && node !== null && node.release.migrates !== 'no';
    return (
      <div className={styles.ways}>
        <Button variant="default" onClick={() => go({ at: 'wallets' })}>
          {say('Go to wallets')}
        </Button>
        {migrates && <Button onClick={() => begin([{ wanted: 'migrate', source }])}>{say('Migrate')}</Button>}
      </div>
    );
  }
  const file = facts?.path ?? source.path;
  return (
    <div className={styles.ways}>
      <Button
        leftSection={<IconFileImport size={17} aria-hidden />}
        onClick={() => begin([{ wanted: 'restore', source: { by: 'file', path: file } }])}
      >
        {say('Restore this backup')}
      </Button>
    </div>
  );
}
