/** The node in use, on the connect place. */
import { Button, Title } from '@mantine/core';
import { networkName } from '../../../shared/networkName.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { Term } from '../../elements/text/Term.tsx';
import { useApp } from '../../state/appStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import styles from './Connect.module.css';
import { AddressText, NodeFact, NodeFacts } from './NodeFacts.tsx';

export function ConnectedNode({ node }: { node: NodeStatus }) {
  const go = useApp((state) => state.go);
  const disconnect = useApp((state) => state.disconnect);
  const lost = useApp(({ connection }) => connection.state === 'lost');
  const count = useWallets(({ wallets }) => wallets?.length ?? null);
  return (
    <section className={styles.card} aria-label={say('Node in use')}>
      <div className={styles.cardHead}>
        <div className={styles.cardTitle}>
          <div className={styles.titleLine}>
            <Title order={2} size="h3">
              <SafeText text={node.label} />
            </Title>
            <StandingTag offline={node.offline} lost={lost} />
          </div>
          <div className={styles.sub}>
            {networkName(node.network)} ·{' '}
            {node.offline ? (
              say('Offline engine')
            ) : (
              <Say
                text="Bitcoin Core {release} · {address}"
                values={{ release: node.release.text, address: <AddressText address={node.address} /> }}
              />
            )}
          </div>
        </div>
        <div className={styles.buttons}>
          <Button onClick={() => go({ at: 'wallets' })}>{say('Show wallets')}</Button>
          <ActionButton variant="default" onClick={() => void disconnect()}>
            {say('Disconnect')}
          </ActionButton>
        </div>
      </div>
      <div className={styles.cardBody}>
        <NodeFacts node={node} wallets={count}>
          {node.walletsFolder !== null && (
            <NodeFact label={<Term word="wallets folder">{say('Wallets folder')}</Term>} wide>
              <SafeText text={node.walletsFolder} mono />
            </NodeFact>
          )}
        </NodeFacts>
        {!node.offline && <NodeWarnings warnings={node.warnings} />}
      </div>
    </section>
  );
}

function StandingTag({ offline, lost }: { offline: boolean; lost: boolean }) {
  if (lost) return <Tag tone="read">{offline ? say('Stopped') : say('Disconnected')}</Tag>;
  return <Tag tone="good">{offline ? say('Running') : say('Connected')}</Tag>;
}
