/** All that is known of a wallet, by subject: its tabs, and its long lists. */
import { Tabs } from '@mantine/core';
import { useRef, useState } from 'react';
import { isPastedText } from '../../../../shared/model/files.ts';
import type {
  InspectedLabel,
  InspectedScript,
  InspectedState,
  InspectedTransaction,
  Inspection,
} from '../../../../shared/model/inspection.ts';
import { haveSameWallets } from '../../../../shared/model/job.ts';
import { formatBitcoin } from '../../../../shared/model/money.ts';
import type { Network } from '../../../../shared/model/network.ts';
import { questionOf } from '../../../../shared/model/plan.ts';
import { balanceWords } from '../../../../shared/wording/balanceWords.ts';
import { asSentence } from '../../../../shared/wording/findings/hints.ts';
import { stopsOfEveryNode } from '../../../../shared/wording/findings/migrationWords.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { joinWithSemicolons } from '../../../../shared/wording/format/perRegion.ts';
import {
  amountNetwork,
  birthWords,
  flagWords,
  isUnreadable,
  mayMissEntries,
  multisigWords,
  noneWords,
  OWNERSHIP_NAMES,
} from '../../../../shared/wording/inspectionWords.ts';
import { previewedWallets } from '../../../../shared/wording/proofWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText, SmallButton, Waiting } from '../../../components/buttons.tsx';
import { FactList, LongList } from '../../../components/lists.tsx';
import { Section, Tag } from '../../../components/parts.tsx';
import { Quiet, SafeText, Say, Term } from '../../../components/texts.tsx';
import { useJobs } from '../../../state/jobsStore.ts';
import { migratesHere, type WalletPageState } from '../../../state/useWalletPage.ts';
import { JobList } from '../../history/History.tsx';
import { TryPassphrase } from '../action/PassphraseField.tsx';
import { whereToGo } from '../job/KeepOld.tsx';
import { InspectExport } from './InspectExport.tsx';
import { MigrationPreviewList } from './PlanDetails.tsx';
import { hasTechnical, Technical } from './Technical.tsx';

const TABS = [
  ['overview', say('Overview')],
  ['transactions', say('Transactions')],
  ['addresses', say('Addresses and labels')],
  ['technical', say('Technical')],
  ['export', say('Export')],
  ['history', say('History')],
] as const;
type Tab = (typeof TABS)[number][0];

