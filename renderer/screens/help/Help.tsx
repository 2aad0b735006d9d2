/** Help over the work: what to do with an old wallet file, the keyboard, and what the words mean. */
import { Drawer, Title } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { kindGroups } from '../../../shared/wording/findings/fileKindWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ChooseFile } from '../../components/fields.tsx';
import { type Fact, FactList, TextList } from '../../components/lists.tsx';
import { Disclosure, useReturnFocus } from '../../components/parts.tsx';
import { FileLine } from '../../components/paths.tsx';
import { glossary, SafeText, Say, Term } from '../../components/texts.tsx';
import { showHelp, useApp } from '../../state/appStore.ts';
import { useRequest } from '../../state/asking.ts';

/** A drawer over the page, which stays mounted. */
export function Help() {
  const route = useApp((state) => state.route);
  const [openedAt] = useState(route);
  useReturnFocus();
  useEffect(() => {
    // Close on navigation: the new page would be hidden behind the drawer.
    if (route !== openedAt) showHelp(false);
  }, [route, openedAt]);
  return (
    <Drawer opened onClose={() => showHelp(false)} position="right">
      <div className="apart">
        {/* The drawer's own title stands in a banner, of which the page has one. */}
        <div className="ends">
          <Drawer.Title fz="xl" fw={650}>
            {say('Help')}
          </Drawer.Title>
          <Drawer.CloseButton aria-label={say('Close the help')} />
        </div>
        <Disclosure startsOpen summary={say('I found an old wallet.dat')}>
          <FoundFile />
        </Disclosure>
        <Disclosure summary={say('Files and texts')}>
          <KnownKinds />
        </Disclosure>
        <Disclosure summary={say('Ask for help')}>
          <AskForHelp />
        </Disclosure>
        <Disclosure summary={say('Keyboard')}>
          <Keyboard />
        </Disclosure>
        <Disclosure summary={say('Glossary')}>
          <FactList facts={Object.values(glossary).sort(([one], [other]) => one.localeCompare(other))} />
        </Disclosure>
      </div>
    </Drawer>
  );
}

function FoundFile() {
  return (
    <ol className="apart">
      <Step title={say('1. Find the file')}>
        <p>{say('Look for wallet.dat and a folder “wallets” in:')}</p>
        <FactList facts={FOLDERS} />
        <p>{say('Write nothing to an old disk until the coins are safe.')}</p>
        <p>{say('On another computer, close Bitcoin Core and copy the file to a stick. Never mail it.')}</p>
      </Step>
      <Step title={say('2. Look inside')}>
        <ChooseFile />
        <p>
          <Say
            text="Lost the {passphrase}? Beware of offers to open the file: whoever has both has the coins."
            values={{ passphrase: <Term word="passphrase" /> }}
          />
        </p>
      </Step>
      <Step title={say('3. Restore and migrate')}>
        <p>{say('Use release 25 to 29, 30.2 or later, or work without a node.')}</p>
      </Step>
      <Step title={say('4. After that')}>
        <p>{say('Save a new backup. Keep the old file and passphrase.')}</p>
        <p>{say('Move large amounts to a newly created wallet.')}</p>
      </Step>
    </ol>
  );
}

function Step({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="stack">
      <Title order={3}>{title}</Title>
      {children}
    </li>
  );
}

function KnownKinds() {
  const look = useRequest('files.kinds', {});
  if (look.state !== 'known') return null;
  const { supported, others } = kindGroups(look.found.kinds);
  return (
    <>
      <p>{say('Supported files')}</p>
      <TextList texts={supported} />
      <p>{say('Other files')}</p>
      <FactList facts={others.map(({ advice, kinds }) => [advice, kinds])} />
    </>
  );
}

function AskForHelp() {
  const log = useApp(({ info }) => info?.logPath);
  return (
    <>
      <p>{say('Show the job’s report (History), or the log.')}</p>
      <p>{say('Neither has names, paths, addresses, amounts or passphrases.')}</p>
      {log && <FileLine name={say('Log')} path={log} />}
    </>
  );
}

const FOLDERS = Object.entries({
  [say('Linux')]: '~/.bitcoin',
  [say('macOS')]: '~/Library/Application Support/Bitcoin',
  [say('Windows')]: '%LOCALAPPDATA%\\Bitcoin, %APPDATA%\\Bitcoin',
}).map(([label, folder]): Fact => [label, <SafeText key={label} text={folder} mono />]);

/** What `takeShortcuts` and the desktop app's menu do. */
function Keyboard() {
  const info = useApp((state) => state.info);
  const command = info?.platform === 'darwin' ? '⌘' : say('Ctrl');
  const keys = {
    [say('Help')]: ['F1', '?'],
    [say('Open a wallet file')]: [`${command} O`],
    [say('Any action by name')]: [`${command} K`],
    [say('Find a wallet')]: [`${command} F`],
    [say('Settings')]: [`${command} ,`],
    ...(info?.entry === 'electron' && {
      [say('Home, All wallets, History, Node')]: [1, 2, 3, 4].map((key) => `${command} ${key}`),
    }),
    [say('Back')]: [info?.platform === 'darwin' ? '⌘ [' : `${say('Alt')} ←`],
    [say('From wallet to wallet')]: ['↑', '↓'],
    [say('Close this')]: [say('Esc')],
  };
  const facts = Object.entries(keys).map(
    ([label, all]): Fact => [label, <kbd key={label}>{all.join('  ')}</kbd>],
  );
  return <FactList facts={facts} />;
}
