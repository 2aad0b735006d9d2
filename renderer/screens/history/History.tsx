/** Every job ever run, newest first: what, where, when and how it ended; and the app's safety copies. */
import { Box, InputBase } from '@mantine/core';
import { memo, useEffect, useId, useState } from 'react';
import { endOf, type Job, wasPutBack } from '../../../shared/model/job.ts';
import { visibleText } from '../../../shared/model/names/visibleText.ts';
import type { SafetyCopy } from '../../../shared/model/safety.ts';
import { formatShare } from '../../../shared/wording/format/formatNumber.ts';
import { formatElapsed, formatTime } from '../../../shared/wording/format/formatTime.ts';
import { networkName } from '../../../shared/wording/format/names.ts';
import { joinList } from '../../../shared/wording/format/perRegion.ts';
import {
  jobNoun,
  jobTone,
  NEWER_JOBS,
  OLD_PUT_BACK,
  proofHeading,
  STATE_WORDS,
  whatNow,
} from '../../../shared/wording/jobWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { CopyLink, SmallButton, useElapsed } from '../../components/buttons.tsx';
import { List, ShowMore, TextList } from '../../components/lists.tsx';
import { Disclosure, ErrorNotice, Notice, PageHeading, Section } from '../../components/parts.tsx';
import { type CopiedFile, SafetyCopyLines } from '../../components/paths.tsx';
import { SaveReport } from '../../components/saving.tsx';
import { NodeLine, Paragraph, Quiet, SafeText, Say, Term, WalletName } from '../../components/texts.tsx';
import { foundIn, useRequest, useUserRequest } from '../../state/asking.ts';
import { bridge } from '../../state/bridge.ts';
import { goToJob, useJobs } from '../../state/jobsStore.ts';
import { plans } from '../../state/plansStore.ts';

export function History() {
  const { jobs, unreadable, newer } = useJobs();
  return (
    <>
      <PageHeading title={say('History')} />
      <Unreadable paths={unreadable} />
      {newer.length > 0 && (
        <Notice tone="read" title={NEWER_JOBS}>
          <TextList texts={newer} mono home most={3} />
        </Notice>
      )}
      <JobList jobs={jobs} all={jobs} />
      <Copies since={jobs.filter(({ safetyCopy }) => safetyCopy !== null).length} />
    </>
  );
}

/** `all`: newest first, because a wallet may have been put back under another name. */
export function JobList({ jobs, all }: { jobs: readonly Job[]; all: readonly Job[] }) {
  const [most, setMost] = useState(PAGE);
  const visible = useGrowingCount(most);
  if (jobs.length === 0) return <Quiet>{say('Nothing yet.')}</Quiet>;
  return (
    <>
      <List look="boxed" label={say('Jobs')}>
        {jobs.slice(0, visible).map((job) => (
          <li key={job.id} style={UNSEEN}>
            <JobRow job={job} isPutBack={wasPutBack(job, all)} />
          </li>
        ))}
      </List>
      <ShowMore count={most} all={jobs.length} page={PAGE} onShow={setMost} />
    </>
  );
}

/** Journal entries that the app cannot read. It can neither resume nor undo those jobs, so it shows their paths. */
function Unreadable({ paths }: { paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <Notice tone="danger" title={say('Unreadable earlier jobs')}>
      <TextList texts={paths} mono home most={20} />
      <p>{say('They may record unfinished work. Quit before you replace them.')}</p>
    </Notice>
  );
}

/** The browser skips rows outside the window, because there may be hundreds. */
const UNSEEN = { contentVisibility: 'auto', containIntrinsicSize: 'auto 50px' } as const;

/** The number of rows in a page of the list, and of those drawn in one frame. */
const PAGE = 50;
const AT_ONCE = 5;

/** Grows to `wanted` a few in each frame, so that none takes long. */
function useGrowingCount(wanted: number): number {
  const [shown, setShown] = useState(AT_ONCE);
  useEffect(() => {
    if (shown >= wanted) return;
    const frame = requestAnimationFrame(() => setShown(shown + AT_ONCE));
    return () => cancelAnimationFrame(frame);
  }, [shown, wanted]);
  return Math.min(shown, wanted);
}

