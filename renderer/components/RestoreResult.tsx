/** What a restore gave: the wallet, its kind, its balance and every warning of the node. */
import type { Operation, OperationResult } from '../../shared/model.ts';
import { FactList } from './FactList.tsx';
import { NodeWarnings } from './NodeWarnings.tsx';
import { Term } from './Term.tsx';
import { WalletName } from './WalletName.tsx';
import { walletBalance } from './walletBalance.ts';

interface RestoreResultProps {
  operation: Operation;
  result: Extract<OperationResult, { kind: 'restore' }>;
}

export function RestoreResult({ operation, result }: RestoreResultProps) {
  return (
    <>
      <FactList
        facts={[
          { label: 'Wallet', value: <WalletName name={result.walletName} /> },
          { label: 'Kind', value: KINDS[result.walletKind] },
          { label: 'Balance', value: walletBalance(result.balance, operation.node.network) },
        ]}
      />
      <NodeWarnings warnings={operation.warnings} />
    </>
  );
}

const KINDS = {
  descriptor: <Term word="descriptor wallet">Descriptor wallet</Term>,
  legacy: <Term word="legacy wallet">Legacy wallet</Term>,
  unknown: 'Not known',
} as const;
