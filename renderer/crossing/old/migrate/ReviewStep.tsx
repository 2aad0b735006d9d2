/** Everything that will be done to the wallet, before it is done, and the rehearsal of it. */
import { Button, Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppErrorShape } from '../../../../shared/errors.ts';
import type { Inspection } from '../../../../shared/inspection.ts';
import type { NodeStatus } from '../../../../shared/node.ts';
import type { MigrationChecks } from '../../../../shared/safety.ts';
import { say } from '../../../../shared/text/say.ts';
import type { Wallet } from '../../../../shared/wallet.ts';
import { ErrorNotice } from '../../../elements/ErrorNotice.tsx';
import { FactList } from '../../../elements/list/FactList.tsx';
import { TextList } from '../../../elements/list/TextList.tsx';
import { Notice } from '../../../elements/Notice.tsx';
import { NodeLine } from '../../../elements/text/NodeLine.tsx';
import { SafeText } from '../../../elements/text/SafeText.tsx';
import { Say } from '../../../elements/text/Say.tsx';
import { WalletName } from '../../../elements/text/WalletName.tsx';
import { Waiting } from '../../../elements/Waiting.tsx';
import { balanceLine } from '../../../words/balanceWords.ts';
import { walletBalance } from '../../../words/walletBalance.ts';
import { MigrateCalls } from '../MigrateCalls.tsx';
import { SafetyCopyPart } from './SafetyCopyPart.tsx';
import type { CheckRun } from './useMigrationChecks.ts';
import { encryptedText, kindText } from './walletWords.ts';

interface ReviewStepProps {
  wallet: Wallet;
  node: NodeStatus;
  run: CheckRun;
  /** The name that a copy of the wallet gets on the safe way; null where the wallet itself is migrated. */
  newName: string | null;
  withPassphrase: boolean;
  /** Why it could not be started. */
  error: AppErrorShape | null;
  /** What is in the file; null where it could not be looked at. */
  contents: Inspection | null;
  /** The passphrase was tried on the file and does not open it. */
  wrongPassphrase: boolean;
  rehearsal: ReactNode;
  /** The rehearsal failed for what would be lost: whether that was read. */
  loss: { read: boolean; onRead: (read: boolean) => void } | null;
  hasOwnCopy: boolean;
  onOwnCopy: (has: boolean) => void;
}

export function ReviewStep({
  wallet,
  node,
  run: { checking, lookAgain },
  newName,
  withPassphrase,
  error,
  contents,
  wrongPassphrase,
  rehearsal,
  loss,
  hasOwnCopy,
  onOwnCopy,
}: ReviewStepProps) {
  const { name, loaded } = wallet;
  const found = checking.state === 'known' ? checking.found : null;
  return (
    <>
      {error && <ErrorNotice title={say('The migration was not started')} error={error} />}
      {found && <ToRead checks={found.checks} />}
      {checking.state === 'looking' && (
        <Waiting onCancel={checking.cancel}>{say('Looking at the wallet and the node…')}</Waiting>
      )}
      {checking.state === 'failed' && (
        <ErrorNotice title={say('The checks could not be made')} error={checking.error}>
          <Button size="compact-sm" variant="default" onClick={lookAgain}>
            {say('Look again')}
          </Button>
        </ErrorNotice>
      )}
      {wrongPassphrase && (
        <Notice tone="read" title={say('This passphrase does not open the wallet’s file')}>
          <p>
            {say(
              'It was tried, and it is wrong. The migration will most likely be refused; the wallet then stays as it is. Go back to type another one.',
            )}
          </p>
        </Notice>
      )}
      <FactList
        facts={[
          { label: say('Wallet'), value: <WalletName name={name} /> },
          ...(newName === null ? [] : [{ label: say('Migrated as'), value: <WalletName name={newName} /> }]),
          { label: say('Kind'), value: kindText(wallet) },
          { label: say('Encrypted'), value: encryptedText(wallet) },
          balanceFact(wallet, node, contents),
          { label: say('Node'), value: <NodeLine node={node} release={node.release.text} /> },
        ]}
      />
      {found && (
        <SafetyCopyPart
          found={found}
          unnamed={name === '' && newName === null}
          hasOwnCopy={hasOwnCopy}
          onOwnCopy={onOwnCopy}
        />
      )}
      {newName !== null && found && found.file !== null && (
        <p>
          <Say
            text="Then another copy of {file} is put into a new folder {folder} of the wallets folder."
            values={{ file: <SafeText text={found.file} mono />, folder: <SafeText text={newName} mono /> }}
          />
        </p>
      )}
      <MigrateCalls
        node={node}
        name={newName ?? name}
        loaded={newName === null && loaded}
        withPassphrase={withPassphrase}
        copyWay={newName === null ? found?.copy.way : undefined}
      />
      {rehearsal}
      {loss && (
        <Checkbox
          label={
            node.offline
              ? say('I have read what the rehearsal told. The offline engine shall decide.')
              : say('I have read what the rehearsal told. The node shall decide.')
          }
          checked={loss.read}
          onChange={(event) => loss.onRead(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

/** What was found at the Check step, once more in short. */
function ToRead({ checks }: Pick<MigrationChecks, 'checks'>) {
  const titles = checks.filter(({ verdict }) => verdict === 'read').map(({ title }) => title);
  if (titles.length === 0) return null;
  return (
    <Notice
      tone="read"
      title={say('{count, plural, one {# check to read} other {# checks to read}}', { count: titles.length })}
    >
      <TextList texts={titles} />
    </Notice>
  );
}

/** What the node says, or else what the file last knew. The offline engine knows no more than that either. */
function balanceFact({ balance }: Wallet, { network, offline }: NodeStatus, found: Inspection | null) {
  if (found && (balance === null || offline))
    return { label: say('Last known balance'), value: balanceLine(found) };
  const label = offline ? say('Last known balance') : say('Balance');
  return { label, value: walletBalance(balance, network) };
}
