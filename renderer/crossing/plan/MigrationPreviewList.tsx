/** What would come of migrating a legacy wallet: its wallets, what is left out, and what a node would refuse. */
import type { MigrationPreview } from '../../../shared/migrationPreview.ts';
import { say } from '../../../shared/text/say.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import {
  leftOutWords,
  type PreviewedWallet,
  previewedWallets,
} from '../../../shared/words/migratedWallets.ts';
import { TextList } from '../../elements/list/TextList.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Quiet, SafeText, WalletName } from '../../elements/text/texts.tsx';
import { type WalletCard, WalletCards } from '../WalletCards.tsx';

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
            <p key={obstacle}>
              <SafeText text={obstacle} />
            </p>
          ))}
        </Notice>
      )}
      {strays.total > 0 && <StrayTransactions strays={strays} />}
      {wallets.length === 0 ? (
        <Quiet>{say('No wallet: nothing in the file fits a descriptor wallet.')}</Quiet>
      ) : (
        <WalletCards label={say('Wallets after migration')} wallets={wallets.map(cardOf)} />
      )}
      {leftOut > 0 && <Quiet>{leftOutWords(leftOut)}</Quiet>}
    </>
  );
}

function cardOf({ part, name, suffix, title, descriptors, meaning }: PreviewedWallet): WalletCard {
  return {
    key: part,
    name: nameOf(name, suffix),
    title,
    meaning,
    children: <Quiet small>{counted.descriptors(descriptors)}</Quiet>,
  };
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
      <TextList
        label={say('Foreign transactions')}
        look="lines"
        texts={shown}
        most={MOST_IDS}
        total={total}
        mono
      />
    </Notice>
  );
}

const MOST_IDS = 50;
