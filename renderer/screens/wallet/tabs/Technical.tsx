/** The tab for experts: steps, log, checks, calls, the file itself, its problems, keys, descriptors and records. */

import { Box, Title } from '@mantine/core';
import { isPastedText } from '../../../../shared/model/files.ts';
import type {
  FileProblem,
  InspectedDescriptor,
  InspectedFile,
  InspectedHdChain,
  Inspection,
} from '../../../../shared/model/inspection.ts';
import { visibleText } from '../../../../shared/model/names/visibleText.ts';
import { findingText } from '../../../../shared/wording/findings/findingWords.ts';
import { formatCount } from '../../../../shared/wording/format/counted.ts';
import { formatBytes, formatExactSize } from '../../../../shared/wording/format/formatSize.ts';
import { formatTime } from '../../../../shared/wording/format/formatTime.ts';
import { listed } from '../../../../shared/wording/format/listed.ts';
import {
  birthWords,
  descriptorWords,
  encryptionWords,
  keyFacts,
  kindWords,
  networkFound,
  noneWords,
} from '../../../../shared/wording/inspectionWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { FactList, LongList, PagedList } from '../../../components/lists.tsx';
import { Tag } from '../../../components/notices.tsx';
import { Disclosure, Section } from '../../../components/parts.tsx';
import { Quiet, SafeText, Say, Term } from '../../../components/texts.tsx';
import { seenPlan } from '../../../state/draft.ts';
import type { WalletPageState } from '../../../state/useWalletPage.ts';
import { JobDetails } from '../job/JobDetails.tsx';
import { PlanDetails } from './PlanDetails.tsx';

export function hasTechnical({ inspection, draft, job }: WalletPageState): boolean {
  return inspection !== null || job !== null || (draft !== null && seenPlan(draft) !== null);
}

