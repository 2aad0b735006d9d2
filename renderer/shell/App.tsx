/** The frame of the app: its places, what is true of all of them, and the place where the user is. */
// Before those of components, whose own rules count more.
import '../components/layout.module.css';
import { Button } from '@mantine/core';
import { type ReactNode, useLayoutEffect } from 'react';
import { say } from '../../shared/wording/say.ts';
import { ErrorNotice } from '../components/ErrorNotice.tsx';
import layout from '../components/layout.module.css';
import { Notice } from '../components/Notice.tsx';
import { PageHeading } from '../components/PageHeading.tsx';
import { Waiting } from '../components/Waiting.tsx';
import { Activity } from '../screens/activity/Activity.tsx';
import { Connect } from '../screens/connect/Connect.tsx';
import { WorkOffline } from '../screens/connect/WorkOffline.tsx';
import { Help } from '../screens/help/Help.tsx';
import { Inspect } from '../screens/inspect/Inspect.tsx';
import { CheckPage } from '../screens/job/plan/CheckPage.tsx';
import { JobPage } from '../screens/job/run/JobPage.tsx';
import { Settings } from '../screens/settings/Settings.tsx';
import { Start } from '../screens/start/Start.tsx';
import { Wallets } from '../screens/wallets/Wallets.tsx';
import { go, type Place, useApp, useNode } from '../state/appStore.ts';
import { attempt } from '../state/attempt.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { useFilePicker } from '../state/filePicker.ts';
import { usePlans } from '../state/plansStore.ts';
import styles from './App.module.css';
import { Boundary } from './Boundary.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { DropTarget } from './DropTarget.tsx';
import { FileDialog } from './file/FileDialog.tsx';
import { JobBar } from './JobBar.tsx';
import { Navigation } from './Navigation.tsx';

export function App() {
  const place = useApp((state) => state.place);
  const help = useApp((state) => state.help);
  const asked = useFilePicker((state) => state.asked);
  useFreshPage(place);
  return (
    <>
      <div className={styles.frame}>
        <a className={styles.skip} href="#place">
          {say('Skip to content')}
        </a>
        <Navigation />
        <div className={styles.side} data-wide={WIDE[place.at]}>
          <div className={styles.above}>
            <ConnectionBanner />
            <JobBar />
          </div>
          <main id="place" tabIndex={-1} className={styles.place}>
            <DropTarget />
            <Boundary key={JSON.stringify(place)}>
              <Started>
                <Here place={place} />
              </Started>
            </Boundary>
            <Planned shown={place.at === 'check'} />
          </main>
        </div>
        {help && <Help />}
      </div>
      {asked && <FileDialog key={JSON.stringify(asked)} {...asked} />}
    </>
  );
}

/** Waits for what the page must know of where it runs. */
function Started({ children }: { children: ReactNode }) {
  const ready = useApp(({ info }) => info !== null);
  const failure = useApp((state) => state.failure);
  if (failure) {
    return (
      <ErrorNotice error={failure} title={say('The app could not start')}>
        <Button variant="default" onClick={() => window.location.reload()}>
          {say('Reload')}
        </Button>
      </ErrorNotice>
    );
  }
  return ready ? children : <Waiting>{say('Starting…')}</Waiting>;
}

/** Stays in the window while another place is looked at: a passphrase typed there is nowhere else. */
function Planned({ shown }: { shown: boolean }) {
  const has = usePlans(({ drafts }) => drafts.length > 0);
  const node = useNode();
  if (!has || !node) return null;
  return (
    <div hidden={!shown}>
      <CheckPage />
    </div>
  );
}

function Here({ place }: { place: Place }) {
  const node = useNode();
  switch (place.at) {
    case 'connect':
      return <Connect />;
    case 'wallets':
      return node ? <Wallets node={node} /> : <NoNode title={TITLES.wallets} />;
    case 'start':
      return <Start />;
    case 'check':
      return node ? null : <NoNode title={TITLES.check} />;
    case 'job':
      return <JobPage key={place.id} id={place.id} />;
    case 'inspect':
      return <Inspect place={place} />;
    case 'activity':
      return <Activity />;
    case 'settings':
      return <Settings />;
  }
}

/** A place that has nothing to show until there is a node. */
function NoNode({ title }: { title: string }) {
  const showHelp = useApp((state) => state.showHelp);
  return (
    <>
      <PageHeading title={title} />
      <Notice tone="info" title={say('No node yet')}>
        <p>{say('Connect to a Bitcoin Core node, or work without one.')}</p>
        <div className={layout.row}>
          <Button onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</Button>
          <Button variant="default" onClick={() => showHelp(true)}>
            {say('I found an old wallet.dat')}
          </Button>
        </div>
      </Notice>
      <WorkOffline />
    </>
  );
}

/** How the place uses a large window: see the styles. */
const WIDE: Readonly<Partial<Record<Place['at'], 'table' | 'panes'>>> = {
  wallets: 'table',
  check: 'panes',
  job: 'panes',
  inspect: 'panes',
};

const TITLES: Readonly<Record<Place['at'], string>> = {
  connect: say('Connect to a node'),
  wallets: say('Wallets'),
  start: say('Start'),
  check: say('Check'),
  job: say('Progress'),
  inspect: say('Wallet file'),
  activity: say('Activity'),
  settings: say('Settings'),
};

/** Each place begins at its top and has its own title. */
function useFreshPage(place: Place): void {
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    document.title = `${TITLES[place.at]} – Wallet Ferry`;
    void attempt(() => bridge.call('app.at', { place: place.at }));
  }, [place]);
}
