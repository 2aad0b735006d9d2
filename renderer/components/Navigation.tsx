/** The places of the app, how it stands with its node, and the theme. */
import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import {
  IconFileImport,
  IconFileSearch,
  IconHistory,
  IconLifebuoy,
  IconMoon,
  IconServer2,
  IconSun,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Connection } from '../../shared/model.ts';
import { say } from '../../shared/say.ts';
import { type Place, useApp } from '../state/appStore.ts';
import { networkName } from '../words/networkName.ts';
import styles from './Navigation.module.css';

interface Entry {
  label: string;
  Icon: TablerIcon;
  place: Place;
  /** The places that it is the current one for. */
  covers: readonly Place['at'][];
}

const ENTRIES: readonly Entry[] = [
  {
    label: say('Wallets'),
    Icon: IconWallet,
    place: { at: 'wallets' },
    covers: ['wallets', 'migrate', 'migrate-many', 'backup'],
  },
  {
    label: say('Restore a backup'),
    Icon: IconFileImport,
    place: { at: 'restore', file: null, operation: null },
    covers: ['restore'],
  },
  {
    label: say('Inspect a file'),
    Icon: IconFileSearch,
    place: { at: 'inspect', source: null },
    covers: ['inspect'],
  },
  { label: say('Activity'), Icon: IconHistory, place: { at: 'activity' }, covers: ['activity'] },
  { label: say('Node'), Icon: IconServer2, place: { at: 'connect' }, covers: ['connect'] },
  { label: say('Guide'), Icon: IconLifebuoy, place: { at: 'guide' }, covers: ['guide'] },
];

export function Navigation() {
  const at = useApp(({ place }) => place.at);
  const go = useApp((state) => state.go);
  return (
    <div className={styles.column}>
      <nav className={styles.nav} aria-label={say('Places')}>
        <div className={styles.name}>
          <Mark />
          <span className={styles.nameText}>{say('Wallet Ferry')}</span>
        </div>
        <ul className={styles.entries}>
          {ENTRIES.map(({ label, Icon, place, covers }) => (
            <li key={label}>
              <button
                type="button"
                className={styles.entry}
                aria-current={covers.includes(at) ? 'page' : undefined}
                onClick={() => go(place)}
              >
                <Icon size={19} stroke={1.7} aria-hidden />
                <span>{label}</span>
              </button>
            </li>
          ))}
        </ul>
        <div className={styles.foot}>
          <Standing />
          <ThemeToggle />
        </div>
      </nav>
    </div>
  );
}

function Standing() {
  const connection = useApp((state) => state.connection);
  return (
    <div className={styles.standing} data-state={connection.state}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.standingText}>
        {standingOf(connection)}
        {(connection.state === 'connected' || connection.state === 'lost') && (
          <span className={styles.network}>
            {networkName(connection.node.network)}
            {!connection.node.offline && ` · ${connection.node.release.text}`}
          </span>
        )}
      </span>
    </div>
  );
}

function standingOf(connection: Connection): string {
  const { state } = connection;
  if (state === 'connected') return connection.node.offline ? say('Without a node') : say('Connected');
  if (state === 'lost') return connection.node.offline ? say('Engine stopped') : say('Line lost');
  return state === 'starting' ? say('Node is starting') : say('No node');
}

function ThemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  const Icon = other === 'dark' ? IconMoon : IconSun;
  return (
    <button type="button" className={styles.entry} onClick={() => setColorScheme(other)}>
      <Icon size={19} stroke={1.7} aria-hidden />
      <span>{other === 'dark' ? say('Dark theme') : say('Light theme')}</span>
    </button>
  );
}

/** A ferry under way: hull, cabin and the water. */
function Mark() {
  return (
    <svg className={styles.mark} viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path d="M4 17h24l-3.4 6.2a2 2 0 0 1-1.8 1H9.2a2 2 0 0 1-1.8-1z" fill="currentColor" />
      <path d="M9 15V9.5A1.5 1.5 0 0 1 10.5 8H19l4 7z" fill="currentColor" opacity="0.55" />
      <path
        d="M3 28c2.2 0 2.2-1.5 4.3-1.5S9.5 28 11.7 28s2.2-1.5 4.3-1.5 2.2 1.5 4.3 1.5 2.2-1.5 4.4-1.5S26.8 28 29 28"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
