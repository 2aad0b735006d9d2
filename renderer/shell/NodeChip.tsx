/** The node in use: its state, and in a popover what connects and disconnects it. */
import { Button, Popover } from '@mantine/core';
import { IconCircle, IconCircleFilled } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Connection, FoundNode } from '../../shared/model/node.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { say } from '../../shared/wording/say.ts';
import { SmallButton } from '../components/buttons.tsx';
import layout from '../components/layout.module.css';
import { ErrorNotice } from '../components/notices.tsx';
import { Quiet, SafeText } from '../components/texts.tsx';
import { go, useApp, useIsNodeInUse, useNode } from '../state/appStore.ts';
import { useNodes } from '../state/nodesStore.ts';
import { useAsking } from '../state/useAsking.ts';

export function NodeChip() {
  const [open, setOpen] = useState(false);
  const connection = useApp((state) => state.connection);
  const { tone, Icon } = STATES[connection.state];
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
          data-tone={tone}
          leftSection={<Icon size={12} stroke={3} color="var(--tone-text)" aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          {chipText(connection)}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Node onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

const STATES = {
  connected: { tone: 'good', Icon: IconCircleFilled },
  starting: { tone: 'read', Icon: IconCircle },
  lost: { tone: 'read', Icon: IconCircle },
  none: { tone: 'plain', Icon: IconCircle },
} as const;

function chipText(connection: Connection): string {
  if (!('node' in connection))
    return connection.state === 'starting' ? say('Node is starting') : say('No node');
  const { node, state } = connection;
  const where = networkName(node.network);
  if (state === 'lost')
    return node.offline ? say('Offline engine stopped') : say('Disconnected · {where}', { where });
  return node.offline
    ? say('No node · {where}', { where })
    : say('Bitcoin Core {release} · {where}', { release: node.release.text, where });
}

function Node({ onDone }: { onDone: () => void }) {
  const isConnected = useApp(({ connection }) => connection.state !== 'none');
  const node = useNode();
  const { found, looking, look } = useNodes();
  useEffect(() => void look(), [look]);
  return (
    <div className={layout.stack}>
      {node && (
        <p className={layout.name}>
          <SafeText text={node.label} />
        </p>
      )}
      {!isConnected && <Quiet>{say('Without a node you can inspect, migrate and export files.')}</Quiet>}
      {found?.map((one) => (
        <FoundNodeButton key={one.id} found={one} onDone={onDone} />
      ))}
      {found === null && looking && <Quiet small>{say('Searching for nodes…')}</Quiet>}
      <div className={layout.row}>
        {isConnected && (
          <SmallButton
            onClick={() => {
              void useApp.getState().disconnect();
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
  const { state, id, network, address } = found;
  const connecting = useApp((state) => state.connecting);
  const isInUse = useIsNodeInUse(address);
  const { busy, error, ask } = useAsking();
  if (state.state === 'failed' || isInUse) return null;
  return (
    <>
      <SmallButton
        busy={busy}
        blocked={connecting}
        onClick={() => void ask(() => useApp.getState().connect({ by: 'found', id }).then(onDone))}
      >
        {say('Connect to {where}, port {port}', { where: networkName(network), port: String(address.port) })}
      </SmallButton>
      {error && <ErrorNotice error={error} title={say('Not connected')} />}
    </>
  );
}
