/** The frame of the app: the sidebar, the notices for all pages, and the page. */
import { Button } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { Component, type ReactNode, useEffect, useLayoutEffect } from 'react';
import { create } from 'zustand';
import type { AppErrorShape } from '../../shared/model/errors.ts';
import { haveSameWallets } from '../../shared/model/job.ts';
import type { Connection } from '../../shared/model/node.ts';
import { errorShapeOf } from '../../shared/wording/findings/findingWords.ts';
import { formatClock } from '../../shared/wording/format/formatTime.ts';
import { say } from '../../shared/wording/say.ts';
import { AskingButton, SmallButton, Waiting } from '../components/buttons.tsx';
import { ErrorNotice, isShortWindow, Notice, PageHeading } from '../components/parts.tsx';
import { SafeText } from '../components/texts.tsx';
import { Home } from '../screens/home/Home.tsx';
import { disconnect, go, type Route, useApp, useNode, workOffline } from '../state/appStore.ts';
import { attempt } from '../state/asking.ts';
import { hasQueued, useBackups } from '../state/backupsStore.ts';
import { bridge, START_AGAIN } from '../state/bridge.ts';
import { isBatchRunning, useDrafts } from '../state/draftsStore.ts';
import { useFilePicker } from '../state/filePicker.ts';
import { isShownAt, useJobs } from '../state/jobsStore.ts';
import styles from './App.module.css';
import { DropTarget } from './DropTarget.tsx';
import { goBack } from './keepHistory.ts';
import { Sidebar } from './Sidebar.tsx';

/** What the first screen does not need; null until it has loaded, right after the first frame, so that the page is usable sooner. */
const useLaterParts = create<{ parts: typeof import('./later.ts') | null }>()(() => ({ parts: null }));

/**
 * Loads it all at once, and without waiting for a click: later, another program could own the app's port and send other
 * code.
 */
export async function loadLaterParts(): Promise<void> {
  useLaterParts.setState({ parts: await import('./later.ts') });
}

export function App() {
  const route = useApp((state) => state.route);
  const help = useApp((state) => state.help);
  const { question, synced } = useFilePicker();
  const { parts } = useLaterParts();
  useFreshPage(route);
  // An effect runs after the first frame.
  useEffect(() => void loadLaterParts(), []);
  return (
    <>
      <div className={styles.frame}>
        <a className={styles.skip} href="#page">
          {say('Skip to content')}
        </a>
        <Sidebar />
        <div className={styles.side} data-wide={WIDE[route.at]}>
          <header className={styles.above}>
            {route.at !== 'home' && (
              <SmallButton
                variant="subtle"
                leftSection={<IconArrowLeft size={16} aria-hidden />}
                onClick={goBack}
              >
                {say('Back')}
              </SmallButton>
            )}
            <ConnectionBanner />
          </header>
          <main id="page" tabIndex={-1} className={styles.page}>
            <DropTarget />
            <div key={keyOf(route)} className={styles.fresh}>
              <Boundary>
                <Started>
                  <Page route={route} />
                </Started>
              </Boundary>
            </div>
            <Several isShown={route.at === 'batch'} />
          </main>
        </div>
      </div>
      {parts && help && <parts.Help />}
      {parts && <parts.CommandPalette />}
      {parts && question && <parts.FileDialog key={JSON.stringify(question)} {...question} />}
      {parts && synced && <parts.SyncedFolder {...synced} />}
    </>
  );
}

function Started({ children }: { children: ReactNode }) {
  const ready = useApp(({ info }) => info !== null);
  const failure = useApp((state) => state.failure);
  if (failure) return <Failure title={say('Start failed')} error={failure} />;
  return ready ? children : <Waiting>{say('Starting…')}</Waiting>;
}

/** Keeps an error of one page from blanking the window. Each page has its own boundary, by the `key` around it. */
class Boundary extends Component<{ children: ReactNode }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <>
        <PageHeading title={say('Page failed')} />
        <Failure title={say('The node continues.')} error={errorShapeOf(null)} />
      </>
    );
  }
}

function Failure({ title, error }: { title: string; error: AppErrorShape }) {
  return (
    <ErrorNotice error={error} title={title}>
      <Button variant="default" onClick={() => window.location.reload()}>
        {say('Reload')}
      </Button>
    </ErrorNotice>
  );
}

/** Keeps the page of a wallet mounted when its job starts, so that typed text stays. */
function keyOf(route: Route): string {
  return route.at === 'wallet' ? JSON.stringify(route.source) : route.at;
}

