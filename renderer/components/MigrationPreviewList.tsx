/** What would come of migrating a legacy wallet: its wallets, what is left out, and what a node would refuse. */
import type { MigrationPreview } from '../../shared/inspection.ts';
import { counted, formatCount } from '../words/formatCount.ts';
import styles from './MigrationPreviewList.module.css';
import { Notice } from './Notice.tsx';
import { type PreviewedWallet, previewedWallets } from './previewedWallets.ts';
import { SafeText } from './SafeText.tsx';
import { WalletName } from './WalletName.tsx';

interface MigrationPreviewListProps {
  preview: MigrationPreview;
  /** The legacy wallet's; null where it has none yet. */
  name: string | null;
}

export function MigrationPreviewList({ preview, name }: MigrationPreviewListProps) {
  const { strayTransactions: strays, obstacles, leftOut } = preview;
  const wallets = previewedWallets(preview, name);
  return (
    <>
      {obstacles.length > 0 && (
        <Notice tone="read" title="A node would refuse this migration">
          {obstacles.map((obstacle) => (
            <p key={obstacle}>
              <SafeText text={obstacle} />
            </p>
          ))}
        </Notice>
      )}
      {strays.total > 0 && <StrayTransactions strays={strays} />}
      {wallets.length === 0 ? (
        <p className={styles.quiet}>
          No wallet would come of it: the file holds nothing that a descriptor wallet can take.
        </p>
      ) : (
        <ul className={styles.wallets} aria-label="Wallets that would come of the migration">
          {wallets.map((wallet) => (
            <WalletItem key={wallet.part} wallet={wallet} />
          ))}
        </ul>
      )}
      {leftOut > 0 && (
        <p className={styles.quiet}>
          {counted(leftOut, 'watched script')} {leftOut === 1 ? 'is' : 'are'} left out: no one can ever spend{' '}
          {leftOut === 1 ? 'it' : 'them'}, or no descriptor can be made of {leftOut === 1 ? 'it' : 'them'}.
        </p>
      )}
    </>
  );
}

function WalletItem({ wallet: { name, suffix, title, descriptors, meaning } }: { wallet: PreviewedWallet }) {
  return (
    <li className={styles.wallet}>
      <div className={styles.title}>
        {(name !== null || suffix !== '') && (
          <span className={styles.name}>
            {name === null ? `A name that ends in ${suffix}` : <WalletName name={name} />}
          </span>
        )}
        <span className={styles.role}>{title}</span>
      </div>
      <p className={styles.meaning}>{meaning}</p>
      <p className={styles.count}>{counted(descriptors, 'descriptor')}</p>
    </li>
  );
}

function StrayTransactions({ strays: { total, shown } }: { strays: MigrationPreview['strayTransactions'] }) {
  return (
    <Notice tone="read" title={`A node refuses to migrate because of ${counted(total, 'transaction')}`}>
      <p>
        {total === 1 ? 'It has' : 'They have'} no part in any address of this wallet, as far as the file
        tells, so the node cannot say which wallet to put {total === 1 ? 'it' : 'them'} into. It refuses, and
        the wallet stays as it is.
      </p>
      <p>
        What to do: make a backup. In a node of release 29 or earlier, load the wallet and call
        removeprunedfunds for each of these. Then migrate it.
      </p>
      <ul className={styles.ids} aria-label="Transactions of no wallet">
        {shown.slice(0, MOST_IDS).map((txid) => (
          <li key={txid}>
            <code>
              <SafeText text={txid} mono />
            </code>
          </li>
        ))}
      </ul>
      {total > Math.min(shown.length, MOST_IDS) && (
        <p>And {formatCount(total - Math.min(shown.length, MOST_IDS))} more.</p>
      )}
    </Notice>
  );
}

const MOST_IDS = 50;
