/** A restore at work and how it ended. */
import { Button } from '@mantine/core';
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { useApp, useIsNodeInUse, useNode } from '../../../state/appStore.ts';
import { operationHeading } from '../../../words/operationName.ts';
import { OperationOutcome } from '../../result/OperationOutcome.tsx';
import { OperationLog } from '../../run/OperationLog.tsx';
import { OperationProgress } from '../../run/OperationProgress.tsx';
import { GoesOn } from '../GoesOn.tsx';
import { WizardFrame } from '../WizardFrame.tsx';
import { RESTORE_STEPS, RESTORE_TITLE } from './restoreSteps.ts';

interface RestoreRunProps {
  operation: Operation;
  /** Back to what was entered, after a failure. */
  onBack: () => void;
}

export function RestoreRun({ operation, onBack }: RestoreRunProps) {
  const { state } = operation;
  return (
    <WizardFrame
      title={RESTORE_TITLE}
      steps={RESTORE_STEPS}
      at={state === 'done' ? 'done' : 'running'}
      heading={operationHeading(operation)}
      onBack={state === 'failed' ? onBack : undefined}
      actions={state === 'running' ? undefined : <WaysOn operation={operation} />}
    >
      {state === 'running' && (
        <p>
          <Say text="Wallet: {wallet}" values={{ wallet: <WalletName name={operation.wallet} /> }} />
        </p>
      )}
      <OperationOutcome operation={operation} />
      {state === 'done' ? (
        <OperationLog operation={operation} />
      ) : (
        <OperationProgress operation={operation} />
      )}
      {state === 'running' && <GoesOn />}
    </WizardFrame>
  );
}

function WaysOn({ operation: { result, node } }: { operation: Operation }) {
  const go = useApp((state) => state.go);
  const migrates = (useNode()?.release.migrates ?? 'no') !== 'no';
  const here = useIsNodeInUse(node.address);
  const restored = here && result?.kind === 'restore' ? result : null;
  return (
    <>
      {restored?.walletKind === 'legacy' && migrates && (
        <Button
          variant="default"
          onClick={() => go({ at: 'migrate', wallet: restored.walletName, operation: null })}
        >
          {say('Migrate')}
        </Button>
      )}
      {restored && (
        <Button variant="default" onClick={() => go({ at: 'backup', wallet: restored.walletName })}>
          {say('Back up')}
        </Button>
      )}
      <Button onClick={() => go({ at: 'wallets' })}>{say('To the wallets')}</Button>
    </>
  );
}
