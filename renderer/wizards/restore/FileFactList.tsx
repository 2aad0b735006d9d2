/** What the app sees of a chosen file. */
import type { FileFacts } from '../../../shared/model.ts';
import { FactList } from '../../components/FactList.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { formatExactSize } from '../../words/formatSize.ts';
import { formatTime } from '../../words/formatTime.ts';
import { networkName } from '../../words/networkName.ts';
import { HashLine } from '../HashLine.tsx';
import type { Hashing } from '../useFileHash.ts';

interface FileFactListProps {
  facts: FileFacts;
  hashing: Hashing;
}

export function FileFactList({ facts, hashing }: FileFactListProps) {
  const { description, path, size, modified, network, kind } = facts;
  const isWallet = kind !== 'other';
  return (
    <FactList
      facts={[
        { label: 'What it is', value: <SafeText text={capitalised(description)} /> },
        { label: 'Full path', value: <SafeText text={path} mono /> },
        { label: 'Size', value: formatExactSize(size) },
        { label: 'Last changed', value: formatTime(modified) },
        ...(isWallet
          ? [{ label: 'Network', value: network ? networkName(network) : 'Its header does not tell' }]
          : []),
        ...(hashing.state === 'none' ? [] : [{ label: 'SHA-256', value: <HashLine hashing={hashing} /> }]),
      ]}
    />
  );
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
