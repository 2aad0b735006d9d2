/** The connect place: the nodes of this computer, work without one, the ones remembered, and any other by hand. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { NodeAddress, NodeStatus } from '../../../shared/model/node.ts';
import { networkName } from '../../../shared/wording/format/networkName.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/input/ActionButton.tsx';
import layout from '../../components/layout.module.css';
import { FactList } from '../../components/list/FactList.tsx';
import { NodeWarnings } from '../../components/NodeWarnings.tsx';
import { PageHeading } from '../../components/PageHeading.tsx';
import { Tag } from '../../components/Tag.tsx';
import { SafeText, Say } from '../../components/text/texts.tsx';
import { go, useApp, useNode } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { useWallets } from '../../state/walletsStore.ts';
import { ConnectByHand } from './ConnectByHand.tsx';
import { ConnectFound } from './ConnectFound.tsx';
import { ConnectRemembered } from './ConnectRemembered.tsx';
import { AddressText, NodeCard, nodeFacts } from './NodeCard.tsx';
import { WorkOffline } from './WorkOffline.tsx';

export function Connect() {
  const node = useNode();
  const { look, recall } = useNodes.getState();
  /** The address of a node that was found but whose login is not known. */
  const [given, setGiven] = useState<NodeAddress | null>(null);
  const nothingFound = useNodes((state) => state.found?.length === 0);
  // With keys, what was chosen in them stays when they change places.
  const found = <ConnectFound key="found" onByHand={(address) => setGiven({ ...address })} />;
  const offline = <WorkOffline key="offline" />;

  useEffect(() => {
    void look();
    void recall();
  }, [look, recall]);

  return (
    <>
      <PageHeading
        title={say('Connect to a node')}
        actions={
          <Button variant="default" onClick={() => useApp.getState().showHelp(true)}>
            {say('I found an old wallet.dat')}
          </Button>
        }
      >
        {say('Choose the node that has the wallet, or is to have it.')}
      </PageHeading>
      {node && <ConnectedNode node={node} />}
      {nothingFound ? [offline, found] : [found, offline]}
      <ConnectRemembered />
      <ConnectByHand key={given ? JSON.stringify(given) : 'empty'} given={given} />
    </>
  );
}

/** The node in use. */
function ConnectedNode({ node }: { node: NodeStatus }) {
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
            <ActionButton variant="default" onClick={() => void useApp.getState().disconnect()}>
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
