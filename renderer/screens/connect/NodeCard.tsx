/** A node in a box: what it is called, how it stands, where it is, what can be done with it and what is known of it. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { NodeAddress, NodeStatus } from '../../../shared/model/node.ts';
import { counted } from '../../../shared/wording/format/counted.ts';
import { formatShare } from '../../../shared/wording/format/formatShare.ts';
import { say } from '../../../shared/wording/say.ts';
import layout from '../../components/layout.module.css';
import type { Fact } from '../../components/list/FactList.tsx';
import { SafeText } from '../../components/text/texts.tsx';

interface NodeCardProps {
  title: ReactNode;
  /** Of the title, for what names itself after it. */
  titleId?: string;
  /** The level of the title. */
  order?: 2 | 3;
  tag?: ReactNode;
  /** One line under the title. */
  lead: ReactNode;
  buttons: ReactNode;
  children: ReactNode;
}

export function NodeCard({ title, titleId, order = 3, tag, lead, buttons, children }: NodeCardProps) {
  return (
    <div className={layout.apart}>
      <div className={layout.ends}>
        <div className={layout.grows}>
          <div className={layout.line}>
            <Title order={order} size="h3" id={titleId}>
              {title}
            </Title>
            {tag}
          </div>
          <div className={layout.small}>{lead}</div>
        </div>
        <div className={layout.row}>{buttons}</div>
      </div>
      {children}
    </div>
  );
}

/** `127.0.0.1:8332`, with `https` where it is used. */
export function AddressText({ address: { host, port, tls } }: { address: NodeAddress }) {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return <SafeText text={tls ? `https://${authority}` : authority} mono />;
}

/** How far a node is, as far as it matters for wallets. `wallets`: how many it has; null where that is not known. */
export function nodeFacts(node: NodeStatus, wallets: number | null): Fact[] {
  const held = {
    label: say('Wallets'),
    value: wallets === null ? say('Not known') : counted.wallets(wallets),
  };
  if (node.offline) return [{ label: say('Balances'), value: say('As last known') }, held];
  return [
    { label: say('Chain'), value: chainText(node) },
    { label: say('Pruned'), term: 'pruned', value: prunedText(node) },
    { label: say('Block filters'), term: 'block filters', value: FILTERS[node.blockFilters] },
    held,
  ];
}

/** Whether the node still has to download blocks. */
export function isBehind({ blocks, headers, initialBlockDownload }: NodeStatus): boolean {
  return initialBlockDownload || headers - blocks > BEHIND;
}

function chainText(node: NodeStatus): string {
  const { blocks, headers, syncProgress } = node;
  if (!isBehind(node)) return say('Synced, block {block, number}', { block: blocks });
  return say('Catching up, {percent}, block {block, number} of {blocks, number}', {
    percent: formatShare(syncProgress),
    block: blocks,
    blocks: headers,
  });
}

function prunedText({ pruned, pruneHeight }: NodeStatus): string {
  if (!pruned) return say('No');
  return pruneHeight === null
    ? say('Yes')
    : say('Yes, from block {block, number} on', { block: pruneHeight });
}

/** Blocks that a node may lack for a moment without being behind. */
const BEHIND = 3;

const FILTERS: Readonly<Record<NodeStatus['blockFilters'], string>> = {
  on: say('On'),
  building: say('Being built'),
  off: say('Off'),
  unknown: say('Not known'),
};
