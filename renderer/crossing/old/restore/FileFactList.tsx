/** What the app sees of a chosen file. */
import type { FileFacts } from '../../../../shared/files.ts';
import type { Inspection } from '../../../../shared/inspection.ts';
import { networkName } from '../../../../shared/networkName.ts';
import { say } from '../../../../shared/text/say.ts';
import { type Fact, FactList } from '../../../elements/list/FactList.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import type { Look } from '../../../state/look.ts';
import { balanceLine } from '../../../words/balanceWords.ts';
import { birthWords } from '../../../words/birthWords.ts';
import { capitalised } from '../../../words/format/capitalised.ts';
import { formatCount } from '../../../words/format/formatCount.ts';
import { formatExactSize } from '../../../words/format/formatSize.ts';
import { formatTime } from '../../../words/format/formatTime.ts';
import { encryptionWords } from '../../../words/inspectionWords.ts';
import { networkFound } from '../../../words/networkFound.ts';
import { HashLine } from '../HashLine.tsx';
import type { Hashing } from '../useFileHash.ts';

interface FileFactListProps {
  facts: FileFacts;
  inspecting: Look<Inspection>;
  hashing: Hashing;
}

export function FileFactList({ facts, inspecting, hashing }: FileFactListProps) {
  const { description, path, size, modified, network, kind } = facts;
  const isWallet = kind !== 'other';
  return (
    <FactList
      facts={[
        { label: say('What it is'), value: <SafeText text={capitalised(description)} /> },
        { label: say('Full path'), value: <SafeText text={path} mono /> },
        { label: say('Size'), value: formatExactSize(size) },
        { label: say('Last changed'), value: formatTime(modified) },
        ...(isWallet ? [{ label: say('Network'), value: networkOf(network, inspecting) }] : []),
        ...contents(inspecting),
        ...(hashing.state === 'none'
          ? []
          : [{ label: say('SHA-256'), value: <HashLine hashing={hashing} /> }]),
      ]}
    />
  );
}

function networkOf(network: FileFacts['network'], inspecting: Look<Inspection>): string {
  if (network) return networkName(network);
  return inspecting.state === 'known'
    ? networkFound(inspecting.found.network).name
    : say('Its header does not tell');
}

function contents(inspecting: Look<Inspection>): Fact[] {
  switch (inspecting.state) {
    case 'none':
      return [];
    case 'looking':
      return [{ label: say('What is in it'), value: say('Being read…') }];
    case 'failed':
      return [{ label: say('What is in it'), value: <SafeText text={inspecting.error.message} /> }];
    case 'known': {
      const { found: inspection } = inspecting;
      return [
        { label: say('Encrypted'), value: encryptionWords(inspection) },
        { label: say('Made'), value: birthWords(inspection.birth).when },
        { label: say('Last known balance'), value: balanceLine(inspection) },
        { label: say('Transactions'), value: formatCount(inspection.transactions.total) },
      ];
    }
  }
}
