/** What a node is and how far it is, as far as it matters for wallets. */
import type { ReactNode } from 'react';
import type { NodeAddress, NodeStatus } from '../../../shared/node.ts';
import { say } from '../../../shared/text/say.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import { formatShare } from '../../../shared/words/format/formatShare.ts';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { Term } from '../../elements/text/Term.tsx';
import styles from './NodeFacts.module.css';

interface NodeFactsProps {
  node: NodeStatus;
  /** How many wallets lie in its wallets folder; null when that is not known. */
  wallets?: number | null;
  /** Further facts, after the others. */
  children?: ReactNode;
}

export function NodeFacts({ node, wallets, children }: NodeFactsProps) {
  return (
    <dl className={styles.facts}>
      {node.offline ? (
        <NodeFact label={say('Balances')}>{say('As each file last knew')}</NodeFact>
      ) : (
        <ChainFacts node={node} />
      )}
      {wallets !== undefined && (
        <NodeFact label={say('Wallets')}>
          {wallets === null ? say('Not known') : counted.wallets(wallets)}
        </NodeFact>
      )}
      {children}
    </dl>
  );
}

function ChainFacts({ node }: { node: NodeStatus }) {
  return (
    <>
      <NodeFact label={say('Chain')}>{chainText(node)}</NodeFact>
      <NodeFact label={<Term word="pruned">{say('Pruned')}</Term>}>{prunedText(node)}</NodeFact>
      <NodeFact label={<Term word="block filters">{say('Block filters')}</Term>}>
        {FILTERS[node.blockFilters]}
      </NodeFact>
    </>
  );
}

export function NodeFact({
  label,
  wide,
  children,
}: {
  label: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={wide ? styles.wide : undefined}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

/** `127.0.0.1:8332`, with `https` where it is used. */
export function AddressText({ address: { host, port, tls } }: { address: NodeAddress }) {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  return <SafeText text={tls ? `https://${authority}` : authority} mono />;
}

function chainText({ blocks, headers, syncProgress, initialBlockDownload }: NodeStatus): string {
  if (!initialBlockDownload && headers - blocks <= BEHIND)
    return say('Synced, block {block, number}', { block: blocks });
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
