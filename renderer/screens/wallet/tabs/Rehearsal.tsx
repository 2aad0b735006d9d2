/** The wallets that a migration would make, as it is foreseen, and as it was rehearsed. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { InspectedDescriptor } from '../../../../shared/model/inspection.ts';
import type { MigrationPreview, MigrationProof } from '../../../../shared/model/migrationPreview.ts';
import type { Rehearsal } from '../../../../shared/model/plan.ts';
import type { Listed } from '../../../../shared/model/shapes.ts';
import { findingText } from '../../../../shared/wording/findings/findingWords.ts';
import { counted, formatCount } from '../../../../shared/wording/format/counted.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import { walletLabel } from '../../../../shared/wording/format/walletLabel.ts';
import { descriptorWords } from '../../../../shared/wording/inspectionWords.ts';
import {
  leftOutWords,
  PART_TITLES,
  partMeaning,
  previewedWallets,
} from '../../../../shared/wording/migratedWallets.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { FactList, List, PagedList, ScrollBox, TextList } from '../../../components/lists.tsx';
import { Notice } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { Quiet, WalletName } from '../../../components/texts.tsx';

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
            <WalletCard key={part} name={previewName(name, suffix)} title={title} meaning={meaning}>
              <Quiet small>{counted.descriptors(descriptors)}</Quiet>
            </WalletCard>
          ))}
        </List>
      )}
      {leftOut > 0 && <Quiet>{leftOutWords(leftOut)}</Quiet>}
    </>
  );
}

function previewName(name: string | null, suffix: string) {
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

interface RehearsalResultProps {
  rehearsal: Rehearsal;
  preview: MigrationPreview | null;
}

/** What a rehearsed migration made: its wallets with their descriptors, what was proved, and what is left out. */
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

interface WalletCardProps {
  /** Null where it has none yet. */
  name: ReactNode;
  title: string;
  meaning: string;
  children: ReactNode;
}

/** A wallet that comes of a migration, in a list of cards: its name, what it is, and what it holds. */
export function WalletCard({ name, title, meaning, children }: WalletCardProps) {
  return (
    <li className={`${layout.stack} ${layout.numbers}`}>
      {name === null ? (
        <div className={layout.name}>{title}</div>
      ) : (
        <div className={layout.pair}>
          <span className={layout.name}>{name}</span>
          <span className={layout.small}>{title}</span>
        </div>
      )}
      <Quiet>{meaning}</Quiet>
      {children}
    </li>
  );
}

/** `preview` tells where the seed came from; null where the file could not be looked at. */
export function rehearsedWallets({ wallets }: Rehearsal, preview: MigrationPreview | null) {
  return wallets.map(({ part, name, found: { descriptors, transactions, labels } }) => ({
    ...{ part, name, descriptors },
    title: PART_TITLES[part],
    meaning: partMeaning(part, preview?.primary?.seed),
    contents: listed([
      counted.descriptors(descriptors.total),
      counted.transactions(transactions.total),
      counted.labels(labels.total),
    ]),
  }));
}

/** What there was none of is left out, but for labels and transactions, which every wallet may have. */
export function proofFacts(proof: MigrationProof): { label: string; value: string }[] {
  const { scripts, solvable, ready, addressRecords, transactions, lockedCoins } = proof;
  const { old, primary, watchonly } = scripts;
  const found = say('{found, number} of {old, number}', { found: primary + watchonly, old });
  const apart = watchonly > 0 && say('{count, number} watch-only', { count: watchonly });
  return [
    { label: say('Scripts'), value: listed([found, apart]) },
    ...(solvable > 0 ? [{ label: say('Solvable scripts'), value: formatCount(solvable) }] : []),
    ...(ready > 0 ? [{ label: say('More keys ready'), value: formatCount(ready) }] : []),
    { label: say('Labels'), value: kept(addressRecords) },
    { label: say('Transactions'), value: kept(transactions) },
    ...(lockedCoins > 0 ? [{ label: say('Locked coins'), value: kept(lockedCoins) }] : []),
  ];
}

function kept(count: number): string {
  return count === 0 ? say('None') : say('{count, number} kept', { count });
}