function Page({ route }: { route: Route }) {
  const node = useNode();
  const { parts } = useLaterParts();
  if (route.at === 'home') return <Home />;
  if (node === null && (route.at === 'wallets' || route.at === 'batch')) return <NoNode />;
  if (parts === null) return null;
  switch (route.at) {
    case 'wallet':
      return <parts.WalletPage route={route} />;
    case 'wallets':
      return node && <parts.Wallets node={node} />;
    case 'batch':
      return null;
    case 'connect':
      return <parts.Connect />;
    case 'history':
      return <parts.History />;
    case 'settings':
      return <parts.Settings />;
  }
}

/** Stays mounted while another page is shown: its fields are the only place of the typed passphrases. */
function Several({ isShown }: { isShown: boolean }) {
  const isOpen = useDrafts(({ batch }) => batch !== 'none');
  const node = useNode();
  const { parts } = useLaterParts();
  if (!isOpen || node === null || parts === null) return null;
  return (
    <div hidden={!isShown}>
      <parts.Batch />
    </div>
  );
}

function NoNode() {
  return (
    <>
      <PageHeading title={TITLES.wallets} />
      <Notice tone="info" title={say('No node yet')}>
        <Button onClick={() => go({ at: 'connect' })}>{say('Connect to a node')}</Button>
      </Notice>
    </>
  );
}

/** The layout of the page in a large window: see the styles. */
const WIDE: Readonly<Partial<Record<Route['at'], 'table' | 'beside'>>> = {
  wallets: 'table',
  wallet: 'beside',
};

const TITLES: Readonly<Record<Exclude<Route['at'], 'wallet'>, string>> = {
  home: say('Home'),
  wallets: say('All wallets'),
  batch: say('Several wallets'),
  connect: say('Connect to a node'),
  history: say('History'),
  settings: say('Settings'),
};

/** Scrolls each page to its top and sets its title. The page of a wallet sets its own title. */
function useFreshPage(route: Route): void {
  useLayoutEffect(() => {
    const page = document.getElementById('page');
    // A short window has no room for both the sidebar and the next step.
    window.scrollTo(0, route.at === 'wallet' && page && isShortWindow() ? page.offsetTop : 0);
    if (route.at !== 'wallet') document.title = `${TITLES[route.at]} – Wallet Ferry`;
  }, [route]);
  const [hasPlans, hasBackups] = [useDrafts(isBatchRunning), useBackups(hasQueued)];
  const waits = hasPlans || hasBackups;
  useEffect(() => void attempt(() => bridge.call('app.at', { route: route.at, waits })), [route, waits]);
}

/** Empty while connected. The region stays in the page, so that screen readers speak what appears in it. */
export function ConnectionBanner() {
  const served = useApp((state) => state.served);
  const connection = useApp((state) => state.connection);
  const route = useApp((state) => state.route);
  const jobs = useJobs((state) => state.jobs);
  // The page of a job on this node shows it itself.
  const isToldThere =
    connection.state === 'lost' &&
    jobs.some(
      (job) =>
        job.state === 'running' &&
        job.connection === 'lost' &&
        haveSameWallets(job.node, connection.node) &&
        isShownAt(route, job),
    );
  return (
    <div role="status" aria-label={say('Connection')}>
      {!served && (
        <Notice tone="danger" title={say('Wallet Ferry does not answer')}>
          {START_AGAIN}
        </Notice>
      )}
      {served && connection.state === 'lost' && !isToldThere && <Lost {...connection} />}
      {served && connection.state === 'starting' && (
        <Notice tone="info" title={say('The node is starting')}>
          <p>
            <SafeText text={connection.label} />: <SafeText text={connection.message} lines />
          </p>
          <SmallButton onClick={() => void disconnect()}>{say('Stop waiting')}</SmallButton>
        </Notice>
      )}
    </div>
  );
}

function Lost(props: Extract<Connection, { state: 'lost' }>) {
  const {
    node: { offline, walletsFolder, network },
    error,
    since,
  } = props;
  // It answered before, so its address and its settings are right.
  const isGone = !offline && error.code === 'cannot_connect';
  return (
    <Notice tone="read" title={offline ? say('Offline engine stopped') : say('Disconnected')}>
      <p>
        {say('Since {time}:', { time: formatClock(since) })} <SafeText text={error.message} lines />{' '}
        <SafeText text={isGone ? say('Start the node if it stopped.') : error.hint} lines />{' '}
        {!offline && say('Still trying.')}
      </p>
      {offline && (
        <AskingButton call={() => workOffline({ walletsFolder, network })} failed={say('Start failed')}>
          {say('Start again')}
        </AskingButton>
      )}
    </Notice>
  );
}
