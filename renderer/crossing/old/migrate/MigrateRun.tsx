/** A migration at work, how it ended, its proof, and the new backup that belongs to it. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { useApp } from '../../../state/appStore.ts';
import { operationHeading } from '../../../words/operationName.ts';
import { OperationOutcome } from '../../result/OperationOutcome.tsx';
import { SafetyCopyLines } from '../../result/SafetyCopyLines.tsx';
import { OperationProgress } from '../../run/OperationProgress.tsx';
import { GoesOn } from '../GoesOn.tsx';
import { WizardFrame } from '../WizardFrame.tsx';
import { runFrame } from './migrateSteps.ts';
import { NewBackupStep } from './NewBackupStep.tsx';
import { ProofStep } from './ProofStep.tsx';
import { WasAway } from './WasAway.tsx';

interface MigrateRunProps {
  operation: Operation;
  /** To the form, after a failure. */
  onAgain: () => void;
}

export function MigrateRun({ operation, onAgain }: MigrateRunProps) {
  const go = useApp((state) => state.go);
  const [backingUp, setBackingUp] = useState(false);
  const { state, result, wallet, kind, safetyCopy } = operation;
  const frame = runFrame(kind);

  if (state === 'done' && result?.kind === 'migrate') {
    if (backingUp) {
      return <NewBackupStep operation={operation} result={result} onBack={() => setBackingUp(false)} />;
    }
    return (
      <WizardFrame
        {...frame}
        at="proof"
        heading={operationHeading(operation)}
        next={{ label: say('Make a new backup'), onNext: () => setBackingUp(true) }}
      >
        <ProofStep operation={operation} result={result} />
      </WizardFrame>
    );
  }
  return (
    <WizardFrame
      {...frame}
      at="running"
      heading={operationHeading(operation)}
      actions={
        state === 'running' ? undefined : (
          <>
            {state === 'failed' && (
              <Button variant="default" onClick={onAgain}>
                {say('Try again')}
              </Button>
            )}
            <Button onClick={() => go({ at: 'wallets' })}>{say('To the wallets')}</Button>
          </>
        )
      }
    >
      <p>
        <Say text="Wallet: {wallet}" values={{ wallet: <WalletName name={wallet} /> }} />
      </p>
      {operation.resumed && <WasAway state={state} />}
      <OperationOutcome operation={operation} />
      <OperationProgress operation={operation} />
      {safetyCopy && <SafetyCopyLines copy={safetyCopy} />}
      {state === 'running' && <GoesOn />}
    </WizardFrame>
  );
}