const JobRow = memo(function JobRow({ job, isPutBack }: { job: Job; isPutBack: boolean }) {
  const { wallet, state, node, error, proof, started } = job;
  const nameId = useId();
  const trouble = error?.message ?? (proof?.verdict === 'same' ? null : proofHeading(job));
  return (
    <article className="row" aria-labelledby={nameId}>
      <div className="grows">
        <div className="line">
          <span id={nameId} className="name">
            {jobNoun(job)}: <WalletName name={wallet} />
          </span>
          <span className="small">{formatTime(started)}</span>
        </div>
        {state === 'running' && <Now job={job} />}
        {trouble && <Paragraph text={trouble} quiet />}
      </div>
      <Box
        component="span"
        fz="sm"
        fw={600}
        mr={12}
        c="var(--tone-text)"
        data-tone={isPutBack ? 'info' : jobTone(job)}
      >
        {isPutBack ? OLD_PUT_BACK : STATE_WORDS[state]}
      </Box>
      <SmallButton describedBy={nameId} onClick={() => goToJob(job)}>
        {say('Open')}
      </SmallButton>
      {state !== 'running' && (
        <Disclosure look="quiet" summary={say('Details')}>
          <Quiet small>
            <NodeLine node={node} />
            {[durationOf(job), proofHeading(job)].map((text) => text && ` · ${text}`)}
          </Quiet>
          <div className="row">
            <Report job={job} describedBy={nameId} />
            <SaveReport job={job} describedBy={nameId} />
          </div>
        </Disclosure>
      )}
    </article>
  );
});

/** Null if shorter than a second. */
function durationOf(job: Job): string | null {
  const ended = endOf(job);
  if (ended === null) return `${say('Ended')}: ${say('Not known')}`;
  if (ended - job.started < 1) return null;
  return say('took {elapsed}', { elapsed: formatElapsed(ended - job.started) });
}

function Now({ job }: { job: Job }) {
  const { progress, started } = job;
  const elapsed = useElapsed(started);
  const share = progress && formatShare(progress.fraction);
  return <p>{joinList([whatNow(job), share, elapsed])}</p>;
}

/** For asking for help: shown whole before it is copied. */
function Report({ job, describedBy }: { job: Job; describedBy: string }) {
  const { error, found, ask, clear } = useUserRequest<{ text: string }>();
  const make = () => void ask(() => bridge.call('jobs.report', { id: job.id, which: 'for-help' }));
  return (
    <>
      <SmallButton describedBy={describedBy} aria-expanded={found !== null} onClick={found ? clear : make}>
        {say('Report for help')}
      </SmallButton>
      {error && <ErrorNotice error={error} />}
      {found && (
        <Box w="100%" className="stack">
          <InputBase
            component="textarea"
            multiline
            label={say('Report for help')}
            description={say('Without names, paths, addresses, keys, ids, amounts. Read it first.')}
            value={found.text}
            readOnly
            rows={Math.min(16, found.text.split('\n').length)}
          />
          <div className="row">
            <CopyLink text={found.text} label={say('Copy the report')} />
            <SaveReport job={job} describedBy={describedBy} redacted={found.text} />
          </div>
        </Box>
      )}
    </>
  );
}

/** `since` changes when another copy may have been made. */
function Copies({ since }: { since: number }) {
  const copies = foundIn(useRequest('copies.list', {}, { turn: since }))?.copies ?? [];
  if (copies.length === 0) return null;
  return (
    <Section title={say('Safety copies')}>
      <p>
        <Say text="The app never deletes a {copy}." values={{ copy: <Term word="safety copy" /> }} />
      </p>
      <List look="boxed" label={say('Safety copies')}>
        {copies.map((copy) => (
          <Copy key={copy.id} copy={copy} />
        ))}
      </List>
    </Section>
  );
}

function Copy({ copy }: { copy: SafetyCopy }) {
  const id = useId();
  const [own] = copy.files;
  return (
    <li>
      <article className="row" aria-labelledby={id}>
        <div className="grows line">
          <strong id={id}>
            <WalletName name={copy.wallet} />
          </strong>
          <span className="small">
            {formatTime(copy.made)} · <SafeText text={copy.node.label} />, {networkName(copy.node.network)}
          </span>
        </div>
        {own && <Restore copy={copy} file={own} titleId={id} />}
        <Disclosure look="quiet" summary={say('Details')}>
          <SafetyCopyLines
            copy={copy}
            action={(file) => file !== own && <Restore copy={copy} file={file} titleId={id} />}
          />
        </Disclosure>
      </article>
    </li>
  );
}

/** Renders nothing for a file on the node's machine. */
function Restore({ copy, file, titleId }: { copy: SafetyCopy; file: CopiedFile; titleId: string }) {
  const { path, sha256, wallet } = file;
  if (sha256 === null) return null;
  // The title names the wallet of the first file alone.
  const isOwn = file === copy.files[0];
  /** Empty where it is not known, or the wallet has none. */
  const name = wallet ?? (isOwn ? copy.wallet : '');
  const suggested = name === '' ? {} : { suggestedName: name };
  return (
    <SmallButton
      aria-label={isOwn || name === '' ? undefined : say('Restore “{wallet}”', { wallet: visibleText(name) })}
      describedBy={titleId}
      onClick={() => plans.begin([{ action: 'restore', source: { by: 'file', path }, ...suggested }])}
    >
      {say('Restore')}
    </SmallButton>
  );
}
