/** What is in the wallet's file, what a migration makes of it, step by step, and what stands in its way here. */
import type { ReactNode } from 'react';
import type { NodeStatus, Wallet } from '../../../shared/model.ts';
import { MigrationPreviewList } from '../../components/MigrationPreviewList.tsx';
import { Term } from '../../components/Term.tsx';
import { WalletName } from '../../components/WalletName.tsx';
import { RemarkList } from '../RemarkList.tsx';
import { isToBeRead, type Remark, stopped } from '../remark.ts';
import styles from './CheckStep.module.css';
import { FileContents } from './FileContents.tsx';
import { foundIn, type WalletFile } from './useWalletFile.ts';

interface CheckStepProps {
  /** Null when the node has no such wallet. */
  wallet: Wallet | null;
  node: NodeStatus;
  remarks: readonly Remark[];
  file: WalletFile;
  /** The rehearsal, where it needs no passphrase. */
  rehearsal: ReactNode;
}

export function CheckStep({ wallet, node, remarks, file, rehearsal }: CheckStepProps) {
  const stops = stopped(remarks);
  const first = remarks.filter((remark) => (stops ? remark.stops : isToBeRead(remark)));
  const preview = foundIn(file)?.migration ?? null;
  return (
    <>
      {wallet && (
        <p>
          Wallet: <WalletName name={wallet.name} />
        </p>
      )}
      <RemarkList remarks={first} />
      {wallet && !stops && (
        <>
          <FileContents file={file} loaded={wallet.loaded} />
          {preview && (
            <section className={styles.part} aria-label="What would come of it">
              <h3 className={styles.heading}>What would come of it</h3>
              <MigrationPreviewList preview={preview} name={wallet.name} />
            </section>
          )}
          <section className={styles.part} aria-label="Step by step">
            <h3 className={styles.heading}>Step by step</h3>
            {node.offline ? <OfflineCourse /> : <NodeCourse fast={node.blockFilters === 'on'} />}
          </section>
          {rehearsal}
        </>
      )}
      {!stops && <RemarkList remarks={remarks.filter((remark) => !isToBeRead(remark))} />}
    </>
  );
}

function NodeCourse({ fast }: { fast: boolean }) {
  return (
    <ol className={styles.list} aria-label="What will happen">
      <li>
        The node makes a <Term word="backup" /> of the <Term word="legacy wallet" />, in or beside the
        wallet’s folder. Its path is shown at the end.
      </li>
      <li>
        It converts the wallet to a <Term word="descriptor wallet" />, the kind that current releases open.
      </li>
      <Apart />
      <li>
        It loads them, and may <Term word="rescan" /> the block chain. That can take hours
        {fast && '; this node has block filters, which make it fast'}.
      </li>
      <Afterwards />
    </ol>
  );
}

function OfflineCourse() {
  return (
    <ol className={styles.list} aria-label="What will happen">
      <li>
        The offline engine makes a <Term word="backup" /> of the <Term word="legacy wallet" />, in or beside
        the wallet’s folder. Its path is shown at the end.
      </li>
      <li>
        It converts the wallet to a <Term word="descriptor wallet" />, the kind that current releases open,
        and proves that everything in it was kept.
      </li>
      <Apart />
      <li>
        It loads them. It has no block chain, so nothing is rescanned: balances stay as the file last knew
        them, until a node loads the new wallets.
      </li>
      <Afterwards />
    </ol>
  );
}

function Apart() {
  return (
    <li>
      What the wallet only watched, or knew without watching, is put into wallets of their own. So up to three
      wallets come of it.
    </li>
  );
}

function Afterwards() {
  return (
    <>
      <li>If a step fails, the wallet stays legacy, and the backup is there.</li>
      <li>Afterwards you make a new backup: the old ones do not fit the new wallets.</li>
    </>
  );
}
