/** Everything that will be done, before it is done. */
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { FileFacts, NodeStatus } from '../../../shared/model.ts';
import type { NameVerdict } from '../../../shared/walletName.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { FactList } from '../../components/FactList.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { networkName } from '../../words/networkName.ts';
import { CallLines } from '../CallLines.tsx';
import { restoreCall } from '../callText.ts';
import { HashLine } from '../HashLine.tsx';
import { RemarkList } from '../RemarkList.tsx';
import { isToBeRead } from '../remark.ts';
import type { Hashing } from '../useFileHash.ts';
import { LOAD_CHOICES } from './loadChoices.ts';
import { restoreRemarks } from './restoreRemarks.ts';

interface ReviewStepProps {
  node: NodeStatus;
  facts: FileFacts | null;
  /** Null while the file is not read to its end, or cannot be. */
  inspection: Inspection | null;
  path: string;
  name: string;
  verdict: NameVerdict;
  loadOnStartup: boolean | null;
  hashing: Hashing;
  /** Why it could not be started. */
  error: AppErrorShape | null;
}

export function ReviewStep({
  node,
  facts,
  inspection,
  path,
  name,
  verdict,
  loadOnStartup,
  hashing,
  error,
}: ReviewStepProps) {
  const remarks = restoreRemarks(facts, node, inspection?.birth ?? null);
  const choice = LOAD_CHOICES.find(({ load }) => load === loadOnStartup);
  return (
    <>
      {error && <ErrorNotice title="The restore was not started" error={error} />}
      {!verdict.ok && (
        <Notice tone="read" title="The name cannot be used now" role="alert">
          <p>{verdict.message} Go back and give another one.</p>
        </Notice>
      )}
      <RemarkList remarks={remarks.filter(isToBeRead)} />
      <FactList
        facts={[
          { label: 'Backup', value: <SafeText text={path} mono /> },
          ...(facts ? [{ label: 'What it is', value: <SafeText text={facts.description} /> }] : []),
          ...(hashing.state === 'none' ? [] : [{ label: 'SHA-256', value: <HashLine hashing={hashing} /> }]),
          { label: 'Name of the wallet', value: <WalletName name={name} /> },
          { label: 'Load when the node starts', value: choice?.label ?? '' },
          {
            label: 'Node',
            value: (
              <>
                <SafeText text={node.label} />, {networkName(node.network)}, release {node.release.text}
              </>
            ),
          },
        ]}
      />
      <CallLines calls={[restoreCall(name, path, loadOnStartup)]} />
      <RemarkList remarks={remarks.filter((remark) => !isToBeRead(remark))} />
    </>
  );
}
