/** What a restore gave: the wallet, its kind, its balance and every warning of the node. */
import type { BackupAfter, Operation, OperationResult } from '../../../shared/operation.ts';
import { say } from '../../../shared/text/say.ts';
import { FactList } from '../../elements/list/FactList.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
import { walletBalance } from '../../words/walletBalance.ts';

interface RestoreResultProps {
  operation: Operation;
  result: Extract<OperationResult, { kind: 'restore' }>;
}

export function RestoreResult({ operation, result }: RestoreResultProps) {
  const { network, offline } = operation.node;
  return (
    <>
      <FactList
        facts={[
          { label: say('Wallet'), value: <WalletName name={result.walletName} /> },
          { label: say('Kind'), value: KINDS[result.walletKind] },
          { label: say('Balance'), value: walletBalance(result.balance, network, offline) },
        ]}
      />
      {result.backupAfter && (
        <Notice tone="read" title={AFTER[result.backupAfter]}>
          <p>
            {say(
              'The node opens the backup by itself, so what it restored may be another wallet than the one that was shown. Compare its balance and addresses with what you expect before you use it. If you do not know what changed the file, find out who may write to it.',
            )}
          </p>
        </Notice>
      )}
      <NodeWarnings warnings={operation.warnings} offline={offline} />
    </>
  );
}

const AFTER: Readonly<Record<BackupAfter, string>> = {
  changed: say('The backup file was changed while the node restored it'),
  touched: say('The backup file was written to or replaced while the node restored it'),
  unreadable: say('The backup file could not be read again after the node restored it'),
};

const KINDS = {
  descriptor: <Term word="descriptor wallet">{say('Descriptor wallet')}</Term>,
  legacy: <Term word="legacy wallet">{say('Legacy wallet')}</Term>,
  unknown: say('Not known'),
} as const;
