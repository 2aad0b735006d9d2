/** The checks that passed, the new wallets, the copies, the exact calls, and a rehearsal. */
import { Title } from '@mantine/core';
import type { ReactNode } from 'react';
import type { InspectedDescriptor } from '../../../../shared/model/inspection.ts';
import type { MigrationPreview, MigrationProof } from '../../../../shared/model/migrationPreview.ts';
import type { Plan, Rehearsal } from '../../../../shared/model/plan.ts';
import type { TruncatedList } from '../../../../shared/model/shapes.ts';
import { stopsOfEveryNode } from '../../../../shared/wording/findings/migrationWords.ts';
import { counted, formatCount } from '../../../../shared/wording/format/formatNumber.ts';
import { walletLabel } from '../../../../shared/wording/format/names.ts';
import { joinList } from '../../../../shared/wording/format/perRegion.ts';
import { descriptorWords } from '../../../../shared/wording/inspectionWords.ts';
import { filled, type Row } from '../../../../shared/wording/lines.ts';
import { callText } from '../../../../shared/wording/planWords.ts';
import {
  leftOutWords,
  PART_TITLES,
  partMeaning,
  plannedWalletWords,
  previewedWallets,
} from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CancelTask, CopyText, SmallButton, useElapsed } from '../../../components/buttons.tsx';
import { FactList, List, LongList, ScrollBox, TextList } from '../../../components/lists.tsx';
import { Disclosure, ErrorNotice, Notice, Section } from '../../../components/parts.tsx';
import { Quiet, SafeText, Say, Term, WalletName } from '../../../components/texts.tsx';
import type { Draft } from '../../../state/draftsStore.ts';
import { plans } from '../../../state/plansStore.ts';
import { CheckList } from '../action/CheckList.tsx';

interface PlanDetailsProps {
  draft: Draft;
  plan: Plan;
}

/** For the tab *Technical*. */
export function PlanDetails({ draft, plan }: PlanDetailsProps) {
  const { sha256, contents } = plan.facts;
  // The overview has the path of a file.
  const path = plan.source.by === 'wallet' ? plan.facts.path : null;
  return (
    <>
      <CheckList checks={plan.checks} />
      {plan.makes.length > 0 && (
        <Section {...headed(say('What it creates'), draft, plan)}>
          <List look="lines">
            {plan.makes.map((wallet) => (
              <li key={wallet.part}>
                <WalletName name={wallet.name} /> · {plannedWalletWords(wallet)}
              </li>
            ))}
          </List>
          {contents === null && <Quiet small>{say('The app cannot read its file.')}</Quiet>}
        </Section>
      )}
      {plan.copies.length > 0 && (
        <Section {...headed(say('Copies'), draft, plan)}>
          <List look="lines">
            {plan.copies.map(({ text, folder }) => (
              <li key={text}>
                {text} {folder && <SafeText text={folder} mono home />}
              </li>
            ))}
          </List>
        </Section>
      )}
      <Section {...headed(say('Calls'), draft, plan)}>
        <List look="boxed">
          {[...plan.sent, ...plan.calls].map((call) => (
            <li key={callText(call)}>
              {call.when && <Quiet small>{call.when}</Quiet>}
              <code style={{ userSelect: 'all' }}>
                <SafeText text={callText(call)} mono />
              </code>
            </li>
          ))}
        </List>
      </Section>
      {(path !== null || sha256 !== null) && (
        <Section {...headed(say('File'), draft, plan)}>
          {path !== null && <CopyText text={path} />}
          {sha256 !== null && (
            <p>
              <Term word="SHA-256" /> <CopyText text={sha256} />
            </p>
          )}
        </Section>
      )}
      {contents?.kind === 'legacy' && plan.kind !== 'restore' && <RehearsalPart draft={draft} plan={plan} />}
    </>
  );
}

/** In a batch, each part is also named after its wallet. */
function headed(title: string, { batch }: Draft, { wallet }: Plan) {
  return batch ? { title, label: `${title}: ${walletLabel(wallet)}` } : { title };
}

function RehearsalPart({ draft, plan }: PlanDetailsProps) {
  const { key, rehearsing } = draft;
  const { state } = rehearsing;
  // A plan for other content has no such check.
  const isRehearsed = plan.checks.some(({ id }) => id === 'rehearsal');
  return (
    <Section {...headed(say('Rehearsal'), draft, plan)}>
      <p>
        <Say
          text="A {rehearsal} migrates a copy and keeps nothing."
          values={{ rehearsal: <Term word="rehearsal" /> }}
        />
      </p>
      <div className="row">
        <SmallButton busy={state === 'running'} onClick={() => void plans.rehearse(key)}>
          {say('Rehearse')}
        </SmallButton>
        {rehearsing.state === 'running' && <Elapsed since={rehearsing.since} />}
        {state === 'running' && (
          <CancelTask label={say('Cancel rehearsal')} onCancel={() => plans.cancelRehearsal(key)} />
        )}
      </div>
      {rehearsing.state === 'failed' && (
        <ErrorNotice title={say('Rehearsal failed')} error={rehearsing.error} />
      )}
      {rehearsing.state === 'done' && rehearsing.rehearsal && isRehearsed && (
        <RehearsalResult rehearsal={rehearsing.rehearsal} preview={plan.facts.contents?.migration ?? null} />
      )}
    </Section>
  );
}

function Elapsed({ since }: { since: number }) {
  return <Quiet small>{useElapsed(since)}</Quiet>;
}

