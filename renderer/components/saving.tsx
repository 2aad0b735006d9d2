/** Buttons that save new backups of wallets, and the report of a job; and the record of a job on paper. */
import { TextInput } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { createPortal, flushSync } from 'react-dom';
import { endOf, type Job, type JobNode } from '../../shared/model/job.ts';
import { visibleText } from '../../shared/model/names/visibleText.ts';
import { joinPath, platformOfPath, suggestedBackups } from '../../shared/model/names/walletName.ts';
import type { RecordParts, ReportSection } from '../../shared/model/record.ts';
import { formatTime } from '../../shared/wording/format/formatTime.ts';
import { UNNAMED } from '../../shared/wording/format/names.ts';
import { jobHeading, recordTitle } from '../../shared/wording/jobWords.ts';
import { say } from '../../shared/wording/say.ts';
import { jobVerdict } from '../../shared/wording/verdictWords.ts';
import { useApp, useNode } from '../state/appStore.ts';
import { useUserRequest } from '../state/asking.ts';
import { saveBackups, useNewWallets } from '../state/backupsStore.ts';
import { bridge } from '../state/bridge.ts';
import { type FileQuestion, pickFile } from '../state/filePicker.ts';
import { useWallets } from '../state/walletsStore.ts';
import { ActionButton, SmallButton } from './buttons.tsx';
import { ErrorNotice } from './parts.tsx';
import { FileLine } from './paths.tsx';
import { Spoken } from './texts.tsx';

interface SaveBackupsProps
  extends Pick<ComponentProps<typeof ActionButton>, 'variant' | 'size' | 'blocked' | 'describedBy'> {
  /** Names of wallets of `node`, to which the app may no longer be connected; or what asks for them once the folder is known. */
  wallets: readonly string[] | (() => Promise<readonly string[]>);
  node: JobNode;
  label: string;
  onSave?: (wallets: readonly string[]) => void;
}

