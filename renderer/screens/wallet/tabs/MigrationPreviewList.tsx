/** What would come of migrating a legacy wallet: its wallets, what is left out, and what a node would refuse. */
import type { MigrationPreview } from '../../../../shared/model/migrationPreview.ts';
import { findingText } from '../../../../shared/wording/findings/findingWords.ts';
import { counted } from '../../../../shared/wording/format/counted.ts';
import { leftOutWords, previewedWallets } from '../../../../shared/wording/migratedWallets.ts';
import { say } from '../../../../shared/wording/say.ts';
import { List, TextList } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Quiet, WalletName } from '../../../components/texts.tsx';
import { WalletCard } from './WalletCard.tsx';

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
        <Notice tone="read" title={say('A node refuses this migration')}>
          {obstacles.map((obstacle) => (
            <p key={obstacle.code}>{findingText(obstacle)}</p>
          ))}
        </Notice>
      )}
      {strays.total > 0 && <StrayTransactions strays={strays} />}
      {wallets.length === 0 ? (
        <Quiet>{say('No wallet: nothing in the file fits a descriptor wallet.')}</Quiet>
      ) : (
        <List look="cards" label={say('Wallets after migration')}>
          {wallets.map(({ part, name, suffix, title, descriptors, meaning }) => (
            <WalletCard key={part} name={nameOf(name, suffix)} title={title} meaning={meaning}>
              <Quiet small>{counted.descriptors(descriptors)}</Quiet>
            </WalletCard>
          ))}
        </List>
      )}
      {leftOut > 0 && <Quiet>{leftOutWords(leftOut)}</Quiet>}
    </>
  );
}

function nameOf(name: string | null, suffix: string) {
  if (name !== null) return <WalletName name={name} />;
  return suffix === '' ? null : say('…{suffix}', { suffix });
}

function StrayTransactions({ strays: { total, shown } }: { strays: MigrationPreview['strayTransactions'] }) {
  return (
    <Notice tone="read" title={say('A node refuses this migration')}>
      <p>
        {say('{transactions} with no address of this wallet. The wallet stays as it is.', {
          transactions: counted.transactions(total),
        })}
      </p>
      <p>
        {say('Back it up. Load it in release 29 or earlier, call removeprunedfunds for each, then migrate.')}
      </p>
      <TextList label={say('Foreign transactions')} look="lines" texts={shown} most={50} total={total} mono />
    </Notice>
  );
}
