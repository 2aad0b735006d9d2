/** The tab for experts: steps, log, checks, calls, the file itself, its problems, keys, descriptors and records. */
import { Box, Group, Title } from '@mantine/core';
import { Fragment } from 'react';
import { isPastedText } from '../../../../shared/model/files.ts';
import {
  type FileProblem,
  type InspectedHdChain,
  type Inspection,
  needsRescue,
} from '../../../../shared/model/inspection.ts';
import { endOf, type Job, type Step } from '../../../../shared/model/job.ts';
import type { Stop } from '../../../../shared/model/journey.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import { findingText } from '../../../../shared/wording/findings/findingWords.ts';
import {
  counted,
  formatBytes,
  formatCount,
  formatExactSize,
} from '../../../../shared/wording/format/formatNumber.ts';
import { formatElapsed, formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { joinList } from '../../../../shared/wording/format/perRegion.ts';
import {
  birthWords,
  contentsWords,
  encryptionWords,
  keyRows,
  kindWords,
  networkWords,
  noneWords,
  receivingWords,
} from '../../../../shared/wording/inspectionWords.ts';
import { blocksText, phaseName, scanSpeedText } from '../../../../shared/wording/jobWords.ts';
import { STOP_STATES } from '../../../../shared/wording/journeyWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import { type Fact, FactList, LongList, PagedList, ScrollBox } from '../../../components/lists.tsx';
import { Disclosure, Dot, Notice, Section, Tag } from '../../../components/parts.tsx';
import { NodeLine, Quiet, SafeText, Say, Term, WalletName } from '../../../components/texts.tsx';
import { foundIn, useRequest } from '../../../state/asking.ts';
import { currentPlan } from '../../../state/draftsStore.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { DescriptorList, PlanDetails } from './PlanDetails.tsx';

export function hasTechnical({ inspection, draft, job }: WalletPageState): boolean {
  return inspection !== null || job !== null || (draft !== null && currentPlan(draft) !== null);
}

/** What an expert asks for: steps, log, checks, calls, keys, records. */
export function Technical({ page: { inspection, facts, job, draft } }: { page: WalletPageState }) {
  const plan = draft && currentPlan(draft);
  return (
    <>
      {job && <JobDetails job={job} />}
      {draft && plan && <PlanDetails draft={draft} plan={plan} />}
      {inspection && (
        <>
          <FileFactList facts={facts} inspection={inspection} />
          {inspection.problems.length > 0 && (
            <Section title={say('Problems')}>
              <PagedList
                look="bullets"
                label={say('Problems')}
                items={inspection.problems}
                keyOf={(_, at) => at}
                row={(problem) => <Problem problem={problem} />}
                page={10}
              />
            </Section>
          )}
          <InspectKeys inspection={inspection} />
          <Descriptors inspection={inspection} />
          {inspection.balance.lastBlock !== null && (
            <Section title={say('Newest block')}>
              <p>
                <CopyText text={inspection.balance.lastBlock} />
              </p>
            </Section>
          )}
          <InspectRecords inspection={inspection} />
        </>
      )}
    </>
  );
}

function FileFactList({ facts, inspection }: Pick<WalletPageState, 'facts'> & { inspection: Inspection }) {
  const network = networkWords(inspection.network);
  const { lastWrittenBy } = inspection;
  const isText = isPastedText(facts);
  // A file that the app wrote from a text is no file of the user's.
  const isTemporary = facts?.temporary === true;
  return (
    <Section title={say('About the file')}>
      <FactList
        facts={[
          [say('Kind'), !isText && kindWords(inspection, facts?.fileKind)],
          [
            say('Network'),
            <Fragment key="network">
              {network.name}
              {!isTemporary && <Quiet small>{network.how}</Quiet>}
            </Fragment>,
          ],
          [say('Encrypted'), !isText && encryptionWords(inspection)],
          [
            say('Last written by'),
            lastWrittenBy && say('Bitcoin Core {release}', { release: lastWrittenBy.text }),
          ],
          [say('Age'), birthWords(inspection.birth).note],
          [say('Path'), !isTemporary && facts && <CopyText text={facts.path} />],
          [say('Size'), !isTemporary && formatExactSize(inspection.file.size)],
          [say('Last changed'), !isTemporary && facts && formatTime(facts.modified)],
        ]}
      />
    </Section>
  );
}

/** What was lost, in one notice: the first problem. *Technical* lists every one. Folded above a rescue. */
export function InspectProblems({ inspection }: { inspection: Inspection }) {
  const lost = inspection.problems.filter((problem) => problem.lost);
  const read = contentsWords(inspection);
  const [first] = lost;
  if (first === undefined) return null;
  const title = read === null ? say('Nothing readable') : say('Partly unreadable');
  const text = (
    <>
      <Problem problem={first} />
      {read !== null && <p>{say('Readable: {read}. More may be missing.', { read })}</p>}
      <p>{say('Keep the file, and try another copy.')}</p>
    </>
  );
  return needsRescue(inspection) ? (
    <div role="status">
      <Disclosure summary={title}>{text}</Disclosure>
    </div>
  ) : (
    <Notice tone="read" role="status" title={title}>
      {text}
    </Notice>
  );
}

function Problem({ problem: { finding, page } }: { problem: FileProblem }) {
  const isNamed = finding.code === 'wallet_damaged' && 'page' in finding.fault;
  return (
    <p>
      <SafeText text={findingText(finding)} />{' '}
      {page !== null && !isNamed && say('(page {page, number})', { page })}
    </p>
  );
}

function InspectKeys({ inspection }: { inspection: Inspection }) {
  const { hdChains } = inspection;
  return (
    <Section title={say('Keys')}>
      <FactList facts={keyRows(inspection)} />
      {hdChains.total > 0 && (
        <>
          <Title order={3} mt={4}>
            <Say text="{seeds} and chains" values={{ seeds: <Term word="seed">{say('Seeds')}</Term> }} />
          </Title>
          <LongList
            items={hdChains}
            what="chains"
            row={chainRow}
            textOf={({ seedId, fingerprint }) => `${seedId} ${fingerprint ?? ''}`}
          />
        </>
      )}
    </Section>
  );
}

function chainRow({ seedId, active, externalKeys, internalKeys, fingerprint, hasSeed }: InspectedHdChain) {
  return (
    <>
      <div>
        <Say text="Seed {id}" values={{ id: <CopyText text={seedId} /> }} />
      </div>
      <div className="line small">
        <Tag tone={active ? 'info' : 'plain'}>{active ? say('In use') : say('Not in use')}</Tag>
        {!hasSeed && <Tag tone="read">{say('Seed missing')}</Tag>}
        <span>
          {fingerprint !== null && (
            <>
              <Say
                text="Fingerprint {fingerprint}"
                values={{ fingerprint: <SafeText text={fingerprint} mono /> }}
              />{' '}
              ·{' '}
            </>
          )}
          {internalKeys === null
            ? say('{keys} for addresses', { keys: counted.keys(externalKeys) })
            : receivingWords(externalKeys, internalKeys)}
        </span>
      </div>
    </>
  );
}

function InspectRecords({ inspection }: { inspection: Inspection }) {
  const { records, formatVersion, encryption, flags } = inspection;
  const { format } = inspection.file;
  const isSqlite = format.kind === 'sqlite';
  const types = Object.entries(records.byType).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Disclosure summary={say('Format and records')}>
      <FactList
        facts={[
          [say('Format'), isSqlite ? say('SQLite') : say('Berkeley DB')],
          [say('Page size'), formatBytes(format.pageSize)],
          // As SQLite's tools write it.
          [say('Application id'), isSqlite && (format.applicationId >>> 0).toString(16).padStart(8, '0')],
          [say('Byte order'), !isSqlite && BYTE_ORDERS[format.byteOrder]],
          [
            say('Closed cleanly'),
            !isSqlite &&
              (format.cleanlyClosed
                ? say('Yes')
                : say('No (pages: {count, number})', { count: format.uncleanPages })),
          ],
          [say('Format version'), formatVersion],
          [say('Flags'), flags.length > 0 && <SafeText text={flags.join(', ')} mono />],
          [
            say('Encryption'),
            encryption &&
              joinList([
                say('Passphrase records: {count, number}', { count: encryption.masterKeys }),
                say('Rounds: {count, number}', { count: encryption.iterations }),
              ]),
          ],
          [say('Records'), formatCount(records.total)],
          ...types.slice(0, MAX_TYPES).map(([type, count]): Fact => [visibleText(type), formatCount(count)]),
        ]}
      />
    </Disclosure>
  );
}

