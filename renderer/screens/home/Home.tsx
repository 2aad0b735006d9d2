/** No wallet is chosen yet: a file to open, wallets to find, keys to paste, and what a text with keys leaves open. */
import { Button, InputBase, TextInput, Title, VisuallyHidden } from '@mantine/core';
import {
  IconCheck,
  IconFileImport,
  IconKey,
  IconMinus,
  IconQuestionMark,
  IconSearch,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Input, Output } from '../../../shared/contract.ts';
import type { FileFacts } from '../../../shared/model/files.ts';
import type { TextLines } from '../../../shared/model/findings/textLines.ts';
import { networks } from '../../../shared/model/network.ts';
import { formatDayOrClock } from '../../../shared/wording/format/formatTime.ts';
import {
  continueWithoutText,
  damagedLine,
  keylessLines,
  keylessText,
  lineStateWord,
  linesSummary,
} from '../../../shared/wording/rescueWords.ts';
import { say } from '../../../shared/wording/say.ts';
import { ActionButton, SmallButton } from '../../components/buttons.tsx';
import { Choice, ChooseFile, Form, networkOptions } from '../../components/fields.tsx';
import { PagedList } from '../../components/lists.tsx';
import { ErrorNotice, Notice, PageHeading, Section } from '../../components/parts.tsx';
import { Quiet, SafeText } from '../../components/texts.tsx';
import { go, openFile, useNode } from '../../state/appStore.ts';
import { attempt, foundIn, useRequest, useUserRequest } from '../../state/asking.ts';
import { bridge } from '../../state/bridge.ts';
import { plans } from '../../state/plansStore.ts';
import { useSearch } from '../../state/searchStore.ts';
import { FindWallets } from './FindWallets.tsx';
import styles from './Home.module.css';

export function Home() {
  const node = useNode();
  const searches = useSearch((state) => state.searches);
  const [known, setKnown] = useState(searches);
  const [open, setOpen] = useState<'find' | 'paste' | null>(searches > 0 ? 'find' : null);
  // A folder that is dropped on this page starts a search as well.
  if (known !== searches) {
    setKnown(searches);
    setOpen('find');
  }
  const opener = (what: 'find' | 'paste', label: string) => (
    <Button
      variant="default"
      aria-expanded={open === what}
      onClick={() => setOpen(open === what ? null : what)}
    >
      {label}
    </Button>
  );
  return (
    <>
      <PageHeading title={say('Bring an old Bitcoin Core wallet up to date')}>
        {`${say('Your file is only read.')} ${say('Nothing leaves this computer.')}`}
      </PageHeading>
      <ul className={styles.tiles} aria-label={say('Getting started')}>
        <Tile
          Icon={IconFileImport}
          title={say('I have a file')}
          text={say('Drop a wallet.dat, backup or folder here.')}
        >
          {/* What is open below has the filled button then. */}
          <ChooseFile variant={open === null ? 'filled' : 'default'} />
        </Tile>
        <Tile
          Icon={IconSearch}
          title={say('Find wallets')}
          text={say('Searches Bitcoin Core’s folders and your disks.')}
        >
          {opener('find', say('Search this computer'))}
        </Tile>
        <Tile
          Icon={IconKey}
          title={say('I have keys')}
          text={say('Private keys, descriptors, a dump or a paper wallet.')}
        >
          {opener('paste', say('Paste keys'))}
        </Tile>
      </ul>
      {open === 'find' && <FindWallets />}
      {open === 'paste' && (
        <Section title={say('Your keys')}>
          <PasteKeys />
        </Section>
      )}
      {node && !node.local && <PathThere />}
      {node?.local && <NodeBackups />}
      <Recent />
    </>
  );
}

interface TileProps {
  Icon: TablerIcon;
  title: string;
  text: string;
  children: ReactNode;
}

function Tile({ Icon, title, text, children }: TileProps) {
  const id = useId();
  return (
    <li className={`card ${styles.tile}`} aria-labelledby={id}>
      <Icon size={26} stroke={1.6} aria-hidden />
      <Title order={2} id={id} size="h3">
        {title}
      </Title>
      <p className="dim">{text}</p>
      {children}
    </li>
  );
}

