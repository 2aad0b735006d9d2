/** Converts a legacy wallet to descriptor wallets: from the choice of the wallet to its new backup. */
import { type ReactNode, useState } from 'react';
import type { Operation } from '../../../shared/operation.ts';
import { useApp, useNode } from '../../state/appStore.ts';
import { useOperation } from '../../state/operationsStore.ts';
import { MigrateForm } from './migrate/MigrateForm.tsx';
import { MigrateRun } from './migrate/MigrateRun.tsx';
import { MIGRATE_TITLE } from './migrate/migrateSteps.ts';
import { passphraseRefused } from './migrate/passphraseRefused.ts';
import { RestoreWizard } from './RestoreWizard.tsx';
import { keptDraft } from './restore/restoreDraft.ts';

interface MigrateWizardProps {
  /** What stands in its place until there is a node, under this title. */
  noNode: (title: string) => ReactNode;
  /** The wallet to migrate; the empty string is the unnamed one, null leaves the choice. */
  wallet: string | null;
  /** An operation to show. */
  operation: string | null;
  /** It was begun just now, in this wizard: a refused passphrase can be given anew at once. */
  begunHere: boolean;
}

export function MigrateWizard({ noNode, wallet, operation, begunHere }: MigrateWizardProps) {
  const go = useApp((state) => state.go);
  const node = useNode();
  const shown = useOperation(operation);
  /** The operation that was gone back from: its form is shown instead. */
  const [leftBehind, setLeftBehind] = useState<string | null>(null);
  const refused = begunHere && shown && passphraseRefused(shown.error) ? shown.error : null;
  // The Restore wizard began it, and still has what was entered.
  if (refused && keptDraft(operation))
    return <RestoreWizard noNode={noNode} file={null} operation={operation} />;
  if (shown && !refused && shown.id !== leftBehind) {
    return <MigrateRun operation={shown} onAgain={() => again(shown)} />;
  }
  if (!node) return noNode(MIGRATE_TITLE);

  function again({ id, kind }: Operation) {
    // One that began with a backup goes on where that is chosen.
    if (kind === 'migrate' || (begunHere && !keptDraft(id))) return setLeftBehind(id);
    go({ at: 'restore', file: null, operation: id });
  }

  return (
    <MigrateForm
      // What was chosen, typed and found out is of one node's wallet.
      key={JSON.stringify([node.address, wallet, operation])}
      node={node}
      wallet={wallet}
      startAt={refused ? 'passphrase' : wallet === null ? 'wallet' : 'check'}
      refused={refused}
      safelyAs={shown?.kind === 'restore-migrate' ? shown.wallet : null}
    />
  );
}