const BYTE_ORDERS = { little: say('Little endian'), big: say('Big endian') } as const;

/** There are some forty known ones; a damaged file could have any number of others. */
const MAX_TYPES = 60;

function Descriptors({ inspection }: { inspection: Inspection }) {
  const { descriptors, kind } = inspection;
  if (kind !== 'descriptor') return null;
  return (
    <Section title={say('Descriptors')}>
      {descriptors.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
      <DescriptorList descriptors={descriptors} />
    </Section>
  );
}

function JobDetails({ job }: { job: Job }) {
  return (
    <>
      <FactList facts={factsOf(job)} />
      <ol aria-label={say('All steps')}>
        {job.steps.map((step) => (
          <StepLine key={step.phase} step={step} job={job} />
        ))}
      </ol>
      <Log job={job} />
    </>
  );
}

function factsOf(job: Job): Fact[] {
  const { node, started, state, progress } = job;
  const rescan = progress && [blocksText(progress), scanSpeedText(progress)].filter((text) => text !== null);
  const ended = endOf(job);
  const elapsed = formatElapsed((ended ?? started) - started);
  const end =
    ended === null
      ? say('Not known')
      : say('{ended}, after {elapsed}', { ended: formatTime(ended), elapsed });
  return [
    [say('Node'), <NodeLine key="node" node={node} />],
    [say('Started'), formatTime(started)],
    [say('Ended'), state !== 'running' && end],
    [say('Rescanned wallet'), progress && <WalletName name={progress.wallet} />],
    [say('Rescan'), rescan && rescan.length > 0 && rescan.join('. ')],
  ];
}

function StepLine({ step, job: { kind, state } }: { step: Step; job: Job }) {
  const stop = stopState(step.state, state);
  const isReached = step.state === 'done' || step.state === 'running';
  return (
    <Group
      component="li"
      gap={10}
      py={3}
      c={isReached ? 'inherit' : 'dimmed'}
      fw={step.state === 'running' ? 600 : 400}
    >
      <Dot state={stop} />
      <span className="grows">{phaseName(step.phase, kind)}</span>
      <Box component="span" fw={400} className="small">
        {(stop !== 'waiting' || state === 'running') && STOP_STATES[stop]}
      </Box>
    </Group>
  );
}

/** A step that was running when the job ended is the one it stopped at. */
function stopState(step: Step['state'], job: Job['state']): Stop['state'] {
  if (step !== 'running') return step;
  if (job === 'running') return 'active';
  return job === 'unknown' ? 'unknown' : 'failed';
}

/** Requests the lines of an earlier session's job only when the user opens the log. */
function Log({ job: { id, log, state } }: { job: Job }) {
  const isKept = log.length === 0 && state !== 'running';
  const kept = useRequest('jobs.log', isKept ? { id } : null);
  const lines = isKept ? (foundIn(kept)?.lines ?? []) : log;
  const items = lines.map((line, at) => ({ at, line })).slice(-MAX_LINES);
  if (items.length === 0) return <p className="dim">{say('Nothing in the node’s log.')}</p>;
  return (
    // Reversed, it starts at its end and stays there while lines come: the newest line is the one of interest.
    <ScrollBox
      label={say('Log')}
      mah="16em"
      fz="sm"
      display="flex"
      style={{ flexDirection: 'column-reverse' }}
    >
      <ol aria-label={say('Node’s log')}>
        {items.map(({ at, line }) => (
          <li key={at}>
            <SafeText text={line} mono lines />
          </li>
        ))}
      </ol>
      {lines.length >= MAX_LINES && (
        <p className="dim">{say('The newest {count, number} lines.', { count: MAX_LINES })}</p>
      )}
    </ScrollBox>
  );
}

const MAX_LINES = 200;
