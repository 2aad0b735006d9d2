/** The node in use: its state, and in a popover what connects and disconnects it. */
import { Popover } from '@mantine/core';
import { useEffect, useState } from 'react';
import type { Connection, FoundNode } from '../../shared/model/node.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { say } from '../../shared/wording/say.ts';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import { SmallButton } from '../components/input/ActionButton.tsx';
import layout from '../components/layout.module.css';
import { Quiet, SafeText } from '../components/text/texts.tsx';
import { go, useApp, useIsNodeInUse, useNode } from '../state/appStore.ts';
import { useNodes } from '../state/nodesStore.ts';
import { useAsking } from '../state/useAsking.ts';
import styles from './NodeChip.module.css';

export function NodeChip() {
  const [open, setOpen] = useState(false);
  const connection = useApp((state) => state.connection);
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
        <button
          type="button"
          className={styles.chip}
          data-state={connection.state}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <span className={styles.dot} aria-hidden />
          <span className={styles.text}>
            <SafeText text={chipText(connection)} />
          </span>
        </button>
      </Popover.Target>
      <Popover.Dropdown>
        <Node onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** `Bitcoin Core 31.0 · Main`. */
function chipText(connection: Connection): string {
  if (!('node' in connection))
    return connection.state === 'starting' ? say('Node is starting') : say('No node');
  const { node, state } = connection;
  const where = networkName(node.network);
  if (node.offline)
    return state === 'lost' ? say('Offline engine stopped') : say('No node · {where}', { where });
  return state === 'lost'
    ? say('Disconnected · {where}', { where })
    : say('Bitcoin Core {release} · {where}', { release: node.release.text, where });
}

function Node({ onDone }: { onDone: () => void }) {
  const connection = useApp((state) => state.connection);
  const node = useNode();
  const { found, looking, look } = useNodes();
  useEffect(() => void look(), [look]);
  return (
    <div className={layout.stack}>
      {node && (
        <>
          <p className={layout.name}>
            <SafeText text={node.offline ? say('Offline engine') : node.label} />
          </p>
          <Quiet small>
            {node.offline
              ? say('Runs in Wallet Ferry. It has no blocks.')
              : `${node.address.host}:${node.address.port}`}
          </Quiet>
        </>
      )}
      {connection.state === 'none' && (
        <Quiet>{say('Without a node you can inspect, migrate and export files.')}</Quiet>
      )}
      {(found ?? []).map((one) => (
        <FoundLine key={one.id} found={one} onDone={onDone} />
      ))}
      {found === null && looking && <Quiet small>{say('Searching for nodes…')}</Quiet>}
      <div className={layout.row}>
        {connection.state !== 'none' && (
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

function FoundLine({ found, onDone }: { found: FoundNode; onDone: () => void }) {
  const { state, id, network, address } = found;
  const connect = useApp((state) => state.connect);
  const connecting = useApp((state) => state.connecting);
  const isInUse = useIsNodeInUse(address);
  const { busy, error, ask } = useAsking();
  if (state.state === 'failed' || isInUse) return null;
  const name =
    state.state === 'ready'
      ? say('Bitcoin Core {release} · {where}', {
          release: state.node.release.text,
          where: networkName(network),
        })
      : networkName(network);
  async function reach() {
    await connect({ by: 'found', id });
    onDone();
  }
  return (
    <>
      <div className={layout.ends}>
        <span>
          {name} <span className={layout.small}>:{address.port}</span>
        </span>
        <SmallButton busy={busy} blocked={connecting} onClick={() => void ask(reach)}>
          {say('Connect')}
        </SmallButton>
      </div>
      {error && <ErrorNotice error={error} title={say('Not connected')} />}
    </>
  );
}
