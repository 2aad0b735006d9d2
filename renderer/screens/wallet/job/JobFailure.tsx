/** A job that failed, or of which nobody can tell: what happened, what is safe, and what to do next. */
import type { Job } from '../../../../shared/model/job.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import { ErrorNotice, NodeWarnings, Notice } from '../../../components/notices.tsx';
import { SafeText } from '../../../components/texts.tsx';
import { attempt } from '../../../state/attempt.ts';
import { bridge } from '../../../state/bridge/bridge.ts';
import { InterruptedJob } from './Interrupted.tsx';

interface JobFailureProps {
  job: Job;
  /** Part of what is shown anyway: read in its place. */
  quiet?: boolean;
}

export function JobFailure({ job, quiet = false }: JobFailureProps) {
  const { state, error, warnings, kind, leftCopy, node } = job;
  const unknown = state === 'unknown';
  const look = unknown && (
    <>
      <p>{LOOK[kind]}</p>
      <SmallButton onClick={() => void attempt(() => bridge.call('jobs.askAgain', {}))}>
        {say('Check again')}
      </SmallButton>
    </>
  );
  if (state === 'interrupted') {
    return (
      <>
        <InterruptedJob job={job} />
        <NodeWarnings warnings={warnings} offline={node.offline} />
      </>
    );
  }
  return (
    <>
      {error ? (
        <ErrorNotice error={error} tone={unknown ? 'read' : 'danger'} quiet={quiet}>
          {look}
        </ErrorNotice>
      ) : (
        unknown && (
          <Notice tone="read" title={say('Outcome not known')} role={quiet ? undefined : 'alert'}>
            {look}
          </Notice>
        )
      )}
      <p>{kind === 'migrate' && node.offline ? SAFE_OFFLINE : SAFE[kind]}</p>
      {leftCopy ? (
        <Notice tone="read" title={say('Copy left in the wallets folder')}>
          <p>
            <SafeText text={leftCopy.path} mono />
          </p>
          <p>
            {say('It contains the wallet’s keys.')} <SafeText text={leftCopy.text} />
          </p>
        </Notice>
      ) : (
        (kind === 'restore-migrate' || kind === 'rescue') && <p>{TAKEN_AWAY}</p>
      )}
      <NodeWarnings warnings={warnings} offline={node.offline} />
    </>
  );
}

const FILE_ONLY_READ = say('The backup file is unchanged.');

const SAFE: Readonly<Record<Job['kind'], string>> = {
  restore: FILE_ONLY_READ,
  migrate: say('The node backs up before it changes anything. The app changed no file.'),
  'restore-migrate': FILE_ONLY_READ,
  rescue: FILE_ONLY_READ,
  backup: say('The wallet is unchanged.'),
  rescan: say('Keys and payments stay. A rescan only adds.'),
};

const TAKEN_AWAY = say('The app removes the placed copy unless the migration started.');

const SAFE_OFFLINE = say('The offline engine backs up first, and replaces nothing before the proof.');

const MIGRATED_IF = say('Migrated if the wallet list says descriptor.');

const LOOK: Readonly<Record<Job['kind'], string>> = {
  restore: say('Restored if the wallet list has it. The node may still be working.'),
  migrate: say('Migrated if the wallet list says descriptor; if legacy, not or not yet.'),
  'restore-migrate': MIGRATED_IF,
  rescue: MIGRATED_IF,
  backup: say('A file there may be incomplete. Use another name.'),
  rescan: say('Rescan again if its balance is too low.'),
};
