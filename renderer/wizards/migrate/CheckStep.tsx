/** What a migration does, step by step, and what is known to stand in its way here. */
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { Term } from '../../components/Term.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { RemarkList } from '../RemarkList.tsx';
import { isToBeRead, type Remark, stopped } from '../remark.ts';
import styles from './CheckStep.module.css';

interface CheckStepProps {
  /** Null when the node has no such wallet. */
  wallet: Wallet | null;
  node: NodeStatus;
  remarks: readonly Remark[];
}

export function CheckStep({ wallet, node, remarks }: CheckStepProps) {
  const stops = stopped(remarks);
  const first = remarks.filter((remark) => (stops ? remark.stops : isToBeRead(remark)));
  return (
    <>
      {wallet && (
        <p>
          Wallet: <WalletName name={wallet.name} />
        </p>
      )}
      <RemarkList remarks={first} />
      {wallet && !stops && (
        <ol className={styles.list} aria-label="What will happen">
          <li>
            The node makes a <Term word="backup" /> of the <Term word="legacy wallet" />, in or beside the
            wallet’s folder. Its path is shown at the end.
          </li>
          <li>
            It converts the wallet to a <Term word="descriptor wallet" />, the kind that current releases
            open.
          </li>
          <li>
            What the wallet only watched, or knew without watching, is put into wallets of their own. So up to
            three wallets come of it.
          </li>
          <li>
            It loads them, and may <Term word="rescan" /> the block chain. That can take hours
            {node.blockFilters === 'on' && '; this node has block filters, which make it fast'}.
          </li>
          <li>If a step fails, the wallet stays legacy, and the backup is there.</li>
          <li>Afterwards you make a new backup: the old ones do not fit the new wallets.</li>
        </ol>
      )}
      {!stops && <RemarkList remarks={remarks.filter((remark) => !isToBeRead(remark))} />}
    </>
  );
}