interface MigrationPreviewListProps {
  preview: MigrationPreview;
  /** The legacy wallet's; null where it has none yet. */
  name: string | null;
}

/** The wallets that a migration would make: predicted from the file, or made by a rehearsal. */
export function MigrationPreviewList({ preview, name }: MigrationPreviewListProps) {
  const { unownedTransactions: unowned, leftOut } = preview;
  const stops = stopsOfEveryNode(preview);
  const wallets = previewedWallets(preview, name);
  return (
    <>
      {stops.length + unowned.total > 0 && (
        <Notice tone="read" title={say('A node refuses this migration')}>
          {stops.map((text) => (
            <p key={text}>{text}</p>
          ))}
          {unowned.total > 0 && <UnownedTransactions {...unowned} />}
        </Notice>
      )}
      {wallets.length === 0 ? (
        <Quiet>{say('Nothing to migrate.')}</Quiet>
      ) : (
        <List look="plain" label={say('Wallets after migration')}>
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

function UnownedTransactions({ total, shown }: MigrationPreview['unownedTransactions']) {
  const transactions = counted.transactions(total);
  return (
    <>
      <p>{say('{transactions} without an address of this wallet.', { transactions })}</p>
      <p>{say('Release 29 or earlier can remove them (removeprunedfunds).')}</p>
      <TextList label={say('Foreign transactions')} look="lines" texts={shown} most={50} total={total} mono />
    </>
  );
}

function RehearsalResult({ rehearsal, preview }: { rehearsal: Rehearsal; preview: MigrationPreview | null }) {
  const { leftOut } = rehearsal.proof;
  const wallets = rehearsedWallets(rehearsal, preview);
  return (
    <>
      <List look="plain" label={say('Rehearsed wallets')}>
        {wallets.map(({ part, name, title, meaning, contents, descriptors }) => (
          <WalletCard key={part} name={<WalletName name={name} />} title={title} meaning={meaning}>
            <p>{contents}</p>
            <DescriptorList descriptors={descriptors} />
          </WalletCard>
        ))}
      </List>
      {preview?.primary?.seed === 'fresh' && (
        <Notice tone="info" title={say('New addresses will differ')}>
          <p>{say('Each migration makes a new seed. Old addresses stay.')}</p>
        </Notice>
      )}
      <Title order={3}>{say('Proof')}</Title>
      <FactList facts={proofFacts(rehearsal.proof)} />
      {leftOut.length > 0 && (
        <>
          <Quiet>{leftOutWords(leftOut.length)}</Quiet>
          <Disclosure summary={say('Left out')}>
            <ScrollBox label={say('Left out')} mah="26em" p="10px 12px">
              <TextList label={say('Left out')} look="lines" texts={leftOut} most={500} mono />
            </ScrollBox>
          </Disclosure>
        </>
      )}
    </>
  );
}

/** Public descriptors of a wallet, each in full and with its purpose. */
export function DescriptorList({ descriptors }: { descriptors: TruncatedList<InspectedDescriptor> }) {
  return (
    <LongList items={descriptors} what="descriptors" row={descriptorRow} textOf={({ text }) => text ?? ''} />
  );
}

function descriptorRow(descriptor: InspectedDescriptor) {
  const { text } = descriptor;
  return (
    <>
      <div>{text === null ? say('Needs a private key.') : <CopyText text={text} />}</div>
      <div className="line small">{descriptorWords(descriptor)}</div>
    </>
  );
}

interface WalletCardProps {
  /** Null where it has none yet. */
  name: ReactNode;
  title: string;
  meaning: string;
  children: ReactNode;
}

function WalletCard({ name, title, meaning, children }: WalletCardProps) {
  return (
    <li className="card numbers">
      {name === null ? (
        <div className="name">{title}</div>
      ) : (
        <div className="pair">
          <span className="name">{name}</span>
          <span className="small">{title}</span>
        </div>
      )}
      <Quiet>{meaning}</Quiet>
      {children}
    </li>
  );
}

/** `preview`: where the seed comes from; null if the file could not be read. */
export function rehearsedWallets({ wallets }: Rehearsal, preview: MigrationPreview | null) {
  return wallets.map(({ part, name, found: { descriptors, transactions, labels } }) => ({
    part,
    name,
    descriptors,
    title: PART_TITLES[part],
    meaning: partMeaning(part, preview?.primary?.seed),
    contents: joinList([
      counted.descriptors(descriptors.total),
      counted.transactions(transactions.total),
      counted.labels(labels.total),
    ]),
  }));
}

/** Leaves out zero counts, except of labels and transactions, which every wallet may have. */
export function proofFacts(proof: MigrationProof): Row[] {
  const { scripts, solvable, ready, addressRecords, transactions, lockedCoins } = proof;
  const { old, primary, watchonly } = scripts;
  const found = say('{found, number} of {all, number}', { found: primary + watchonly, all: old });
  const apart = watchonly > 0 && say('{count, number} watch-only', { count: watchonly });
  return filled([
    [say('Scripts'), joinList([found, apart])],
    [say('Solvable scripts'), solvable > 0 ? formatCount(solvable) : null],
    [say('Additional unused keys'), ready > 0 ? formatCount(ready) : null],
    [say('Labels'), kept(addressRecords)],
    [say('Transactions'), kept(transactions)],
    [say('Locked coins'), lockedCoins > 0 ? kept(lockedCoins) : null],
  ]);
}

function kept(count: number): string {
  return count === 0 ? say('None') : say('{count, number} kept', { count });
}
