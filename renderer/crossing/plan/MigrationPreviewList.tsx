/** What would come of migrating a legacy wallet: its wallets, what is left out, and what a node would refuse. */
import type { MigrationPreview } from '../../../shared/migrationPreview.ts';
import { say } from '../../../shared/text/say.ts';
import { counted } from '../../../shared/words/format/counted.ts';
import { type PreviewedWallet, previewedWallets } from '../../../shared/words/previewedWallets.ts';
import { TextList } from '../../elements/list/TextList.tsx';
import { Notice } from '../../elements/Notice.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { SafeText } from '../../elements/text/SafeText.tsx';
import { WalletName } from '../../elements/text/WalletName.tsx';
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
        <Notice tone="read" title={say('A node would refuse this migration')}>
          {obstacles.map((obstacle) => (
            <p key={obstacle}>
              <SafeText text={obstacle} />
            </p>
          ))}
        </Notice>
      )}
      {strays.total > 0 && <StrayTransactions strays={strays} />}
      {wallets.length === 0 ? (
        <Quiet>
          {say('No wallet would come of it: the file holds nothing that a descriptor wallet can take.')}
        </Quiet>
      ) : (
        <WalletCards label={say('Wallets that would come of the migration')} wallets={wallets.map(cardOf)} />
      )}
      {leftOut > 0 && (
        <Quiet>
          {say(
            '{count, plural, one {# watched script is left out: no one can ever spend from it, or no descriptor can be made of it.} other {# watched scripts are left out: no one can ever spend from them, or no descriptor can be made of them.}}',
            { count: leftOut },
          )}
        </Quiet>
      )}
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
  return suffix === '' ? null : say('A name that ends in {suffix}', { suffix });
}

function StrayTransactions({ strays: { total, shown } }: { strays: MigrationPreview['strayTransactions'] }) {
  return (
    <Notice
      tone="read"
      title={say(
        '{count, plural, one {A node refuses to migrate because of # transaction} other {A node refuses to migrate because of # transactions}}',
        { count: total },
      )}
    >
      <p>
        {say(
          '{count, plural, one {It concerns no address of this wallet, as far as the file tells, so the node cannot say which wallet to put it into.} other {They concern no address of this wallet, as far as the file tells, so the node cannot say which wallet to put them into.}} It refuses, and the wallet stays as it is.',
          { count: total },
        )}
      </p>
      <p>
        {say(
          'What to do: make a backup. In a node of release 29 or earlier, load the wallet and call removeprunedfunds for each of these. Then migrate it.',
        )}
      </p>
      <TextList
        label={say('Transactions of no wallet')}
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
