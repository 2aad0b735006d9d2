/** The node in use, on the connect place. */
import { Button } from '@mantine/core';
import { networkName } from '../../../shared/networkName.ts';
import type { NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { ActionButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { FactList } from '../../elements/list/FactList.tsx';
import { NodeWarnings } from '../../elements/NodeWarnings.tsx';
import { Tag } from '../../elements/Tag.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Say } from '../../elements/text/Say.tsx';
import { go, useApp } from '../../state/appStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { AddressText, NodeCard, nodeFacts } from './NodeCard.tsx';

export function ConnectedNode({ node }: { node: NodeStatus }) {
  const disconnect = useApp((state) => state.disconnect);
  const lost = useApp(({ connection }) => connection.state === 'lost');
  const count = useWallets(({ wallets }) => wallets?.length ?? null);
  const { offline, walletsFolder } = node;
  return (
    <section className={layout.card} aria-label={say('Node in use')}>
      <NodeCard
        title={<SafeText text={node.label} />}
        order={2}
        tag={<StandingTag offline={offline} lost={lost} />}
        lead={
          <>
            {networkName(node.network)} ·{' '}
            {offline ? (
              say('Offline engine')
            ) : (
              <Say
                text="Bitcoin Core {release} · {address}"
                values={{ release: node.release.text, address: <AddressText address={node.address} /> }}
              />
            )}
          </>
        }
        buttons={
          <>
            <Button onClick={() => go({ at: 'wallets' })}>{say('Show wallets')}</Button>
            <ActionButton variant="default" onClick={() => void disconnect()}>
              {say('Disconnect')}
            </ActionButton>
          </>
        }
      >
        <FactList
          facts={[
            ...nodeFacts(node, count),
            walletsFolder !== null && {
              label: say('Wallets folder'),
              term: 'wallets folder',
              value: <SafeText text={walletsFolder} mono />,
            },
          ]}
        />
        {!offline && <NodeWarnings warnings={node.warnings} />}
      </NodeCard>
    </section>
  );
}

function StandingTag({ offline, lost }: { offline: boolean; lost: boolean }) {
  if (lost) return <Tag tone="read">{offline ? say('Stopped') : say('Disconnected')}</Tag>;
  return <Tag tone="good">{offline ? say('Running') : say('Connected')}</Tag>;
}
