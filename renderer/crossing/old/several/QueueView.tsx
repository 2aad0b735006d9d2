/** The queue at work, and what came of each wallet. */
import type { Operation } from '../../../../shared/operation.ts';
import { say } from '../../../../shared/text/say.ts';
import { PagedList } from '../../../elements/list/PagedList.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { useApp } from '../../../state/appStore.ts';
import { hasWaiting, type NotBegun, type Queue, type QueueItem } from '../../../state/manyQueue.ts';
import { useMany } from '../../../state/manyStore.ts';
import { useOperations } from '../../../state/operationsStore.ts';
import { OperationProgress } from '../../run/OperationProgress.tsx';
import styles from './Many.module.css';
import { QueueRow } from './QueueRow.tsx';
import { countWords, restWords } from './queueWords.ts';

interface QueueViewProps {
  queue: Queue;
  over: boolean;
}

export function QueueView({ queue, over }: QueueViewProps) {
  const operations = useOperations((state) => state.operations);
  const held = useMany((state) => state.held);
  const lost = useApp(({ connection }) => connection.state !== 'connected');
  const operationOf = ({ standing }: QueueItem): Operation | null =>
    standing.state === 'begun' ? (operations.find(({ id }) => id === standing.operation) ?? null) : null;
  const current = queue.items.find((item) => operationOf(item)?.state === 'running');
  const running = current && operationOf(current);
  const starting = queue.items.some(({ standing }) => standing.state === 'starting');
  const made = queue.items.filter((item) => operationOf(item)?.state === 'done').length;
  return (
    <>
      <p role="status" className={styles.standing}>
        {over ? restWords(queue, operations) : countWords(queue, operations)}
      </p>
      <WhyNotBegun queue={queue} />
      {!over && !running && !starting && (held || lost) && (
        <Notice tone="read" title={say('The queue waits for the node')} role="status">
          <p>
            {say(
              'The node does not answer. As soon as the same node does, the next wallet is begun. Nothing was sent for those that wait.',
            )}
          </p>
        </Notice>
      )}
      {over && made > 0 && (
        <Notice
          tone="read"
          title={made === 1 ? say('A new backup is needed') : say('New backups are needed')}
        >
          <p>
            {say(
              'Backups made before the migration are of the legacy wallets. They do not hold what the new wallets get from now on. Make the new backups with the button beside each wallet.',
            )}
          </p>
        </Notice>
      )}
      {running && (
        <section className={styles.now} aria-label={say('Migrating now')}>
          <h3 className={styles.nowName}>
            <Say text="Now: {wallet}" values={{ wallet: <WalletName name={running.wallet} /> }} />
          </h3>
          <OperationProgress operation={running} />
        </section>
      )}
      <PagedList
        look="boxed"
        label={say('Wallets of this queue')}
        items={queue.items}
        keyOf={({ wallet }) => wallet}
        row={(item) => <QueueRow item={item} operation={operationOf(item)} over={over} />}
      />
      {!over && <WhatLeavingDoes queue={queue} />}
    </>
  );
}

function WhyNotBegun({ queue: { items, node } }: { queue: Queue }) {
  const has = (why: NotBegun) =>
    items.some(({ standing }) => standing.state === 'not-begun' && standing.why === why);
  if (has('other-node')) {
    return (
      <Notice tone="read" title={say('The queue was stopped: the app is with another node')} role="status">
        <p>
          {say(
            'It was begun on {node} and goes on with no other node. Nothing was sent for the wallets that waited.',
            { node: node.label },
          )}
        </p>
      </Notice>
    );
  }
  if (has('left')) {
    return (
      <Notice tone="read" title={say('The queue was stopped when this page was left')}>
        <p>{say('Nothing was sent for the wallets that waited. Their passphrases were in the page only.')}</p>
      </Notice>
    );
  }
  return null;
}

function WhatLeavingDoes({ queue }: { queue: Queue }) {
  return (
    <p className={styles.quiet}>
      {hasWaiting(queue)
        ? say(
            'Stay on this page: if you leave it, the wallet that runs goes on, and those that wait are not begun.',
          )
        : say('This goes on when you leave this page; the bar at the top leads back here.')}{' '}
      {queue.node.offline
        ? say(
            'If the app is closed, the offline engine ends with it, and the wallet that runs stays as it was.',
          )
        : say(
            'If the app is closed, the node goes on with the wallet that runs, and the app finds out what came of it when it is started again.',
          )}
    </p>
  );
}
