/** Converts a legacy wallet to descriptor wallets: from the choice of the wallet to its new backup. */
import { useState } from 'react';
import { NoNode } from '../components/NoNode.tsx';
import { useNode } from '../state/appStore.ts';
import { useOperation } from '../state/operationsStore.ts';
import { MigrateForm } from './migrate/MigrateForm.tsx';
import { MigrateRun } from './migrate/MigrateRun.tsx';
import { MIGRATE_TITLE } from './migrate/migrateSteps.ts';
import { passphraseRefused } from './migrate/passphraseRefused.ts';

interface MigrateWizardProps {
  /** The wallet to migrate; the empty string is the unnamed one, null leaves the choice. */
  wallet: string | null;
  /** An operation to show. */
  operation: string | null;
}

export function MigrateWizard({ wallet, operation }: MigrateWizardProps) {
  const node = useNode();
  const shown = useOperation(operation);
  /** The operation that was gone back from: its form is shown instead. */
  const [leftBehind, setLeftBehind] = useState<string | null>(null);
  const refused = shown && passphraseRefused(shown.error) ? shown.error : null;
  if (shown && !refused && shown.id !== leftBehind) {
    return <MigrateRun operation={shown} onBack={() => setLeftBehind(shown.id)} />;
  }
  if (!node) return <NoNode title={MIGRATE_TITLE} />;
  return (
    <MigrateForm
      // What was chosen, typed and found out is of one node's wallet.
      key={JSON.stringify([node.address, wallet, operation])}
      node={node}
      wallet={shown?.wallet ?? wallet}
      startAt={shown ? 'passphrase' : wallet === null ? 'wallet' : 'check'}
      refused={refused}
    />
  );
}
