/** Everything that will be done, before it is done, with the checks on it. */
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { FileFacts } from '../../../../shared/files.ts';
import type { Inspection } from '../../../../shared/inspection.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import { say } from '../../../../shared/text/say.ts';
import type { NameVerdict } from '../../../../shared/walletName.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { FactList } from '../../../elements/list/FactList.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { NodeLine } from '../../../elements/text/NodeLine.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { capitalised } from '../../../words/format/capitalised.ts';
import { CallLines } from '../CallLines.tsx';
import { restoreCall } from '../callText.ts';
import { HashLine } from '../HashLine.tsx';
import { RemarkList } from '../RemarkList.tsx';
import type { Hashing } from '../useFileHash.ts';
import { LOAD_CHOICES } from './loadChoices.ts';
import { OneGoPlan } from './OneGoPlan.tsx';
import { ReviewChecks } from './ReviewChecks.tsx';
import { restoreRemark } from './restoreRemarks.ts';
import type { RestoreWay } from './restoreWay.ts';
import type { RestoreCheckRun } from './useRestoreChecks.ts';

interface ReviewStepProps {
  way: RestoreWay;
  node: NodeStatus;
  facts: FileFacts | null;
  /** Null while the file is not read to its end, or cannot be. */
  inspection: Inspection | null;
  path: string;
  name: string;
  verdict: NameVerdict;
  loadOnStartup: boolean | null;
  /** Whether one was typed. */
  withPassphrase: boolean;
  /** The passphrase was tried on the file and does not open it. */
  wrongPassphrase: boolean;
  hashing: Hashing;
  checks: RestoreCheckRun;
  /** Why it could not be started. */
  error: AppErrorShape | null;
}

export function ReviewStep({
  way,
  node,
  facts,
  inspection,
  path,
  name,
  verdict,
  loadOnStartup,
  withPassphrase,
  wrongPassphrase,
  hashing,
  checks,
  error,
}: ReviewStepProps) {
  const choice = LOAD_CHOICES.find(({ load }) => load === loadOnStartup);
  return (
    <>
      {error && <ErrorNotice title={say('The restore was not started')} error={error} />}
      {!verdict.ok && (
        <Notice tone="read" title={say('The name cannot be used now')} role="alert">
          <p>
            <SafeText text={verdict.message} /> {say('Go back and give another one.')}
          </p>
        </Notice>
      )}
      {wrongPassphrase && (
        <Notice tone="read" title={say('This passphrase does not open the backup')}>
          <p>
            {say(
              'It was tried, and it is wrong. With it the app places nothing and asks the node nothing. Go back to type another one.',
            )}
          </p>
        </Notice>
      )}
      <ReviewChecks checks={checks} way={way} node={node} hashing={hashing} />
      <FactList
        facts={[
          { label: say('Backup'), value: <SafeText text={path} mono /> },
          ...(facts
            ? [{ label: say('What it is'), value: <SafeText text={capitalised(facts.description)} /> }]
            : []),
          ...(hashing.state === 'none'
            ? []
            : [{ label: say('SHA-256'), value: <HashLine hashing={hashing} /> }]),
          { label: say('Wallet name'), value: <WalletName name={name} /> },
          ...(way === 'restore'
            ? [{ label: say('Load when the node starts'), value: choice?.label ?? '' }]
            : []),
          { label: say('Node'), value: <NodeLine node={node} release={node.release.text} /> },
        ]}
      />
      {way === 'restore' ? (
        <>
          <CallLines calls={[restoreCall(name, path, loadOnStartup)]} />
          <RemarkList remarks={[restoreRemark(node)]} />
        </>
      ) : (
        <OneGoPlan
          node={node}
          name={name}
          preview={inspection?.migration ?? null}
          withPassphrase={withPassphrase}
        />
      )}
    </>
  );
}