export function SaveBackups({ wallets, node, label, onSave, blocked = false, ...button }: SaveBackupsProps) {
  /** Whether the app sees the node's disk, so that the user can choose the folder. */
  const local = useNode()?.local ?? true;
  const [typed, setTyped] = useState('');
  const folder = typed.trim();

  async function choose() {
    const chosen = local ? await pickFile({ purpose: 'backups-folder', keys: keysOf(wallets) }) : folder;
    if (chosen === null) return;
    const saved = typeof wallets === 'function' ? await wallets() : wallets;
    const names = suggestedBackups(saved, new Date());
    const list = saved.map((wallet, at) => ({
      node,
      wallet,
      destination: joinPath(chosen, names[at] ?? '', platformOfPath(chosen)),
    }));
    void saveBackups(list, { ofAll: typeof wallets === 'function' });
    onSave?.(saved);
  }

  return (
    <>
      {!local && (
        <TextInput
          w="100%"
          label={say('Folder')}
          description={say('Full path on the node’s machine.')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      <ActionButton
        {...button}
        needsNode
        blocked={blocked || (!local && folder === '')}
        onClick={() => void choose()}
      >
        {label}
      </ActionButton>
    </>
  );
}

/** Encrypted only if all of them are known to be. */
function keysOf(names: SaveBackupsProps['wallets']): NonNullable<FileQuestion['keys']> {
  const listed = useWallets.getState().wallets ?? [];
  const saved = typeof names === 'function' ? listed : listed.filter(({ name }) => names.includes(name));
  return saved.length > 0 && saved.every(({ encrypted }) => encrypted === true) ? 'encrypted' : 'open';
}

interface SaveReportProps {
  /** The file is named after the job’s start. */
  job: Job;
  describedBy?: string | undefined;
  /** The shown report for others. Without it, the full record is saved. */
  redacted?: string;
}

/** Saves the report of a job for others, or the user's own full record, as text or PDF. */
export function SaveReport({ job, describedBy, redacted }: SaveReportProps) {
  const { id, started } = job;
  const canSavePdf = useApp(({ info }) => info?.canSavePdf ?? false);
  const inBrowser = useApp(({ info }) => info?.entry === 'browser');
  const [saved, setSaved] = useState<string | null>(null);
  const [printed, setPrinted] = useState<RecordParts | null>(null);
  const { error, ask } = useUserRequest();
  // What is printed must be in the page before the call.
  async function putOnPaper() {
    const record = await bridge.call('jobs.record', { id });
    flushSync(() => setPrinted(record));
  }

  async function print() {
    await putOnPaper();
    window.addEventListener('afterprint', () => setPrinted(null), { once: true });
    window.print();
  }

  async function save(ending: 'txt' | 'pdf') {
    const day = new Date(started * 1000).toISOString().slice(0, 10);
    const suggestedName = `wallet-ferry-${redacted === undefined ? 'record' : 'report'}-${day}.${ending}`;
    if (inBrowser) {
      // The browser asks for the path.
      await ask(async () =>
        download(suggestedName, redacted ?? (await bridge.call('jobs.report', { id, which: 'record' })).text),
      );
      return;
    }
    const destination = await pickFile({ purpose: 'save-report', suggestedName });
    if (destination === null) return;
    setSaved(null);
    const which = redacted === undefined ? 'record' : 'for-help';
    await ask(async () => {
      if (which === 'record' && destination.toLowerCase().endsWith('.pdf')) await putOnPaper();
      setSaved((await bridge.call('jobs.saveReport', { id, which, destination })).path);
    });
    setPrinted(null);
  }

  return (
    <>
      <SmallButton describedBy={describedBy} onClick={() => void save('txt')}>
        {redacted === undefined ? say('Save a record…') : say('Save this report…')}
      </SmallButton>
      {redacted === undefined && (
        <SmallButton describedBy={describedBy} onClick={() => void (canSavePdf ? save('pdf') : ask(print))}>
          {canSavePdf ? say('As PDF…') : say('Print the record…')}
        </SmallButton>
      )}
      {printed && createPortal(<PaperRecord job={job} {...printed} />, document.body)}
      <Spoken>
        {saved !== null && (
          <FileLine name={redacted === undefined ? say('The record') : say('The report')} path={saved} />
        )}
      </Spoken>
      {error && <ErrorNotice title={say('Not saved')} error={error} />}
    </>
  );
}

function download(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The record as a sheet of paper, printed in place of the page (see page.css). It says what the saved text says. */
export function PaperRecord({ job, wallet, sections }: { job: Job } & RecordParts) {
  const version = useApp(({ info }) => info?.version ?? '');
  const { started } = job;
  const { isBackedUp, newBackups } = useNewWallets([job]);
  const write = paperWriter([job, ...(newBackups ?? [])]);
  return (
    <article data-paper>
      <header>
        <p>{recordTitle(version, Date.now() / 1000)}</p>
        <h1>{write(wallet === '' ? UNNAMED : wallet)}</h1>
        <p>
          {jobHeading(job)} · {formatTime(endOf(job) ?? started)}
        </p>
        <p>
          <strong>{jobVerdict(job, isBackedUp).text}</strong>
        </p>
      </header>
      {sections.map((part) => (
        <PaperSection key={JSON.stringify(part)} part={part} write={write} />
      ))}
    </article>
  );
}

function PaperSection({ part, write }: { part: ReportSection; write: (text: string) => string }) {
  const { title, rows = [], table: [heads, ...cells] = [], lines = [], files = [] } = part;
  return (
    <section>
      {title && <h2>{write(title)}</h2>}
      <table>
        {heads && (
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {[...rows, ...cells].map(([label = '', ...values]) => (
            <tr key={[label, ...values].join()}>
              <th scope="row">{label}</th>
              {values.map((value, at) => (
                <td key={heads?.[at + 1] ?? label}>{write(value)}</td>
              ))}
            </tr>
          ))}
          {files.map(({ name, path, sha256, notes = [] }) => (
            <tr key={path}>
              <th scope="row">
                {write(name)}
                {notes.map((note) => (
                  <p key={note}>{note}</p>
                ))}
              </th>
              <td>
                {write(path)}
                {sha256 && <code>SHA-256 {sha256}</code>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {lines.length > 0 && <p>{write(lines.join('\n'))}</p>}
    </section>
  );
}

/**
 * Writes a text of these jobs for paper. Isolates their names and paths that are written from right to left (U+2068, U+2069), which would
 * else swap with the words beside them.
 */
function paperWriter(jobs: readonly Job[]): (text: string) => string {
  const found = new Set<string>();
  const named = jobs.map(({ wallet, node, result, safetyCopy, interruption, leftCopy }) => [
    ...[wallet, node, result, safetyCopy, interruption],
    leftCopy?.path,
  ]);
  JSON.stringify(named, (_, value: unknown) => {
    if (typeof value === 'string' && RIGHT_TO_LEFT.test(value))
      found.add(visibleText(value, { spaces: true })).add(onPaper(value));
    return typeof value === 'bigint' ? null : value;
  });
  if (found.size === 0) return onPaper;
  const longestFirst = [...found].sort((one, other) => other.length - one.length);
  const any = longestFirst.map((text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
  const names = new RegExp(`(?<!\\p{L})(?:${any})(?!\\p{L})`, 'gu');
  return (text) => onPaper(text).replace(names, '\u2068$&\u2069');
}

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Amounts do not break in the middle. */
function onPaper(text: string): string {
  return visibleText(text, { lines: true }).replaceAll('\u2009', '\u202f');
}
