/** The stops from the user's file to the new backup, each filled in as it is reached. */
import { Group, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import type { Job } from '../../../shared/model/job.ts';
import type { Stop } from '../../../shared/model/journey.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import { STOP_NAMES, STOP_STATES, stopNote } from '../../../shared/wording/journeyWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { CopyLink, LinkButton } from '../../components/buttons.tsx';
import layout from '../../components/layout.module.css';
import { Dot } from '../../components/parts.tsx';
import { SafeText } from '../../components/texts.tsx';
import { useApp } from '../../state/appStore.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { useAsking } from '../../state/useAsking.ts';
import styles from './Journey.module.css';

interface JourneyProps {
  stops: readonly Stop[];
  /** Null before a job runs. */
  job: Job | null;
  isLocal: boolean;
}

export function Journey({ stops, job, isLocal }: JourneyProps) {
  return (
    <ol className={styles.strip} aria-label={say('Steps')}>
      {stops.map((stop) => (
        <StopItem key={stop.id} stop={stop} job={job} isLocal={isLocal} />
      ))}
    </ol>
  );
}

function StopItem({ stop, job, isLocal }: { stop: Stop } & Omit<JourneyProps, 'stops'>) {
  const { id, state, path } = stop;
  const nameId = useId();
  return (
    <li className={styles.stop} data-state={state} aria-current={state === 'active' ? 'step' : undefined}>
      <Dot state={state} />
      <span className={`${layout.name} ${styles.name}`} id={nameId}>
        {STOP_NAMES[id]}
        <VisuallyHidden component="span">: {STOP_STATES[state]}</VisuallyHidden>
      </span>
      <span className={styles.note}>{stopNote(stop, job)}</span>
      {path !== null && <Path path={path} nameId={nameId} isLocal={isLocal} />}
    </li>
  );
}

/** The end of a path, with the buttons that show the file and copy its whole path. */
function Path({ path, nameId, isLocal }: { path: string; nameId: string; isLocal: boolean }) {
  const canShow = useApp(({ info }) => info?.canShowInFolder ?? false) && isLocal;
  const { ask } = useAsking();
  const [folder, file] = endOf(path);
  return (
    <span className={styles.note}>
      <bdi className={styles.end} title={visibleText(path)}>
        <SafeText text={`${folder}/`} />
        <wbr />
        <SafeText text={file} />
      </bdi>
      <Group component="span" gap="0 10px">
        {canShow && (
          <LinkButton
            describedBy={nameId}
            onClick={() => void ask(() => bridge.call('files.show', { path }))}
          >
            {say('Show in folder')}
          </LinkButton>
        )}
        <CopyLink text={path} describedBy={nameId} />
      </Group>
    </span>
  );
}

function endOf(path: string): [folder: string, file: string] {
  const [file = '', folder, ...above] = path
    .split(/[/\\]/)
    .filter((part) => part !== '')
    .reverse();
  return [above.length > 0 && folder !== undefined ? `…/${folder}` : path.slice(0, -file.length - 1), file];
}
