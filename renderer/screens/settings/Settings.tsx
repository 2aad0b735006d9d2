/** What a person can set, and what the app keeps on this computer. */
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Settings as Chosen } from '../../../shared/contract.ts';
import type { AppErrorShape } from '../../../shared/model/errors.ts';
import type { SafetyCopy } from '../../../shared/model/safety.ts';
import { formatSize } from '../../../shared/wording/format/formatNumber.ts';
import { say } from '../../../shared/wording/say.ts';
import { Choice } from '../../components/fields.tsx';
import { ErrorNotice, PageHeading, Section } from '../../components/parts.tsx';
import { FileLine } from '../../components/paths.tsx';
import { setSettings, useApp } from '../../state/appStore.ts';
import { foundIn, useRequest } from '../../state/asking.ts';

export function Settings() {
  const settings = useApp((state) => state.settings);
  const desktop = useApp(({ info }) => info?.entry === 'electron');
  const [error, setError] = useState<AppErrorShape | null>(null);
  const change = (change: Partial<Chosen>) => void setSettings({ ...settings, ...change }).then(setError);
  return (
    <>
      <PageHeading title={say('Settings')} />
      {error && <ErrorNotice error={error} title={say('Not saved')} />}
      <Section title={say('This app')}>
        <Choice
          inLine
          label={say('Theme')}
          value={settings.theme}
          options={THEMES}
          onChange={(theme) => change({ theme })}
        />
        <Checkbox
          label={say('Reconnect at start')}
          checked={settings.reconnect}
          onChange={(event) => change({ reconnect: event.currentTarget.checked })}
        />
        {desktop && (
          <Checkbox
            label={say('Notify after long work')}
            checked={settings.notifications}
            onChange={(event) => change({ notifications: event.currentTarget.checked })}
          />
        )}
      </Section>
      <Kept />
    </>
  );
}

const THEMES = [
  { value: 'system', label: say('System') },
  { value: 'light', label: say('Light') },
  { value: 'dark', label: say('Dark') },
] as const;

function Kept() {
  const info = useApp((state) => state.info);
  const look = useRequest('copies.list', {});
  const files = foundIn(look)?.copies.flatMap((copy) => copy.files);
  if (look.state === 'failed') return <ErrorNotice error={look.error} />;
  if (info === null || files === undefined) return null;
  return (
    <Section title={say('On this computer')}>
      <FileLine name={say('Data folder')} path={info.dataFolder} />
      <FileLine name={say('Safety copies')} path={info.copiesFolder} note={copiesWords(files)} />
    </Section>
  );
}

function copiesWords(files: SafetyCopy['files']): string {
  if (files.length === 0) return say('None yet.');
  const size = files.reduce((sum, { size }) => sum + (size ?? 0), 0);
  return say('Files: {count, number}, {size}. They hold keys.', {
    count: files.length,
    size: formatSize(size),
  });
}