/** For a node on another machine, which opens the file itself. */
function PathThere() {
  const [path, setPath] = useState('');
  function submit() {
    if (path !== '') plans.begin([{ action: 'restore', source: { by: 'file', path } }]);
  }
  return (
    <Section title={say('A file on the node’s machine')}>
      <Form onSubmit={submit} className="card">
        <TextInput
          label={say('Path on the node’s machine')}
          description={say('The node opens the file itself.')}
          value={path}
          onChange={(event) => setPath(event.currentTarget.value)}
        />
        <ActionButton type="submit" variant="default" blocked={path === ''}>
          {say('Check')}
        </ActionButton>
      </Form>
    </Section>
  );
}

function NodeBackups() {
  const files = foundIn(useRequest('files.backups', {}))?.backups ?? [];
  return <Files title={say('Backups next to the wallets')} files={files} />;
}

function Recent() {
  const [turn, setTurn] = useState(0);
  const files = foundIn(useRequest('files.recent', {}, { turn }))?.files ?? [];
  async function forget() {
    await attempt(() => bridge.call('files.forget', { path: null }));
    setTurn(turn + 1);
  }
  return (
    <Files
      title={say('Recent files')}
      files={files}
      aside={
        <SmallButton variant="subtle" onClick={() => void forget()}>
          {say('Clear the list')}
        </SmallButton>
      }
    />
  );
}

type File = Pick<FileFacts, 'path' | 'name' | 'modified'>;

function Files({ title, files, aside }: { title: string; files: readonly File[]; aside?: ReactNode }) {
  if (files.length === 0) return null;
  return (
    <Section title={title} aside={aside}>
      <PagedList
        look="boxed"
        label={title}
        items={files}
        keyOf={({ path }) => path}
        row={(file) => <FileRow file={file} />}
        page={10}
      />
    </Section>
  );
}

function FileRow({ file: { path, name, modified } }: { file: File }) {
  const id = useId();
  return (
    <div className="ends">
      <div className="grows" id={id}>
        <strong>
          <SafeText text={name} />
        </strong>
        <div className="small">
          <SafeText text={path} mono home /> · {formatDayOrClock(modified)}
        </div>
      </div>
      <SmallButton describedBy={id} onClick={() => openFile(path)}>
        {say('Open')}
      </SmallButton>
    </div>
  );
}

/** Keys that are pasted in the place of a file. Nothing but the field holds them. */
function PasteKeys() {
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const { busy, error, question, open, forget } = useOpenKeys();
  // Both may lie below the edge of a low window. Newer browsers return a promise, which React would call as the effect's end.
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' });
    field.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (question) form.current?.lastElementChild?.scrollIntoView({ block: 'nearest' });
  }, [question]);
  const lines = question?.of === 'lines' ? question.lines : null;
  const unmarkedId = useId();
  const unmarked = lines && marksEnd(lines, field.current?.value ?? '');

  async function submit(answers: KeyAnswers = {}) {
    // The text stays in the field, to be corrected.
    const text = field.current?.value;
    if (!busy && text) await open({ by: 'text', text }, answers);
    field.current?.focus();
  }

  return (
    <Form ref={form} className="card" onSubmit={submit} aria-label={say('Paste keys')}>
      <InputBase
        component="textarea"
        multiline
        ref={field}
        aria-describedby={unmarked ? unmarkedId : undefined}
        label={say('Keys, BIP38, descriptors, xprv, in any text')}
        onChange={forget}
        rows={6}
        wrap="off"
        classNames={{ input: styles.keys, section: styles.marks }}
        leftSection={lines && <LineMarks lines={lines} field={field} />}
        leftSectionWidth={74}
      />
      {unmarked && (
        <Quiet small>
          <span id={unmarkedId}>{unmarked}</span>
        </Quiet>
      )}
      <ActionButton type="submit" busy={busy}>
        {say('Open')}
      </ActionButton>
      {error && <ErrorNotice error={error} />}
      {question && (
        <KeyQuestion question={question} busy={busy} onAnswer={(answers) => void submit(answers)} />
      )}
    </Form>
  );
}

/** Goes to the wallet that is made of the keys in a text or a file, or to what can be rescued of them. */
export function useOpenKeys() {
  const node = useNode();
  const { busy, error, ask, clear } = useUserRequest<Output<'wallet.fromText'>>();
  const [question, setQuestion] = useState<OpenQuestion | null>(null);
  const forget = () => setQuestion(null);

  /** Without an answer that the text needs, `question` asks for it. */
  async function open(from: Input<'wallet.fromText'>['from'], answers: KeyAnswers = {}) {
    forget();
    const request = { from, ...(node ? { network: node.network } : {}), ...answers };
    const found = await ask((task) => bridge.call('wallet.fromText', { ...request, task }));
    if (found?.ok === false && found.error.finding?.code === 'network_needed' && !answers.network) {
      clear();
      setQuestion({ of: 'network', answers });
    }
    if (!found?.ok) return;
    if (found.value.action === 'correct')
      return setQuestion({ of: 'lines', answers, lines: found.value.lines });
    const { path, action, network, notes, lines } = found.value;
    const keyless = lines === null ? [] : keylessLines(lines);
    const source = { by: 'file', path } as const;
    const route = { at: 'wallet', source, ...(keyless.length > 0 && { keyless }) } as const;
    if (action === 'rescue') go({ ...route, searched: { network } });
    else go({ ...route, ...(notes.length > 0 && { notes }) });
  }

  return { busy, error, question, open, forget };
}

