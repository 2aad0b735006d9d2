/** A node in a box: what it is called, how it stands, where it is, what can be done with it and what is known of it. */
import { Title } from '@mantine/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import type { NodeAddress, NodeStatus } from '../../../shared/model/node.ts';
import { counted } from '../../../shared/wording/format/counted.ts';
import { formatShare } from '../../../shared/wording/format/formatShare.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton } from '../../components/buttons.tsx';
import layout from '../../components/layout.module.css';
import type { Fact } from '../../components/lists.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { SafeText } from '../../components/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import { useAsking } from '../../state/useAsking.ts';

interface NodeCardProps {
  title: string;
  tag?: ReactNode;
  lead: ReactNode;
  /** Without it there is no button to connect. */
  onConnect?: (() => Promise<void>) | undefined;
  isMain?: boolean;
  buttons?: ReactNode;
  children: ReactNode;
}

export function NodeCard({ title, tag, lead, onConnect, isMain, buttons, children }: NodeCardProps) {
  const titleId = useId();
  const connecting = useApp((state) => state.connecting);
  const { busy, error, ask } = useAsking();

  function connect(event: FormEvent) {
    event.preventDefault();
    if (onConnect && !busy && !connecting) void ask(onConnect);
  }

  return (
    <li aria-labelledby={titleId}>
      <form className={layout.apart} onSubmit={connect}>
        <div className={layout.ends}>
          <div className={layout.grows}>
            <div className={layout.line}>
              <Title order={3} id={titleId}>
                <SafeText text={title} />
              </Title>
              {tag}
            </div>
            <div className={layout.small}>{lead}</div>
          </div>
          <div className={layout.row}>
            {onConnect && (
              <ActionButton
                type="submit"
                variant={isMain ? 'filled' : 'default'}
                busy={busy}
                blocked={connecting}
                describedBy={titleId}
              >
                {say('Connect')}
              </ActionButton>
            )}
            {buttons}
          </div>
        </div>
        {children}
        {error && <ErrorNotice error={error} title={say('Not connected')} />}
      </form>
    </li>
  );
}

/** `127.0.0.1:8332`, with `https` where it is used. */
export function addressText({ host, port, tls }: NodeAddress): string {
  return `${tls ? 'https://' : ''}${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** How far a node is, as far as it matters for wallets. `wallets`: how many it has; null where that is not known. */
export function nodeFacts(node: NodeStatus, wallets: number | null): (Fact | false)[] {
  const { offline, blocks, headers, syncProgress, pruned, pruneHeight, blockFilters } = node;
  return [
    !offline && {
      label: say('Chain'),
      value: isBehind(node)
        ? say('Catching up, {percent}, block {block, number} of {blocks, number}', {
            percent: formatShare(syncProgress),
            block: blocks,
            blocks: headers,
          })
        : say('Synced, block {block, number}', { block: blocks }),
    },
    !offline &&
      pruned && {
        label: say('Pruned'),
        term: 'pruned',
        value:
          pruneHeight === null
            ? say('Yes')
            : say('Yes, from block {block, number} on', { block: pruneHeight }),
      },
    !offline &&
      blockFilters !== 'unknown' && {
        label: say('Block filters'),
        term: 'block filters',
        value: { on: say('On'), building: say('Being built'), off: say('Off') }[blockFilters],
      },
    wallets !== null && { label: say('Wallets'), value: counted.wallets(wallets) },
  ];
}

/** Whether the node still has to download blocks: more than the three that it may lack for a moment. */
export function isBehind({ blocks, headers, initialBlockDownload }: NodeStatus): boolean {
  return initialBlockDownload || headers - blocks > 3;
}
