/** The places of the app, how it stands with its node, and the help. */
import {
  IconFileSearch,
  IconHistory,
  IconLifebuoy,
  IconListCheck,
  IconServer2,
  IconSettings,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react';
import type { Connection } from '../../shared/model/node.ts';
import { networkName } from '../../shared/wording/format/networkName.ts';
import { say } from '../../shared/wording/say.ts';
import icon from '../icon.svg';
import { go, type Place, useApp } from '../state/appStore.ts';
import { usePlans } from '../state/plansStore.ts';
import styles from './Navigation.module.css';

interface Entry {
  label: string;
  Icon: TablerIcon;
  place: Place;
  /** The places that it is the current one for. */
  covers: readonly Place['at'][];
}

const ENTRIES: readonly Entry[] = [
  { label: say('Start'), Icon: IconFileSearch, place: { at: 'start' }, covers: ['start', 'inspect'] },
  { label: say('Wallets'), Icon: IconWallet, place: { at: 'wallets' }, covers: ['wallets', 'job'] },
  { label: say('Check'), Icon: IconListCheck, place: { at: 'check' }, covers: ['check'] },
  { label: say('Activity'), Icon: IconHistory, place: { at: 'activity' }, covers: ['activity'] },
  { label: say('Node'), Icon: IconServer2, place: { at: 'connect' }, covers: ['connect'] },
  { label: say('Settings'), Icon: IconSettings, place: { at: 'settings' }, covers: ['settings'] },
];

export function Navigation() {
  const at = useApp(({ place }) => place.at);
  // The way back to what was planned, after a look elsewhere.
  const hasPlans = usePlans(({ drafts }) => drafts.length > 0);
  return (
    <nav className={styles.nav} aria-label={say('Places')}>
      <div className={styles.name}>
        <img src={icon} className={styles.mark} width={28} height={28} alt="" />
        <span className={styles.nameText}>{say('Wallet Ferry')}</span>
      </div>
      <ul className={styles.entries}>
        {ENTRIES.filter(({ place }) => place.at !== 'check' || hasPlans).map(
          ({ label, Icon, place, covers }) => (
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
          ),
        )}
      </ul>
      <div className={styles.foot}>
        <Standing />
        <HelpToggle />
      </div>
    </nav>
  );
}

function Standing() {
  const connection = useApp((state) => state.connection);
  return (
    <div className={styles.standing} data-state={connection.state}>
      <span className={styles.dot} aria-hidden />
      <span className={styles.standingText}>
        {standingOf(connection)}
        {'node' in connection && (
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
  if (state === 'lost') return connection.node.offline ? say('Offline engine stopped') : say('Disconnected');
  return state === 'starting' ? say('Node is starting') : say('No node');
}

/** The help stands beside the place: that stays as it is. */
function HelpToggle() {
  const help = useApp((state) => state.help);
  const showHelp = useApp((state) => state.showHelp);
  return (
    <button
      type="button"
      className={styles.entry}
      aria-expanded={help}
      aria-controls={help ? 'help' : undefined}
      onClick={() => showHelp(!help)}
    >
      <IconLifebuoy size={19} stroke={1.7} aria-hidden />
      <span>{say('Help')}</span>
    </button>
  );
}
