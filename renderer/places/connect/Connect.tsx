/** The connect place: the nodes of this computer, work without one, the ones remembered, and any other by hand. */
import { Button } from '@mantine/core';
import { useCallback, useEffect, useState } from 'react';
import type { NodeAddress } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { useApp, useNode } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { ConnectByHand } from './ConnectByHand.tsx';
import { ConnectedNode } from './ConnectedNode.tsx';
import { ConnectFound } from './ConnectFound.tsx';
import { ConnectRemembered } from './ConnectRemembered.tsx';
import { WorkOffline } from './WorkOffline.tsx';

export function Connect() {
  const node = useNode();
  const showHelp = useApp((state) => state.showHelp);
  const look = useNodes((state) => state.look);
  const recall = useNodes((state) => state.recall);
  /** The address of a node that was found but whose login is not known. */
  const [given, setGiven] = useState<NodeAddress | null>(null);
  const byHand = useCallback((address: NodeAddress) => setGiven({ ...address }), []);

  const nothingFound = useNodes((state) => state.found?.length === 0);
  // With keys, what was chosen in them stays when they change places.
  const found = <ConnectFound key="found" onByHand={byHand} />;
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
          <Button variant="default" onClick={() => showHelp(true)}>
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
