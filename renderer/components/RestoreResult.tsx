/** What a restore gave: the wallet, its kind, its balance and every warning of the node. */
import type { Operation, OperationResult } from '../../shared/operation.ts';
import { say } from '../../shared/say.ts';
import { walletBalance } from '../words/walletBalance.ts';
import { FactList } from './FactList.tsx';
import { NodeWarnings } from './NodeWarnings.tsx';
import { Term } from './Term.tsx';
import { WalletName } from './WalletName.tsx';

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
      <NodeWarnings warnings={operation.warnings} offline={offline} />
    </>
  );
}

const KINDS = {
  descriptor: <Term word="descriptor wallet">{say('Descriptor wallet')}</Term>,
  legacy: <Term word="legacy wallet">{say('Legacy wallet')}</Term>,
  unknown: say('Not known'),
} as const;
