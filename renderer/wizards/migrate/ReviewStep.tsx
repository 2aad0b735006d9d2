/** Everything that will be done to the wallet, before it is done, and the rehearsal of it. */
import { Checkbox } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { Inspection } from '../../../shared/inspection.ts';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { FactList } from '../../components/FactList.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { walletBalance } from '../../components/walletBalance.ts';
import { balanceLine } from '../../words/balanceWords.ts';
import { networkName } from '../../words/networkName.ts';
import { CallLines } from '../CallLines.tsx';
import { migrateCalls } from '../callText.ts';
import { RemarkList } from '../RemarkList.tsx';
import { isToBeRead, type Remark } from '../remark.ts';
import { encryptionText, kindText } from './walletWords.ts';

interface ReviewStepProps {
  wallet: Wallet;
  node: NodeStatus;
  remarks: readonly Remark[];
  withPassphrase: boolean;
  /** Why it could not be started. */
  error: AppErrorShape | null;
  /** What is in the file; null where it could not be looked at. */
  found: Inspection | null;
  /** The passphrase was tried on the file and does not open it. */
  wrongPassphrase: boolean;
  rehearsal: ReactNode;
  /** The rehearsal failed for what would be lost: whether that was read. */
  loss: { read: boolean; onRead: (read: boolean) => void } | null;
}

export function ReviewStep({
  wallet,
  node,
  remarks,
  withPassphrase,
  error,
  found,
  wrongPassphrase,
  rehearsal,
  loss,
}: ReviewStepProps) {
  const { name, loaded } = wallet;
  const calls = migrateCalls({ name, loaded, withPassphrase, migrates: node.release.migrates });
  return (
    <>
      {error && <ErrorNotice title="The migration was not started" error={error} />}
      <RemarkList remarks={remarks.filter(isToBeRead)} />
      {wrongPassphrase && (
        <Notice tone="read" title="This passphrase does not open the wallet’s file">
          <p>
            It was tried, and it is wrong. The migration will most likely be refused; the wallet then stays as
            it is. Go back to type another one.
          </p>
        </Notice>
      )}
      <FactList
        facts={[
          { label: 'Wallet', value: <WalletName name={name} /> },
          { label: 'Kind', value: kindText(wallet) },
          { label: 'Encryption', value: encryptionText(wallet) },
          balanceFact(wallet, node, found),
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
      <CallLines
        calls={calls}
        note={
          withPassphrase
            ? `The dots stand for the passphrase. It is passed to the ${node.offline ? 'offline engine' : 'node'} only.`
            : 'No passphrase is passed.'
        }
      />
      {rehearsal}
      {loss && (
        <Checkbox
          label={`I have read what the rehearsal told. ${node.offline ? 'The offline engine' : 'The node'} shall decide.`}
          checked={loss.read}
          onChange={(event) => loss.onRead(event.currentTarget.checked)}
        />
      )}
    </>
  );
}

/** What the node says, or else what the file last knew. The offline engine knows no more than that either. */
function balanceFact({ balance }: Wallet, { network, offline }: NodeStatus, found: Inspection | null) {
  if (found && (balance === null || offline))
    return { label: 'Last known balance', value: balanceLine(found) };
  const label = offline ? 'Last known balance' : 'Balance';
  return { label, value: walletBalance(balance, network) };
}
