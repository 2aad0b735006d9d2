/** What came of a migration: the proof, the wallets, the copies that remain of the old one, and the way back. */
import type { MigrationResult, Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { Notice } from '../../../elements/Notice.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { OperationOutcome } from '../../result/OperationOutcome.tsx';
import { ProofView } from '../../result/ProofView.tsx';
import { SafetyCopyLines } from '../../result/SafetyCopyLines.tsx';
import { OperationLog } from '../../run/OperationLog.tsx';
import { UndoMigration } from './UndoMigration.tsx';
import { WasAway } from './WasAway.tsx';

interface ProofStepProps {
  operation: Operation;
  result: MigrationResult;
}

export function ProofStep({ operation, result }: ProofStepProps) {
  const { wallet, node, proof, safetyCopy, resumed, state } = operation;
  return (
    <>
      {resumed && <WasAway state={state} />}
      {result.walletName !== wallet && wallet !== '' && (
        <Notice tone="info" title={say('The name is another one than before')}>
          <p>
            <Say
              text="The migration was started for {before}. The wallet that came of it is {now}."
              values={{
                before: <WalletName name={wallet} />,
                now: <WalletName name={result.walletName} />,
              }}
            />
          </p>
        </Notice>
      )}
      {proof ? <ProofView proof={proof} network={node.network} /> : <NoProof />}
      <OperationOutcome operation={operation} />
      {safetyCopy ? (
        <SafetyCopyLines copy={safetyCopy} />
      ) : (
        <p>{say('The app made no copy of its own before this migration.')}</p>
      )}
      <UndoMigration operation={operation} result={result} />
      <Notice tone="read" title={say('A new backup is needed')}>
        <p>
          {say(
            'Backups made before the migration are of the legacy wallet. They do not hold what the new wallets get from now on.',
          )}
        </p>
      </Notice>
      <OperationLog operation={operation} />
    </>
  );
}

function NoProof() {
  return (
    <Notice tone="read" title={say('There is no proof of this migration')}>
      <p>
        {say(
          'The app did not compare the wallet before with the wallets after: an earlier version of it did not do so, or the node could not be asked any more. Look at the balances and addresses yourself, and keep the backup of the legacy wallet.',
        )}
      </p>
    </Notice>
  );
}
