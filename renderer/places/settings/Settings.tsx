/** What a person can set, and what the app keeps on this computer. */
import { Button, SegmentedControl, Switch } from '@mantine/core';
import { useId, useState } from 'react';
import type { AppErrorShape } from '../../../shared/errors.ts';
import { type Settings as Chosen, settings as shape } from '../../../shared/settings.ts';
import { say, spoken } from '../../../shared/text/say.ts';
import { formatSize } from '../../../shared/words/format/formatSize.ts';
import { PathLine } from '../../crossing/PathLine.tsx';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import layout from '../../elements/layout.module.css';
import { PageHeading } from '../../elements/PageHeading.tsx';
import { Section } from '../../elements/Section.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { go, useApp } from '../../state/appStore.ts';
import { useNodes } from '../../state/nodesStore.ts';
import { foundBy, useLook } from '../../state/useLook.ts';
import styles from './Settings.module.css';

export function Settings() {
  const settings = useApp((state) => state.settings);
  const setSettings = useApp((state) => state.setSettings);
  const desktop = useApp(({ info }) => info?.entry === 'electron');
  const [error, setError] = useState<AppErrorShape | null>(null);
  const themeId = useId();
  const change = (change: Partial<Chosen>) => void setSettings({ ...settings, ...change }).then(setError);
  return (
    <>
      <PageHeading title={say('Settings')} />
      {error && <ErrorNotice error={error} title={say('Not saved')} />}
      <Section title={say('This app')}>
        <div className={styles.row}>
          <span id={themeId}>{say('Theme')}</span>
          <SegmentedControl
            aria-labelledby={themeId}
            value={settings.theme}
            data={THEMES}
            onChange={(theme) => {
              const chosen = shape.shape.theme.safeParse(theme);
              if (chosen.success) change({ theme: chosen.data });
            }}
          />
        </div>
        <Switch
          label={say('Reconnect to the last node at start')}
          checked={settings.reconnect}
          onChange={(event) => change({ reconnect: event.currentTarget.checked })}
        />
        {desktop && (
          <Switch
            label={say('Notify me when long work ends')}
            checked={settings.notifications}
            onChange={(event) => change({ notifications: event.currentTarget.checked })}
          />
        )}
        <div className={styles.row}>
          <span>{say('Language')}</span>
          <span>{languageName()}</span>
        </div>
      </Section>
      <Nodes />
      <Kept />
    </>
  );
}

const THEMES = [
  { value: 'system', label: say('System') },
  { value: 'light', label: say('Light') },
  { value: 'dark', label: say('Dark') },
];

/** In its own words. */
function languageName(): string {
  const { language } = spoken();
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

function Nodes() {
  const count = useNodes((state) => state.profiles.length);
  return (
    <Section title={say('Remembered nodes')}>
      <div className={layout.row}>
        <span>{say('{count, plural, =0 {None} one {# node} other {# nodes}}', { count })}</span>
        <SmallButton onClick={() => go({ at: 'connect' })}>{say('Show nodes')}</SmallButton>
      </div>
    </Section>
  );
}

function Kept() {
  const look = useLook('settings.facts', {});
  const facts = foundBy(look);
  if (look.state === 'failed') return <ErrorNotice error={look.error} />;
  if (facts === null) return null;
  const { dataFolder, copies } = facts;
  return (
    <Section title={say('On this computer')}>
      <PathLine label={say('Data folder')} path={dataFolder} />
      <PathLine
        label={say('Safety copies')}
        path={copies.folder}
        note={say(
          '{count, plural, =0 {None yet} one {# file} other {# files}}, {size}. The app never removes one.',
          {
            count: copies.count,
            size: formatSize(copies.size),
          },
        )}
      />
      <div className={layout.row}>
        <SmallButton onClick={() => go({ at: 'activity' })}>{say('Show safety copies')}</SmallButton>
      </div>
      <Quiet small>{say('Safety copies hold keys. Delete them yourself, once new backups are safe.')}</Quiet>
    </Section>
  );
}
