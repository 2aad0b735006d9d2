/** Migrates several legacy wallets one after another, each with its own checks, passphrase, proof and result. */
import { type ReactNode, useState } from 'react';
import { type NodeStatus, sameNode } from '../../../shared/node.ts';
import { useNode } from '../../state/appStore.ts';
import { useMany } from '../../state/manyStore.ts';
import { MANY_TITLE } from './several/manySteps.ts';
import { Several } from './several/Several.tsx';

interface MigrateManyWizardProps {
  /** What stands in its place until there is a node, under this title. */
  noNode: (title: string) => ReactNode;
}

export function MigrateManyWizard({ noNode }: MigrateManyWizardProps) {
  const node = useNode();
  const queued = useMany(({ queue }) => queue !== null);
  const turn = useMany((state) => state.turn);
  const [shown, setShown] = useState<NodeStatus | null>(node);
  // What was chosen and typed is of one node's wallets. A queue stays on the page whatever becomes of its node.
  const follows = node !== null && (!queued || shown === null || sameNode(node.address, shown.address));
  if (follows && node !== shown) setShown(node);
  if (node === null && !queued) return noNode(MANY_TITLE);
  const { host, port } = shown?.address ?? {};
  return <Several key={`${turn} ${host} ${port}`} node={shown} />;
}