/** The same tabs in every state. Only the kind of wallet, or a window with room beside the page, removes one. */
export function WalletTabs({ page, isBeside }: { page: WalletPageState; isBeside: boolean }) {
  const { route, inspection, facts, read } = page;
  const hidden = new Set<Tab>(isBeside ? ['technical'] : []);
  if (facts?.kind === 'other') hidden.add('export');
  if (inspection?.coin.verdict === 'other')
    for (const one of ['transactions', 'addresses', 'export'] as const) hidden.add(one);
  const tabs = TABS.filter(([one]) => !hidden.has(one));
  const [chosen, setChosen] = useState<{ route: typeof route; tab: string | null }>({
    route,
    tab: route.tab ?? null,
  });
  if (chosen.route !== route) setChosen({ route, tab: route.tab ?? null });
  const [tab] = tabs.find(([one]) => one === chosen.tab) ?? TABS[0];
  const root = useRef<HTMLDivElement>(null);
  const needsFile = (one: string | null) =>
    one === 'technical' ? !hasTechnical(page) : one !== 'history' && inspection === null;
  return (
    <Tabs
      ref={root}
      // Below the line with Back.
      style={{ scrollMarginTop: 42 }}
      value={tab}
      onChange={(value) => {
        setChosen({ route, tab: value });
        if (needsFile(value)) read?.();
        // In a low window, what it shows is below the edge.
        requestAnimationFrame(() => root.current?.scrollIntoView({ block: 'nearest' }));
      }}
      keepMounted={false}
      aria-label={say('About this wallet')}
    >
      <Tabs.List>
        {tabs.map(([one, title]) => (
          <Tabs.Tab key={one} value={one}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="md" className="page">
        {needsFile(tab) ? <NotRead page={page} /> : <Contents tab={tab} page={page} />}
      </Tabs.Panel>
    </Tabs>
  );
}

function NotRead({ page: { inspecting, read, job, node } }: { page: WalletPageState }) {
  const isElsewhere = job !== null && (node === null || !haveSameWallets(job.node, node));
  if (inspecting.state === 'looking')
    return <Waiting onCancel={inspecting.cancel}>{say('Reading the file…')}</Waiting>;
  if (read !== null)
    return (
      <div className="row">
        <SmallButton onClick={read}>{say('Read its file')}</SmallButton>
      </div>
    );
  return (
    <Quiet>
      {job?.state === 'running'
        ? say('Shown after the job.')
        : isElsewhere
          ? whereToGo(job.node)
          : say('The app cannot read its file.')}
    </Quiet>
  );
}

function Contents({ tab, page }: { tab: Tab; page: WalletPageState }) {
  const { route, facts, network, inspection, jobs } = page;
  const all = useJobs((state) => state.jobs);
  if (tab === 'history') return <JobList jobs={jobs} all={all} />;
  if (tab === 'technical') return <Technical page={page} />;
  if (inspection === null) return null;
  switch (tab) {
    case 'overview':
      // What is left of an incomplete file says nothing about the wallet.
      return inspection.incomplete === null ? (
        <Overview page={page} inspection={inspection} />
      ) : (
        <Quiet>
          {page.copied === null
            ? say('Incomplete: it does not show what the wallet holds.')
            : say('Put the old wallet back to see its details.')}
        </Quiet>
      );
    case 'transactions':
      return <Transactions inspection={inspection} />;
    case 'addresses':
      return <AddressesAndLabels inspection={inspection} />;
    case 'export':
      return <InspectExport source={route.source} facts={facts} inspection={inspection} network={network} />;
  }
}

function Transactions({ inspection }: { inspection: Inspection }) {
  const { transactions, network } = inspection;
  return (
    <Section title={say('Transactions')}>
      {transactions.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
      <LongList
        items={transactions}
        what="transactions"
        isOpen
        row={(transaction) => transactionRow(transaction, amountNetwork(network))}
        textOf={({ txid, time }) => `${txid} ${formatTime(time)}`}
      />
    </Section>
  );
}

function AddressesAndLabels({ inspection }: { inspection: Inspection }) {
  const { scripts, labels, lockedCoins } = inspection;
  return (
    <>
      <Section title={say('Addresses')}>
        {labels.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
        <LongList
          items={labels}
          what="labels"
          isOpen
          row={labelRow}
          textOf={({ address, label }) => `${label ?? ''} ${address}`}
        />
      </Section>
      {scripts.total > 0 && (
        <Section title={say('Scripts')}>
          <Quiet>
            <Say
              text="{watched} and {solvable}, such as multisig."
              values={{
                watched: <Term word="watch-only">{say('Watched')}</Term>,
                solvable: <Term word="solvable" />,
              }}
            />
          </Quiet>
          <LongList
            items={scripts}
            what="scripts"
            row={scriptRow}
            textOf={({ script, address, kind }) => `${address ?? ''} ${script} ${kind}`}
          />
        </Section>
      )}
      {lockedCoins.total > 0 && (
        <Section title={say('Locked coins')}>
          <LongList
            items={lockedCoins}
            what="lockedCoins"
            row={({ txid, index }) => (
              <Say
                text="Output {index, number} of {txid}"
                values={{ index, txid: <CopyText text={txid} /> }}
              />
            )}
            textOf={({ txid }) => txid}
          />
        </Section>
      )}
    </>
  );
}

function scriptRow({ script, address, kind, multisig, ownership }: InspectedScript) {
  return (
    <>
      <div>
        <CopyText text={address ?? script} />
      </div>
      <div className="line small">
        <Tag tone={ownership === 'not-mine' ? 'read' : 'plain'}>{OWNERSHIP_NAMES[ownership]}</Tag>
        <span>
          {multisig && kind !== 'multisig' && <>{kind} · </>}
          {multisig ? multisigWords(multisig) : kind}
        </span>
      </div>
    </>
  );
}

function labelRow({ address, label, purpose }: InspectedLabel) {
  return (
    <>
      <div>
        {label === null || label === '' ? (
          <span className="dim">{say('Without a label')}</span>
        ) : (
          <SafeText text={label} />
        )}
      </div>
      <div className="line small">
        <CopyText text={address} />
        {purpose !== null && (
          <Tag>{Object.hasOwn(PURPOSES, purpose) ? PURPOSES[purpose] : <SafeText text={purpose} />}</Tag>
        )}
      </div>
    </>
  );
}

const PURPOSES: Readonly<Partial<Record<string, string>>> = {
  receive: say('To receive'),
  send: say('To send to'),
};

function transactionRow(transaction: InspectedTransaction, network: Network) {
  const { txid, time, state, coinbase, spendable, watched } = transaction;
  const own = spendable.received - spendable.spent;
  const watchedAmount = watched.received - watched.spent;
  const onlySeen = spendable.received === 0n && spendable.spent === 0n;
  return (
    <>
      <div className="pair">
        <span>{formatTime(time)}</span>
        <span className="name">
          {onlySeen
            ? say('{amount} watched', { amount: signed(watchedAmount, network) })
            : signed(own, network)}
        </span>
      </div>
      <div className="line small">
        <CopyText text={txid} />
        {STATES[state] && <Tag tone="read">{STATES[state]}</Tag>}
        {coinbase && <Tag>{say('Block reward')}</Tag>}
        {!onlySeen && watchedAmount !== 0n && (
          <span>{say('{amount} watched', { amount: signed(watchedAmount, network) })}</span>
        )}
      </div>
    </>
  );
}

function signed(amount: bigint, network: Network): string {
  return `${amount > 0n ? '+' : ''}${formatBitcoin(amount, network)}`;
}

const STATES: Readonly<Record<InspectedState, string | null>> = {
  confirmed: null,
  unconfirmed: say('Unconfirmed'),
  conflicted: say('In conflict'),
  abandoned: say('Abandoned'),
};

export function Overview({ page, inspection }: { page: WalletPageState; inspection: Inspection }) {
  const { route, facts, job, draft } = page;
  const { source } = route;
  const { migration, encryption } = inspection;
  const isOpen = job === null && !isUnreadable(inspection);
  const showsMigration =
    isOpen && inspection.coin.verdict !== 'other' && isNotable(inspection) && !isPastedText(facts);
  // The action card asks for the passphrase then. A field here would disappear, with its text, when the card appears.
  const isAsked =
    draft === null
      ? mayGetCard(page, inspection)
      : draft.waits === 'passphrase' ||
        (draft.plan
          ? questionOf(draft.plan, 'passphrase') !== undefined
          : draft.isPlanning || draft.action === 'rescue');
  return (
    <>
      <WhatItIs inspection={inspection} />
      {showsMigration && migration && (
        <Section
          title={<Say text="After the {migration}" values={{ migration: <Term word="migration" /> }} />}
        >
          {mayMissEntries(inspection) && <Quiet>{asSentence(say('Only the readable part'))}</Quiet>}
          <MigrationPreviewList preview={migration} name={source.by === 'wallet' ? source.name : null} />
        </Section>
      )}
      {encryption && isOpen && !isAsked && (
        <TryPassphrase source={source} secondsPerTry={encryption.secondsPerTry} />
      )}
    </>
  );
}

/** Whether an action is still to be suggested, whose card may ask for the passphrase. */
function mayGetCard(page: WalletPageState, { network }: Inspection): boolean {
  if (page.route.source.by === 'file') return network.name !== 'unknown';
  return page.wallet === null || migratesHere(page);
}

/** Whether the migration does more than turn a whole wallet into one of the same name. */
function isNotable(inspection: Inspection): boolean {
  const { migration } = inspection;
  if (migration === null) return false;
  const { unownedTransactions, leftOut } = migration;
  const isPlain = stopsOfEveryNode(migration).length + unownedTransactions.total + leftOut === 0;
  return !isPlain || previewedWallets(migration, null).length !== 1 || mayMissEntries(inspection);
}

/** What the top of the page does not say. */
function WhatItIs({ inspection }: { inspection: Inspection }) {
  const { coin, kind } = inspection;
  const flags = inspection.flags.flatMap((flag) => flagWords(flag) ?? []);
  return (
    <FactList
      facts={[
        [say('Kind'), kind === 'descriptor' && say('Descriptor wallet. Needs no migration.')],
        [say('Created'), birthWords(inspection.birth).when],
        ...(coin.verdict === 'other' ? [] : balanceWords(inspection).parts),
        [say('Special'), flags.length > 0 && joinWithSemicolons(flags)],
      ]}
    />
  );
}
