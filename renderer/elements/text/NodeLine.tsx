/** Which node it is, in a line. */
import type { Network } from '../../../shared/network.ts';
import { networkName } from '../../../shared/networkName.ts';
import { SafeText } from './SafeText.tsx';
import { Say } from './Say.tsx';

interface NodeLineProps {
  node: { label: string; network: Network };
  /** "28.1" */
  release: string;
}

export function NodeLine({ node: { label, network }, release }: NodeLineProps) {
  return (
    <Say
      text="{node}, {network}, release {release}"
      values={{ node: <SafeText text={label} />, network: networkName(network), release }}
    />
  );
}
