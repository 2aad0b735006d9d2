/** What a rehearsed migration made: its wallets with their descriptors, what was proved, and what is left out. */
import { Title } from '@mantine/core';
import type { InspectedDescriptor } from '../../../../shared/model/inspection.ts';
import type { MigrationPreview } from '../../../../shared/model/migrationPreview.ts';
import type { Rehearsal } from '../../../../shared/model/plan.ts';
import type { Listed } from '../../../../shared/model/shapes.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { descriptorWords } from '../../../../shared/wording/inspectionWords.ts';
import { leftOutWords } from '../../../../shared/wording/migratedWallets.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { FactList, List, PagedList, ScrollBox, TextList } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { Quiet, WalletName } from '../../../components/texts.tsx';
import { proofFacts } from '../job/proofFacts.ts';
import { rehearsedWallets } from './rehearsedWallets.ts';
import { WalletCard } from './WalletCard.tsx';

interface RehearsalResultProps {
  rehearsal: Rehearsal;
  preview: MigrationPreview | null;
}

export function RehearsalResult({ rehearsal, preview }: RehearsalResultProps) {
  const { leftOut } = rehearsal.proof;
  const wallets = rehearsedWallets(rehearsal, preview);
  return (
    <>
      <List look="cards" label={say('Rehearsed wallets')}>
        {wallets.map(({ part, name, title, meaning, contents, descriptors }) => (
          <WalletCard key={part} name={<WalletName name={name} />} title={title} meaning={meaning}>
            <p>{contents}</p>
            {descriptors.total > 0 && (
              <Descriptors
                descriptors={descriptors}
                label={say('Descriptors of {wallet}', { wallet: walletLabel(name) })}
              />
            )}
          </WalletCard>
        ))}
      </List>
      {preview?.primary?.seed === 'fresh' && (
        <Notice tone="info" title={say('New addresses will differ')}>
          <p>{say('Each migration makes a new seed. What the wallet holds now stays.')}</p>
        </Notice>
      )}
      <Title order={3}>{say('Proof')}</Title>
      <FactList facts={proofFacts(rehearsal.proof)} />
      {leftOut.length > 0 && (
        <>
          <Quiet>{leftOutWords(leftOut.length)}</Quiet>
          <Disclosure look="boxed" summary={say('Left out')}>
            <ScrollBox label={say('Left out')} mah="26em" p="10px 12px">
              <TextList label={say('Left out')} look="lines" texts={leftOut} most={500} mono />
            </ScrollBox>
          </Disclosure>
        </>
      )}
    </>
  );
}

interface DescriptorsProps {
  descriptors: Listed<InspectedDescriptor>;
  /** The list's name for screen readers. */
  label: string;
}

/** Public descriptors of a wallet, each whole and with what it is for. */
function Descriptors({ descriptors: { total, shown }, label }: DescriptorsProps) {
  const untold = total - shown.length;
  return (
    <Disclosure look="boxed" summary={say('Descriptors')}>
      <ScrollBox label={label} mah="26em" p="10px 12px">
        <PagedList
          look="plain"
          label={label}
          items={shown}
          // Two can read the same.
          keyOf={(_, index) => index}
          row={(descriptor) => <Descriptor descriptor={descriptor} />}
          page={AT_ONCE}
        />
        {untold > 0 && <Quiet small>{say('{count, number} more not shown.', { count: untold })}</Quiet>}
      </ScrollBox>
    </Disclosure>
  );
}

/** More would make the page slow. */
const AT_ONCE = 100;

function Descriptor({ descriptor }: { descriptor: InspectedDescriptor }) {
  return (
    <div className={layout.stack}>
      {descriptor.text === null ? (
        <span>{say('Needs a private key.')}</span>
      ) : (
        <code style={{ userSelect: 'all' }}>
          <CopyText text={descriptor.text} />
        </code>
      )}
      <span className={layout.small}>{descriptorWords(descriptor)}</span>
    </div>
  );
}
