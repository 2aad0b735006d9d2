/** Brings a backup back: from the choice of the file to the restored wallet, or to one that runs already. */
import { type ReactNode, useState } from 'react';
import { useNode } from '../../state/appStore.ts';
import { useOperation } from '../../state/operationsStore.ts';
import { passphraseRefused } from './migrate/passphraseRefused.ts';
import { RestoreForm } from './restore/RestoreForm.tsx';
import { RestoreRun } from './restore/RestoreRun.tsx';
import { draftOfFile, keptDraft } from './restore/restoreDraft.ts';
import { RESTORE_TITLE } from './restore/restoreSteps.ts';

interface RestoreWizardProps {
  /** What stands in its place until there is a node, under this title. */
  noNode: (title: string) => ReactNode;
  /** A backup to begin with. */
  file: string | null;
  /** An operation to show. A restore and migration is shown by the Migrate wizard; here it is begun anew. */
  operation: string | null;
  /** A name to suggest for the wallet. */
  suggested?: string | null;
  /** The path of a backup on the node's machine to begin with. */
  pathThere?: string | null;
}

export function RestoreWizard({
  noNode,
  file,
  operation,
  suggested = null,
  pathThere = null,
}: RestoreWizardProps) {
  const node = useNode();
  const shown = useOperation(operation);
  /** The operation that was gone back from: its form is shown instead. */
  const [leftBehind, setLeftBehind] = useState<string | null>(null);
  if (shown?.kind === 'restore' && shown.id !== leftBehind) {
    return <RestoreRun operation={shown} onBack={() => setLeftBehind(shown.id)} />;
  }
  if (!node) return noNode(RESTORE_TITLE);
  const draft = keptDraft(operation);
  // After the page was loaded anew, what is left of it is where its safety copy was made from.
  const source = shown?.safetyCopy?.files[0]?.source ?? null;
  return (
    <RestoreForm
      key={JSON.stringify([file, operation, pathThere])}
      node={node}
      file={draft ? null : (file ?? source)}
      pathThere={pathThere}
      draft={draft}
      entered={draft ?? draftOfFile(file)}
      suggested={suggested ?? (shown && !draft ? shown.wallet : null)}
      refused={draft && shown && passphraseRefused(shown.error) ? shown.error : null}
    />
  );
}
