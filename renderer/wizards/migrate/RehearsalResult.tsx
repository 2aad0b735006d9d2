/** What a rehearsed migration made: its wallets with their descriptors, what was proved, and what is left out. */
import type { MigrationPreview, Rehearsal } from '../../../shared/inspection.ts';
import { DescriptorList } from '../../components/DescriptorList.tsx';
import { FactList } from '../../components/FactList.tsx';
import { Notice } from '../../components/Notice.tsx';
import { SafeText } from '../../components/SafeText.tsx';
import { visibleText } from '../../components/visibleText.ts';
import { UNNAMED, WalletName } from '../../components/WalletName.tsx';
import { counted } from '../../words/formatCount.ts';
import { Disclosure } from './Disclosure.tsx';
import { proofFacts } from './proofFacts.ts';
import styles from './RehearsalResult.module.css';
import { type RehearsedWallet, rehearsedWallets } from './rehearsedWallets.ts';

interface RehearsalResultProps {
  rehearsal: Rehearsal;
  preview: MigrationPreview | null;
}

export function RehearsalResult({ rehearsal, preview }: RehearsalResultProps) {
  const { leftOut } = rehearsal.proof;
  const wallets = rehearsedWallets(rehearsal, preview);
  const facts = proofFacts(rehearsal.proof).map(({ label, text }) => ({ label, value: text }));
  return (
    <>
      <ul className={styles.wallets} aria-label="Wallets of the rehearsal">
        {wallets.map((wallet) => (
          <WalletItem key={wallet.part} wallet={wallet} />
        ))}
      </ul>
      {preview?.primary?.seed === 'fresh' && (
        <Notice tone="info" title="New addresses will be other ones in the real migration">
          <p>
            This wallet has no HD seed, so each migration makes a new one at random. The active descriptors
            shown here will then have other keys. All that the wallet holds now stays as shown.
          </p>
        </Notice>
      )}
      <h4 className={styles.heading}>Proved in the rehearsal</h4>
      <FactList facts={facts} />
      {leftOut.length > 0 && (
        <>
          <p className={styles.quiet}>
            {counted(leftOut.length, 'script')} {leftOut.length === 1 ? 'is' : 'are'} left out, as a node does
            too: no one can spend {leftOut.length === 1 ? 'it' : 'them'}, or no descriptor can be made of{' '}
            {leftOut.length === 1 ? 'it' : 'them'}.
          </p>
          <Disclosure summary="What is left out">
            <ul className={styles.left} aria-label="Left out">
              {leftOut.slice(0, MOST_LEFT).map((script) => (
                <li key={script}>
                  <code>
                    <SafeText text={script} mono />
                  </code>
                </li>
              ))}
            </ul>
            {leftOut.length > MOST_LEFT && <p>And {leftOut.length - MOST_LEFT} more.</p>}
          </Disclosure>
        </>
      )}
    </>
  );
}

const MOST_LEFT = 500;

function WalletItem({
  wallet: { name, title, meaning, contents, descriptors },
}: {
  wallet: RehearsedWallet;
}) {
  return (
    <li className={styles.wallet}>
      <div className={styles.title}>
        <span className={styles.name}>
          <WalletName name={name} />
        </span>
        <span className={styles.role}>{title}</span>
      </div>
      <p className={styles.quiet}>{meaning}</p>
      <p className={styles.contents}>{contents}</p>
      {descriptors.total > 0 && (
        <Disclosure summary="Descriptors">
          <DescriptorList
            descriptors={descriptors}
            label={`Descriptors of ${name === '' ? UNNAMED : visibleText(name)}`}
          />
        </Disclosure>
      )}
    </li>
  );
}
