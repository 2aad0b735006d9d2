/** A migration at work, how it ended, and the new backup that belongs to it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Operation, OperationResult } from '../../../shared/model.ts';
import { Notice } from '../../components/Notice.tsx';
import { OperationLog } from '../../components/OperationLog.tsx';
import { OperationOutcome } from '../../components/OperationOutcome.tsx';
import { OperationProgress } from '../../components/OperationProgress.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { WizardFrame } from '../../components/WizardFrame.tsx';
import { useApp } from '../../state/appStore.ts';
import { operationHeading } from '../../words/operationName.ts';
import { GoesOn } from '../GoesOn.tsx';
import { MIGRATE_STEPS, MIGRATE_TITLE } from './migrateSteps.ts';
import { NewBackupStep } from './NewBackupStep.tsx';

interface MigrateRunProps {
  operation: Operation;
  /** Back to what was entered, after a failure. */
  onBack: () => void;
}

export function MigrateRun({ operation, onBack }: MigrateRunProps) {
  const go = useApp((state) => state.go);
  const [backingUp, setBackingUp] = useState(false);
  const { state, result, wallet } = operation;
  const frame = { title: MIGRATE_TITLE, steps: MIGRATE_STEPS };

  if (state === 'done' && result?.kind === 'migrate') {
    if (backingUp) {
      return <NewBackupStep operation={operation} result={result} onBack={() => setBackingUp(false)} />;
    }
    return (
      <WizardFrame
        {...frame}
        at="done"
        heading={operationHeading(operation)}
        next={{ label: 'Make a new backup', onNext: () => setBackingUp(true) }}
      >
        <Done operation={operation} result={result} />
      </WizardFrame>
    );
  }
  return (
    <WizardFrame
      {...frame}
      at="running"
      heading={operationHeading(operation)}
      onBack={state === 'failed' ? onBack : undefined}
      actions={
        state === 'running' ? undefined : (
          <Button onClick={() => go({ at: 'wallets' })}>To the wallets</Button>
        )
      }
    >
      <p>
        Wallet: <WalletName name={wallet} />
      </p>
      <OperationOutcome operation={operation} />
      <OperationProgress operation={operation} />
      {state === 'running' && <GoesOn />}
    </WizardFrame>
  );
}

interface DoneProps {
  operation: Operation;
  result: Extract<OperationResult, { kind: 'migrate' }>;
}

function Done({ operation, result }: DoneProps) {
  return (
    <>
      {result.walletName !== operation.wallet && operation.wallet !== '' && (
        <Notice tone="info" title="The name is another one than before">
          <p>
            The migration was started for <WalletName name={operation.wallet} />. The wallet that came of it
            is <WalletName name={result.walletName} />.
          </p>
        </Notice>
      )}
      <OperationOutcome operation={operation} />
      <Notice tone="read" title="A new backup is needed">
        <p>
          Backups made before the migration are of the legacy wallet. They do not hold what the new wallets
          get from now on.
        </p>
      </Notice>
      <OperationLog operation={operation} />
    </>
  );
}