/** What the user decided about a text. */
type KeyAnswers = Pick<Input<'wallet.fromText'>, 'withoutDamaged' | 'network'>;

/** `answers`: those that are given already. */
type OpenQuestion = { answers: KeyAnswers } & ({ of: 'lines'; lines: TextLines } | { of: 'network' });

interface KeyQuestionProps {
  question: OpenQuestion;
  busy: boolean;
  onAnswer: (answers: KeyAnswers) => void;
}

export function KeyQuestion({ question, busy, onAnswer }: KeyQuestionProps) {
  const { answers } = question;
  // Descriptors of the test networks look alike.
  if (question.of === 'network')
    return (
      <Notice tone="info" role="status" title={say('Test network keys')}>
        <Choice
          inLine
          label={say('Which network?')}
          value={null}
          options={networkOptions(networks.filter((one) => one !== 'main'))}
          onChange={(network) => onAnswer({ ...answers, network })}
        />
      </Notice>
    );
  const { lines } = question;
  const damages = [...new Set(lines.damaged.map(damagedLine))];
  const keyless = keylessLines(lines);
  return (
    <Notice tone="read" role="status" title={linesSummary(lines)}>
      {keyless.length > 0 && <p>{keylessText(keyless)}</p>}
      {damages.length > 0 && <p>{say('Correct the damaged lines from your original.')}</p>}
      {damages.length > 0 && (
        <PagedList
          look="boxed"
          label={say('Damaged')}
          items={damages}
          keyOf={(text) => text}
          row={(text) => text}
          page={20}
        />
      )}
      {lines.keys > 0 && (
        <ActionButton
          variant="default"
          busy={busy}
          onClick={() => onAnswer({ ...answers, withoutDamaged: true })}
        >
          {continueWithoutText(lines)}
        </ActionButton>
      )}
    </Notice>
  );
}

/** Says where the marks end, if the text has more lines than are marked. */
export function marksEnd({ states }: Pick<TextLines, 'states'>, text: string): string | null {
  return text.trimEnd().split('\n').length > states.length
    ? say('Only the first {count, number} lines are marked.', { count: states.length })
    : null;
}

interface LineMarksProps {
  lines: TextLines;
  field: RefObject<HTMLTextAreaElement | null>;
}

/** Beside a field that does not wrap: the number of each line with what was read in it. Scrolls with the field. */
export function LineMarks({ lines, field }: LineMarksProps) {
  const list = useRef<HTMLOListElement>(null);
  useLayoutEffect(() => {
    const text = field.current;
    const move = () => list.current?.style.setProperty('translate', `0 ${-(text?.scrollTop ?? 0)}px`);
    move();
    text?.addEventListener('scroll', move);
    return () => text?.removeEventListener('scroll', move);
  }, [field]);
  return (
    <ol ref={list} className={`dim ${styles.lines}`} aria-label={say('Lines')}>
      {lines.states.map((state, at) => {
        if (state === 'empty') return null;
        const { Icon, tone } = MARKS[state];
        const line = at + 1;
        const damages = lines.damaged.filter((damage) => damage.line === line).map(damagedLine);
        return (
          <li key={line} className={styles.line} style={{ gridRow: line }} data-tone={tone}>
            <VisuallyHidden>
              {damages.length > 0 ? damages.join(' ') : say('Line {line, number}', { line })}{' '}
              {lineStateWord(state)}
            </VisuallyHidden>
            <span aria-hidden>{line}</span>
            <Icon size={14} stroke={2.5} aria-hidden />
          </li>
        );
      })}
    </ol>
  );
}

const MARKS = {
  taken: { Icon: IconCheck, tone: 'good' },
  damaged: { Icon: IconX, tone: 'read' },
  other: { Icon: IconQuestionMark, tone: 'plain' },
  comment: { Icon: IconMinus, tone: 'plain' },
} as const;
