/** Help beside the work: what to do with an old wallet file, the keyboard, and what the words mean. */
import { ActionIcon, Title } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { say } from '../../../shared/wording/say.ts';
import { ChooseFile } from '../../components/ChooseFile.tsx';
import { Disclosure } from '../../components/Disclosure.tsx';
import layout from '../../components/layout.module.css';
import { FactList } from '../../components/list/FactList.tsx';
import { List } from '../../components/list/List.tsx';
import { PathLine } from '../../components/PathLine.tsx';
import { glossary } from '../../components/text/glossary.ts';
import { SafeText, Say, Term } from '../../components/text/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import styles from './Help.module.css';

/** The work stays as it is: this stands beside it, or over it where there is no room. */
export function Help() {
  const close = useApp((state) => state.showHelp);
  const route = useApp((state) => state.route);
  const openedAt = useRef(route);
  const panel = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    // What it led to would lie under it.
    if (route !== openedAt.current && !window.matchMedia(BESIDE).matches) close(false);
    openedAt.current = route;
  }, [route, close]);
  useLayoutEffect(() => {
    const own = panel.current;
    const before = document.activeElement;
    heading.current?.focus({ preventScroll: true });
    return () => {
      const hadFocus = own?.contains(document.activeElement);
      if (hadFocus && before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <aside className={styles.panel} id="help" aria-label={say('Help')} ref={panel}>
      <div className={layout.ends}>
        <Title order={2} ref={heading} tabIndex={-1}>
          {say('Help')}
        </Title>
        <ActionIcon variant="subtle" aria-label={say('Close the help')} onClick={() => close(false)}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </div>
      <Disclosure startsOpen summary={say('I found an old wallet.dat')}>
        <FoundFile />
      </Disclosure>
      <Disclosure summary={say('Ask for help')}>
        <AskForHelp />
      </Disclosure>
      <Disclosure summary={say('Keyboard')}>
        <Keyboard />
      </Disclosure>
      <Disclosure summary={say('What the words mean')}>
        <FactList facts={TERMS} />
      </Disclosure>
    </aside>
  );
}

/** As its sheet of styles has it. */
const BESIDE = '(width >= 1400px)';

function FoundFile() {
  return (
    <ol className={styles.steps}>
      <Step title={say('Find the file')}>
        <p>{say('Bitcoin Core keeps wallet.dat, and a folder “wallets”, in its data folder:')}</p>
        <FactList facts={FOLDERS} />
        <List look="bullets">
          <li>{say('Backups can have any name. Search old disks and sticks too.')}</li>
          <li>{say('Write nothing to an old disk until the coins are safe.')}</li>
          <li>
            {say(
              'On another computer: close Bitcoin Core, then copy the file to a stick. Never mail it or put it in a cloud.',
            )}
          </li>
        </List>
      </Step>
      <Step title={say('Look inside')}>
        <p>{say('You see what it is and contains, and can try passphrases.')}</p>
        <div className={layout.row}>
          <ChooseFile />
          <span className={layout.dim}>{say('or drop it here')}</span>
        </div>
        <p>
          <Say
            text="Is the {passphrase} lost? Keep the file, and beware of offers to open it: whoever has both has the coins."
            values={{ passphrase: <Term word="passphrase" /> }}
          />
        </p>
      </Step>
      <Step title={say('Restore and migrate')}>
        <p>{say('Choose what the app suggests there. It first shows what will happen.')}</p>
        <List look="bullets">
          <li>
            {say('Best with a node of release 25 or later, but not 30.0 or 30.1: they can delete wallets.')}
          </li>
          <li>{say('Without a node, you see the last known balance and cannot send.')}</li>
        </List>
      </Step>
      <Step title={say('After that')}>
        <List look="bullets">
          <li>{say('Save a new backup. Keep the old file and its passphrase too.')}</li>
          <li>{say('Move large amounts to a wallet whose keys were never on an old computer.')}</li>
        </List>
      </Step>
    </ol>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className={`${layout.stack} ${styles.step}`}>
      <Title order={3} className={styles.title}>
        {title}
      </Title>
      {children}
    </li>
  );
}

function AskForHelp() {
  const log = useApp(({ info }) => info?.logPath);
  return (
    <>
      <p>{say('Show the report of the job, from History. If the app itself failed, show its log too.')}</p>
      <p>{say('The log has times and error codes: no names, paths, addresses, amounts or passphrases.')}</p>
      {log && <PathLine label={say('Log')} path={log} />}
    </>
  );
}

const FOLDERS = [
  { label: say('Linux'), folder: '~/.bitcoin' },
  { label: say('macOS'), folder: '~/Library/Application Support/Bitcoin' },
  { label: say('Windows'), folder: '%LOCALAPPDATA%\\Bitcoin, %APPDATA%\\Bitcoin' },
].map(({ label, folder }) => ({ label, value: <SafeText text={folder} mono /> }));

const TERMS = Object.values(glossary)
  .map(([label, value]) => ({ label, value }))
  .sort((a, b) => a.label.localeCompare(b.label));

/** What `takeShortcuts` and the desktop app's menu do. */
function Keyboard() {
  const info = useApp((state) => state.info);
  const command = info?.platform === 'darwin' ? '⌘' : say('Ctrl');
  const facts = [
    { label: say('Help'), keys: ['F1', '?'] },
    { label: say('Open a wallet file'), keys: [`${command} O`] },
    { label: say('Any action by name'), keys: [`${command} K`] },
    { label: say('Find a wallet'), keys: [`${command} F`] },
    { label: say('Settings'), keys: [`${command} ,`] },
    ...(info?.entry === 'electron'
      ? [
          {
            label: say('Home, All wallets, History, Node'),
            keys: [1, 2, 3, 4].map((key) => `${command} ${key}`),
          },
        ]
      : []),
    { label: say('Back'), keys: [info?.platform === 'darwin' ? '⌘ [' : `${say('Alt')} ←`] },
    { label: say('From wallet to wallet'), keys: ['↑', '↓'] },
    { label: say('Close this'), keys: [say('Esc')] },
  ];
  return (
    <FactList
      facts={facts.map(({ label, keys }) => ({
        label,
        value: (
          <span className={`${layout.line} ${styles.keys}`}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        ),
      }))}
    />
  );
}
