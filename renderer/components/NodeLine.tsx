/** Which node it is, in a line. */
import type { Network } from '../../shared/model.ts';
import { networkName } from '../words/networkName.ts';
import { SafeText } from './SafeText.tsx';

interface NodeLineProps {
  node: { label: string; network: Network };
  /** "28.1" */
  release: string;
}

export function NodeLine({ node: { label, network }, release }: NodeLineProps) {
  return (
    <>
      <SafeText text={label} />, {networkName(network)}, release {release}
    </>
  );
}