/** What an expert asks for: steps, log, checks, calls, keys, records. */
export function Technical({ page: { inspection, facts, job, draft } }: { page: WalletPageState }) {
  const plan = draft && seenPlan(draft);
  return (
    <>
      {job && <JobDetails job={job} />}
      {draft && plan && <PlanDetails draft={draft} plan={plan} />}
      {inspection && (
        <>
          <FileFactList facts={facts} inspection={inspection} />
          <AllProblems inspection={inspection} />
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

function Noted({ value, note }: { value: string; note: string | null }) {
  return (
    <>
      {value}
      {note !== null && <Quiet small>{note}</Quiet>}
    </>
  );
}

/** For the tab *Technical*: the file itself. */
function FileFactList({ facts, inspection }: Pick<WalletPageState, 'facts'> & { inspection: Inspection }) {
  const network = networkFound(inspection.network);
  const birth = birthWords(inspection.birth);
  const isText = isPastedText(facts);
  // A file that the app wrote from a text is no file of the user's.
  const made = facts?.temporary === true;
  return (
    <Section title={say('About the file')}>
      <FactList
        facts={[
          !isText && { label: say('Kind'), value: kindWords(inspection) },
          { label: say('Network'), value: <Noted value={network.name} note={made ? null : network.how} /> },
          !isText && { label: say('Encrypted'), value: encryptionWords(inspection) },
          birth.note !== null && { label: say('Age'), value: birth.note },
          !made && facts && { label: say('Full path'), value: <CopyText text={facts.path} /> },
          !made && { label: say('Size'), value: formatExactSize(inspection.file.size) },
          !made && facts && { label: say('Last changed'), value: formatTime(facts.modified) },
        ]}
      />
    </Section>
  );
}

function AllProblems({ inspection: { problems } }: { inspection: Inspection }) {
  const [only] = problems;
  if (only === undefined) return null;
  return (
    <Section title={say('Problems')}>
      {problems.length === 1 ? (
        <Problem problem={only} />
      ) : (
        <PagedList
          look="bullets"
          label={say('Problems')}
          items={problems}
          keyOf={(_, at) => at}
          row={(problem) => <Problem problem={problem} />}
          page={10}
        />
      )}
    </Section>
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
      <FactList facts={keyFacts(inspection)} />
      {hdChains.total > 0 && (
        <>
          <Title order={3} mt={4}>
            <Say text="{seeds} and chains" values={{ seeds: <Term word="seed">{say('Seeds')}</Term> }} />
          </Title>
          <LongList items={hdChains} what="chains" row={chainRow} textOf={chainText} />
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
      <div className={`${layout.line} ${layout.small}`}>
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
            ? say('{keys, plural, one {# key} other {# keys}} for addresses', { keys: externalKeys })
            : say('{keys, plural, one {# key} other {# keys}} for addresses, {change, number} for change', {
                keys: externalKeys,
                change: internalKeys,
              })}
        </span>
      </div>
    </>
  );
}

function chainText({ seedId, fingerprint }: InspectedHdChain): string {
  return `${seedId} ${fingerprint ?? ''}`;
}
function InspectRecords({ inspection }: { inspection: Inspection }) {
  const { file, records, formatVersion, encryption, flags } = inspection;
  const types = Object.entries(records.byType).sort(([one], [other]) => (one < other ? -1 : 1));
  return (
    <Disclosure look="boxed" summary={say('Format and records')}>
      <Box p="sm" className={layout.flat}>
        <FactList
          facts={[
            ...formatFacts(file.format),
            formatVersion !== null && { label: say('Format version'), value: String(formatVersion) },
            flags.length > 0 && {
              label: say('Flags'),
              value: <SafeText text={flags.join(', ')} mono />,
            },
            encryption && {
              label: say('Encryption'),
              value: listed([
                say('{count, plural, one {# passphrase record} other {# passphrase records}}', {
                  count: encryption.masterKeys,
                }),
                say('{count, plural, one {# round} other {# rounds}}', { count: encryption.iterations }),
              ]),
            },
            { label: say('Records'), value: formatCount(records.total) },
            ...types.slice(0, MOST_TYPES).map(([type, count]) => ({
              label: visibleText(type),
              value: formatCount(count),
            })),
          ]}
        />
      </Box>
    </Disclosure>
  );
}

/** There are some forty known ones; a damaged file could have any number of others. */
const MOST_TYPES = 60;

function formatFacts(format: InspectedFile['format']): { label: string; value: string }[] {
  const pages = { label: say('Page size'), value: formatBytes(format.pageSize) };
  if (format.kind === 'sqlite') {
    const id = (format.applicationId >>> 0).toString(16).padStart(8, '0');
    return [
      { label: say('Format'), value: say('SQLite') },
      pages,
      { label: say('Application id'), value: id },
    ];
  }
  return [
    { label: say('Format'), value: say('Berkeley DB') },
    pages,
    {
      label: say('Byte order'),
      value: format.byteOrder === 'little' ? say('Little endian') : say('Big endian'),
    },
    {
      label: say('Closed cleanly'),
      value: format.cleanlyClosed
        ? say('Yes')
        : say('{count, plural, one {No (# page)} other {No (# pages)}}', { count: format.uncleanPages }),
    },
  ];
}
function Descriptors({ inspection }: { inspection: Inspection }) {
  const { descriptors, kind } = inspection;
  if (kind !== 'descriptor') return null;
  return (
    <Section title={say('Descriptors')}>
      {descriptors.total === 0 && <Quiet>{noneWords(inspection)}</Quiet>}
      <LongList
        items={descriptors}
        what="descriptors"
        row={descriptorRow}
        textOf={({ text }) => text ?? ''}
      />
    </Section>
  );
}

function descriptorRow(descriptor: InspectedDescriptor) {
  const { text } = descriptor;
  return (
    <>
      <div>{text === null ? say('Cannot be shown without a private key.') : <CopyText text={text} />}</div>
      <div className={`${layout.line} ${layout.small}`}>{descriptorWords(descriptor)}</div>
    </>
  );
}
