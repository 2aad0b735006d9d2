/** From the list of wallets to the migration of several, and back to one that was left. */
import { Button } from '@mantine/core';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import type { Wallet } from '../../../shared/wallet.ts';
import { countWords } from '../../crossing/old/several/queueWords.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { useApp } from '../../state/appStore.ts';
import { isOver } from '../../state/manyQueue.ts';
import { useMany } from '../../state/manyStore.ts';
import { useOperations } from '../../state/operationsStore.ts';
import styles from './Wallets.module.css';

interface MigrateSeveralProps {
  node: NodeStatus;
  wallets: readonly Wallet[] | null;
  /** The node does not answer now. */
  lost: boolean;
}

/** Only where there is more than one to migrate. */
export function MigrateSeveral({ node, wallets, lost }: MigrateSeveralProps) {
  const go = useApp((state) => state.go);
  const legacy = wallets?.filter(({ kind }) => kind === 'legacy') ?? [];
  if (legacy.length < 2 || node.release.migrates === 'no') return null;
  return (
    <ActionButton
      variant="default"
      blocked={lost}
      onClick={() => {
        useMany.getState().putAway();
        go({ at: 'migrate-many' });
      }}
    >
      {say('Migrate several…')}
    </ActionButton>
  );
}

/** What became of the queue, until it is put away. */
export function LastQueue() {
  const go = useApp((state) => state.go);
  const queue = useMany((state) => state.queue);
  const operations = useOperations((state) => state.operations);
  if (queue === null) return null;
  const over = isOver(queue, operations);
  return (
    <section className={styles.queue} aria-label={say('Migration of several wallets')}>
      <span className={styles.queueWords}>
        {say('Migration of several wallets: {results}', { results: countWords(queue, operations) })}
      </span>
      <Button size="compact-sm" variant="default" onClick={() => go({ at: 'migrate-many' })}>
        {over ? say('Show the results') : say('Show')}
      </Button>
      {over && (
        <Button size="compact-sm" variant="subtle" onClick={() => useMany.getState().putAway()}>
          {say('Hide')}
        </Button>
      )}
    </section>
  );
}
