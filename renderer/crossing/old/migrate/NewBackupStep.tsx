/** A new backup of each wallet that came of a migration, or the known decision to make them later. */
import { Button } from '@mantine/core';
import type { MigrationResult, Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { List } from '../../../elements/list/List.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { useApp, useIsNodeInUse } from '../../../state/appStore.ts';
import { useOperations } from '../../../state/operationsStore.ts';
import { migratedWallets } from '../../../words/migratedWallets.ts';
import { OnAnotherNode } from '../../result/OnAnotherNode.tsx';
import { BackupRow } from '../backup/BackupRow.tsx';
import { newestBackup } from '../backup/newestBackup.ts';
import { WizardFrame } from '../WizardFrame.tsx';
import { runFrame } from './migrateSteps.ts';
import styles from './NewBackupStep.module.css';

interface NewBackupStepProps {
  operation: Operation;
  result: MigrationResult;
  onBack: () => void;
}

export function NewBackupStep({ operation, result, onBack }: NewBackupStepProps) {
  const go = useApp((state) => state.go);
  const operations = useOperations((state) => state.operations);
  const { address, offline } = operation.node;
  const here = useIsNodeInUse(address);
  const { where, onlyPlace } = offline ? OFFLINE : ONLINE;
  const since = operation.ended ?? operation.started;
  const wallets = migratedWallets(result, operation.wallet);
  const made = wallets.filter(
    ({ name }) => newestBackup(operations, name, since, address)?.state === 'done',
  ).length;
  const all = made === wallets.length;
  const leave = () => go({ at: 'wallets' });

  return (
    <WizardFrame
      {...runFrame(operation.kind)}
      at="new-backup"
      heading={say('New backup')}
      onBack={onBack}
      actions={
        all ? undefined : (
          <Button variant="default" onClick={leave}>
            {say('Put off the new backup')}
          </Button>
        )
      }
      next={{ label: say('Finish'), disabled: !all, onNext: leave }}
    >
      <p>{wallets.length === 1 ? where.one : where.each}</p>
      {!here && <OnAnotherNode node={operation.node} />}
      <List look="cards" label={say('Backups to make')}>
        {wallets.map(({ name, title }) => (
          <li key={name}>
            <BackupRow wallet={name} title={title} since={since} node={address} />
          </li>
        ))}
      </List>
      <p role="status" className={styles.count}>
        {say('{made, number} of {all, number} made', { made, all: wallets.length })}
      </p>
      {!all && (
        <Notice tone="read" title={say('If you put it off')}>
          <p>
            {onlyPlace}{' '}
            {say(
              'If that is lost, the backup of the legacy wallet brings back its old addresses at best: what is received on new addresses may be lost. The list of wallets goes on showing that it is missing; “Back up” there makes it at any time.',
            )}
          </p>
        </Notice>
      )}
    </WizardFrame>
  );
}

const ONLINE = {
  where: {
    one: say('Choose where the new backup goes, at best on another disk. The node writes it at once.'),
    each: say(
      'Each wallet needs a backup of its own, at best on another disk. The node writes it as soon as you have chosen where.',
    ),
  },
  onlyPlace: say('The new wallets then exist in one place only, the node’s disk.'),
} as const;

const OFFLINE = {
  where: {
    one: say(
      'Choose where the new backup goes, at best on another disk. The offline engine writes it at once.',
    ),
    each: say(
      'Each wallet needs a backup of its own, at best on another disk. The offline engine writes it as soon as you have chosen where.',
    ),
  },
  onlyPlace: say(
    'The new wallets then exist in one place only, the folder that the offline engine works on.',
  ),
} as const;
