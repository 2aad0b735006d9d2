/** Everything that will be done to the wallet, before it is done. */
import type { AppErrorShape } from '../../../shared/errors.ts';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { ErrorNotice } from '../../components/ErrorNotice.tsx';
import { FactList } from '../../components/FactList.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { walletBalance } from '../../components/walletBalance.ts';
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
}

export function ReviewStep({ wallet, node, remarks, withPassphrase, error }: ReviewStepProps) {
  const { name, loaded } = wallet;
  const calls = migrateCalls({ name, loaded, withPassphrase, migrates: node.release.migrates });
  return (
    <>
      {error && <ErrorNotice title="The migration was not started" error={error} />}
      <RemarkList remarks={remarks.filter(isToBeRead)} />
      <FactList
        facts={[
          { label: 'Wallet', value: <WalletName name={name} /> },
          { label: 'Kind', value: kindText(wallet) },
          { label: 'Encryption', value: encryptionText(wallet) },
          { label: 'Balance', value: walletBalance(wallet.balance, node.network) },
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
            ? 'The dots stand for the passphrase. It is passed to the node only.'
            : 'No passphrase is passed.'
        }
      />
    </>
  );
}
