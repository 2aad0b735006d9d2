/** A new backup: how it stands, and its proof: where it is, its size and its SHA-256, or that the app cannot see the file. */
import type { BackupProof, Job } from '../../../../shared/model/job.ts';
import { formatExactSize } from '../../../../shared/wording/format/formatSize.ts';
import { STATE_TONES, STATE_WORDS } from '../../../../shared/wording/jobWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { FactList } from '../../../components/lists.tsx';
import { ErrorNotice, Notice, Tag } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { PathLine } from '../../../components/paths.tsx';
import { SafeText } from '../../../components/texts.tsx';
import type { standingOf } from '../../../state/backupsStore.ts';
import { JobFailure } from './JobFailure.tsx';

export function BackupFile({ proof }: { proof: BackupProof }) {
  return (
    <>
      <PathLine label={say('New backup')} path={proof.path} here={proof.seen} />
      {proof.seen ? (
        <FactList
          facts={[
            { label: say('Size'), value: formatExactSize(proof.size) },
            { label: say('SHA-256'), value: <CopyText text={proof.sha256} /> },
          ]}
        />
      ) : (
        <Notice tone="read" title={say('File not seen')}>
          <p>{say('The node says it wrote it. Look there, and keep a copy elsewhere.')}</p>
        </Notice>
      )}
    </>
  );
}

export type Standing = ReturnType<typeof standingOf>;

/** How its backup stands. What is queued or refused now counts more than what was made before. */
export function BackupLine({ standing, backup }: { standing: Standing; backup: Job | null }) {
  if (standing?.state === 'queued') return <Told word={say('Queued')} />;
  if (standing?.state === 'refused') {
    return (
      <>
        <Told tone="danger" word={say('Failed')} text={standing.error.message} />
        <Disclosure look="quiet" summary={say('Why')}>
          <ErrorNotice error={standing.error} quiet />
        </Disclosure>
      </>
    );
  }
  if (backup === null) return null;
  const { state, result, error } = backup;
  if (state === 'done' && result?.kind === 'backup') {
    const { proof } = result;
    return (
      <>
        <Told tone={proof.seen ? 'good' : 'read'} word={STATE_WORDS[state]} text={proof.path} />
        <Disclosure look="quiet" summary={proof.seen ? say('Size and SHA-256') : say('File not seen')}>
          <div className={layout.stack}>
            <BackupFile proof={proof} />
          </div>
        </Disclosure>
      </>
    );
  }
  return (
    <>
      <Told tone={STATE_TONES[state]} word={STATE_WORDS[state]} text={error?.message ?? ''} />
      {state !== 'running' && (
        <Disclosure look="quiet" summary={say('Why')}>
          <div className={layout.stack}>
            <JobFailure job={backup} quiet />
          </div>
        </Disclosure>
      )}
    </>
  );
}

interface ToldProps {
  tone?: Parameters<typeof Tag>[0]['tone'];
  word: string;
  text?: string;
}

function Told({ tone, word, text = '' }: ToldProps) {
  return (
    <div role="status" className={layout.line}>
      <span>{say('Backup:')}</span>
      <Tag tone={tone ?? 'plain'}>{word}</Tag>
      {text !== '' && (
        <span className={layout.small}>
          <SafeText text={text} />
        </span>
      )}
    </div>
  );
}
