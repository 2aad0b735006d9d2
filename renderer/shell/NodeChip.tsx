/** The node in the sidebar: its state, and a popover that connects and disconnects. */
import { Button, Group, Popover } from '@mantine/core';
import { IconCircle, IconCircleFilled, type TablerIcon } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { type Connection, type FoundNode, isSameAddress, mayConnect } from '../../shared/model/node.ts';
import { networkName } from '../../shared/wording/format/names.ts';
import { say } from '../../shared/wording/say.ts';
import type { Verdict } from '../../shared/wording/verdictWords.ts';
import { AskingButton, SmallButton } from '../components/buttons.tsx';
import { NodeLine, Quiet } from '../components/texts.tsx';
import { connect, disconnect, go, useApp, useNode } from '../state/appStore.ts';
import { findNodes, useNodes } from '../state/nodesStore.ts';

export function NodeChip() {
  const [open, setOpen] = useState(false);
  const connection = useApp((state) => state.connection);
  const { tone, Icon } = lookOf(connection);
  const [what, where] = chipWords(connection);
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="top-start"
      shadow="md"
      width="min(340px, 90vw)"
      trapFocus
    >
      <Popover.Target>
        <Button
          variant="default"
          size="xs"
          radius="xl"
          justify="flex-start"
          ta="start"
          fw={500}
          data-tone={tone}
          leftSection={<Icon size={12} stroke={3} color="var(--tone-text)" aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          {/* The network takes a line of its own where both do not fit. */}
          <Group component="span" gap="0 6px">
            <span>{what}</span> <span className="dim">{where}</span>
          </Group>
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Node onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Green only for a node: the offline engine is none. */
function lookOf(connection: Connection): { tone: Verdict['tone']; Icon: TablerIcon } {
  if (connection.state === 'connected' && !connection.node.offline)
    return { tone: 'good', Icon: IconCircleFilled };
  const waits = connection.state === 'starting' || connection.state === 'lost';
  return { tone: waits ? 'read' : 'plain', Icon: IconCircle };
}

/** What the app is connected to, and its network. */
function chipWords(connection: Connection): [what: string, where?: string] {
  if (!('node' in connection))
    return [connection.state === 'starting' ? say('Node is starting') : say('No node')];
  const { node, state } = connection;
  if (state === 'lost' && node.offline) return [say('Offline engine stopped')];
  const where = networkName(node.network);
  if (state === 'lost') return [say('Disconnected'), where];
  return [
    node.offline ? say('No node') : say('Bitcoin Core {release}', { release: node.release.text }),
    where,
  ];
}

function Node({ onDone }: { onDone: () => void }) {
  const isConnected = useApp(({ connection }) => connection.state !== 'none');
  const node = useNode();
  const { found, looking } = useNodes();
  useEffect(() => void findNodes(), []);
  return (
    <div className="stack">
      {node && (
        <p className="name">
          <NodeLine node={{ ...node, release: node.release.text }} />
        </p>
      )}
      {!isConnected && <Quiet>{say('Files can still be inspected, migrated, exported.')}</Quiet>}
      {/* As tall as one node, so that the buttons below do not move when the search ends. Beside the node in use, few have one. */}
      <div className="stack" style={{ minHeight: node ? 0 : 26 }}>
        {found?.map((one) => (
          <FoundNodeButton key={one.id} found={one} onDone={onDone} />
        ))}
        {found === null && looking && <Quiet small>{say('Searching for nodes…')}</Quiet>}
        {!node && found?.every(({ state }) => state.state === 'failed' && state.walletsFolder) && (
          <Quiet small>{say('No node found on this computer')}</Quiet>
        )}
      </div>
      <div className="row">
        {isConnected && (
          <SmallButton
            onClick={() => {
              void disconnect();
              onDone();
            }}
          >
            {say('Disconnect')}
          </SmallButton>
        )}
        <SmallButton
          onClick={() => {
            go({ at: 'connect' });
            onDone();
          }}
        >
          {say('All connections…')}
        </SmallButton>
      </div>
    </div>
  );
}

function FoundNodeButton({ found, onDone }: { found: FoundNode; onDone: () => void }) {
  const { id, network, address } = found;
  const connecting = useApp((state) => state.connecting);
  const node = useNode();
  const isInUse = node !== null && isSameAddress(node.address, address);
  if (!mayConnect(found) || isInUse) return null;
  return (
    <AskingButton
      blocked={connecting}
      call={() => connect({ by: 'found', id }).then(onDone)}
      failed={say('Not connected')}
    >
      {say('Connect to {where}, port {port}', { where: networkName(network), port: String(address.port) })}
    </AskingButton>
  );
}
