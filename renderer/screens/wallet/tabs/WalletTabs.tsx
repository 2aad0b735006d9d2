/** All that is known of a wallet, by subject. */
import { Tabs } from '@mantine/core';
import { useState } from 'react';
import { say } from '../../../../shared/wording/say.ts';
import layout from '../../../components/layout.module.css';
import { List } from '../../../components/lists.tsx';
import { Waiting } from '../../../components/progress.tsx';
import { Quiet } from '../../../components/texts.tsx';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { JobRow } from '../../history/History.tsx';
import { AddressesAndLabels, Transactions } from './InspectContentsLists.tsx';
import { InspectExport } from './InspectExport.tsx';
import { Overview } from './Overview.tsx';
import { hasTechnical, Technical } from './Technical.tsx';

const TITLES = {
  overview: say('Overview'),
  transactions: say('Transactions'),
  addresses: say('Addresses and labels'),
  technical: say('Technical'),
  export: say('Export'),
  history: say('History'),
} as const;
type Tab = keyof typeof TITLES;

export function WalletTabs({ page, isBeside }: { page: WalletPageState; isBeside: boolean }) {
  const { route, inspection, inspecting, facts, jobs, network, read } = page;
  const hasContents = inspection !== null || read !== null || inspecting.state === 'looking';
  const isBitcoins = hasContents && inspection?.coin.verdict !== 'other';
  const tabs: Tab[] = [
    ...(hasContents ? (['overview'] as const) : []),
    ...(isBitcoins ? (['transactions', 'addresses'] as const) : []),
    ...(!isBeside && hasTechnical(page) ? (['technical'] as const) : []),
    ...(isBitcoins && facts?.kind !== 'other' ? (['export'] as const) : []),
    ...(jobs.length > 0 ? (['history'] as const) : []),
  ];
  const [chosen, setChosen] = useState<{ route: typeof route; tab: string | null }>({
    route,
    tab: route.tab ?? null,
  });
  if (chosen.route !== route) setChosen({ route, tab: route.tab ?? null });
  // Nothing opens in the place of an overview that is not there yet.
  const first = read === null ? 'overview' : null;
  const tab = tabs.find((one) => one === (chosen.tab ?? first));
  if (tabs.length === 0) return null;
  return (
    <Tabs
      value={tab ?? null}
      onChange={(value) => {
        setChosen({ route, tab: value });
        if (value !== 'technical' && value !== 'history') read?.();
      }}
      keepMounted={false}
      aria-label={say('About this wallet')}
    >
      <Tabs.List>
        {tabs.map((one) => (
          <Tabs.Tab key={one} value={one}>
            {TITLES[one]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tab !== undefined && (
        <Tabs.Panel value={tab} pt="md" className={layout.page}>
          {inspecting.state === 'looking' && inspection === null && (
            <Waiting onCancel={inspecting.cancel}>{say('Reading the file…')}</Waiting>
          )}
          {tab === 'overview' && inspection && <Overview page={page} inspection={inspection} />}
          {tab === 'transactions' && inspection && <Transactions inspection={inspection} />}
          {tab === 'addresses' && inspection && <AddressesAndLabels inspection={inspection} />}
          {tab === 'technical' && <Technical page={page} />}
          {tab === 'export' && inspection && (
            <InspectExport source={route.source} facts={facts} inspection={inspection} network={network} />
          )}
          {tab === 'history' && (
            <>
              <Quiet>{say('What this app did with this wallet.')}</Quiet>
              <List look="boxed" label={say('Jobs')} roomy>
                {jobs.map((one) => (
                  <li key={one.id}>
                    <JobRow job={one} />
                  </li>
                ))}
              </List>
            </>
          )}
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
