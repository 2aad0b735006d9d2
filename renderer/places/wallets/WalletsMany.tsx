/** From the list of wallets to the migration of several, and back to one that was left. */
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { useApp } from '../../state/appStore.ts';
import { usePlans } from '../../state/plansStore.ts';

interface MigrateSeveralProps {
  node: NodeStatus;
  wallets: readonly Wallet[] | null;
  /** The node does not answer now. */
  lost: boolean;
}

/** Only where there is more than one to migrate. */
export function MigrateSeveral({ node, wallets, lost }: MigrateSeveralProps) {
  const go = useApp((state) => state.go);
  const several = usePlans(({ run }) => run === 'many');
  const legacy = wallets?.filter(({ kind }) => kind === 'legacy') ?? [];
  if (several) {
    return (
      <ActionButton variant="default" onClick={() => go({ at: 'check' })}>
        {say('Show the results')}
      </ActionButton>
    );
  }
  if (legacy.length < 2 || node.release.migrates === 'no') return null;
  return (
    <ActionButton
      variant="default"
      blocked={lost}
      onClick={() =>
        usePlans
          .getState()
          .begin(legacy.map(({ name }) => ({ wanted: 'migrate', source: { by: 'wallet', name } })))
      }
    >
      {say('Migrate several…')}
    </ActionButton>
  );
}
