/** Searches that take long: for a passphrase that is half remembered, and for deleted wallets in a disk image. */
import { Box, Checkbox, InputBase, NativeSelect } from '@mantine/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { AppErrorShape } from '../../../../shared/model/errors.ts';
import type { WalletSource } from '../../../../shared/model/plan.ts';
import {
  type ImageSearchResult,
  NO_VARIATIONS,
  type PassphraseEstimate,
  type PassphraseVariations,
  parseClues,
  type SearchProgress,
} from '../../../../shared/model/searches.ts';
import { resultCount } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import {
  foundWords,
  imageNotes,
  imageProgressLine,
  NONE_FITS,
  NOT_UTF8,
  PIECES_HINT,
  PIECES_LACKING,
  passphraseCountLines,
  passphraseProgressLine,
  SEARCH_STOPPED,
} from '../../../../shared/wording/searchWords.ts';
import { CopyText, ProgressBar, SmallButton } from '../../../components/buttons.tsx';
import { Form, PathField } from '../../../components/fields.tsx';
import { List } from '../../../components/lists.tsx';
import { Disclosure, ErrorNotice, Notice } from '../../../components/parts.tsx';
import { Quiet, Spoken } from '../../../components/texts.tsx';
import { openFile } from '../../../state/appStore.ts';
import { useTasks } from '../../../state/asking.ts';
import { bridge } from '../../../state/bridge.ts';
import { useSearchProgress } from '../../../state/searchStore.ts';

interface NearlyRememberedProps {
  source: WalletSource;
  /** Takes the passphrase, which nothing here keeps. */
  onFound: (passphrase: string) => void;
}

/** Searches for a passphrase from the remembered pieces. Only the field holds them. */
export function NearlyRemembered(props: NearlyRememberedProps) {
  return (
    <Disclosure summary={say('Forgotten part of it?')} look="quiet">
      <PassphraseSearch {...props} />
    </Disclosure>
  );
}

/** Searches what is no wallet file for wallets that were deleted, and writes each to a new file. `path`: a disk image, a device, or a folder of fragments. */
export function SearchImage({ path }: { path: string }) {
  return (
    <Disclosure summary={say('Search it for deleted wallets')}>
      <ImageSearch path={path} />
    </Disclosure>
  );
}

type PassphraseState =
  | { at: 'pieces' }
  | { at: 'counting' }
  | { at: 'counted'; count: PassphraseEstimate }
  | { at: 'searching'; task: string; count: PassphraseEstimate }
  | { at: 'none' }
  | { at: 'found'; typeable: boolean }
  | { at: 'failed'; error: AppErrorShape };

const JOB = 'search';

function PassphraseSearch({ source, onFound }: NearlyRememberedProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [ways, setWays] = useState(NO_VARIATIONS);
  const [lacking, setLacking] = useState(false);
  const [state, setState] = useState<PassphraseState>({ at: 'pieces' });
  const tasks = useTasks();
  const box = useKeptFocus(state.at);
  const busy = state.at === 'counting' || state.at === 'searching';

  /** Null where the field holds none that could be searched. */
  function readClues() {
    const entered = parseClues(field.current?.value ?? '', ways);
    setLacking(entered === null);
    if (entered === null) field.current?.focus();
    return entered;
  }

  /** Changed pieces need a new search. */
  function changed(next: PassphraseVariations) {
    tasks.cancel(JOB);
    setWays(next);
    setState({ at: 'pieces' });
  }

  /** Shows how many tries are left, and the button that continues. */
  function stopped(own: string, count: PassphraseEstimate) {
    tasks.cancel(JOB);
    const { latest } = useSearchProgress.getState();
    if (latest?.task !== own) return setState({ at: 'counted', count });
    const { done, perSecond, seconds } = latest;
    setState({ at: 'counted', count: { ...count, done, others: false, perSecond, seconds } });
  }

  async function count() {
    const entered = readClues();
    if (busy || entered === null) return;
    setState({ at: 'counting' });
    const counted = await tasks.run(JOB, (task) =>
      bridge.call('passphrase.count', { source, clues: entered, task }),
    );
    if (counted === null) return;
    setState(counted.ok ? { at: 'counted', count: counted.value } : { at: 'failed', error: counted.error });
  }

  async function search(count: PassphraseEstimate, goOn: boolean) {
    const entered = readClues();
    if (entered === null) return;
    const searched = await tasks.run(JOB, (task) => {
      setState({ at: 'searching', task, count: goOn ? count : { ...count, done: 0 } });
      return bridge.call('passphrase.search', { source, clues: entered, resume: goOn, task });
    });
    if (searched === null) return;
    if (!searched.ok) return setState({ at: 'failed', error: searched.error });
    const { found } = searched.value;
    setState(found === null ? { at: 'none' } : { at: 'found', typeable: found.text !== null });
    if (found !== null && found.text !== null) onFound(found.text);
  }

  return (
    <Box
      ref={box}
      className="apart"
      // In the form of the card, Enter would start its action.
      onKeyDown={(event) => {
        if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
      }}
    >
      <InputBase
        component="textarea"
        multiline
        ref={field}
        maw={420}
        label={say('Pieces, one per line')}
        description={PIECES_HINT}
        error={lacking ? PIECES_LACKING : null}
        errorProps={{ role: 'alert' }}
        rows={3}
        readOnly={busy}
        onInput={() => changed(ways)}
      />
      {WAYS.map(({ way, label }) => (
        <Checkbox
          key={way}
          label={label}
          checked={ways[way]}
          disabled={busy}
          onChange={({ currentTarget: { checked } }) => changed({ ...ways, [way]: checked })}
        />
      ))}
      <NativeSelect
        maw={420}
        label={say('Maximum typing errors')}
        value={String(ways.typos)}
        disabled={busy}
        data={TYPOS.map(String)}
        onChange={({ currentTarget: { selectedIndex } }) =>
          changed({ ...ways, typos: TYPOS[selectedIndex] ?? 0 })
        }
      />
      {state.at !== 'searching' && (
        <SmallButton busy={state.at === 'counting'} onClick={count}>
          {say('Count the tries')}
        </SmallButton>
      )}
      <Spoken>
        {state.at === 'counted' && <Quiet>{passphraseCountLines(state.count).join(' ')}</Quiet>}
        {state.at === 'none' && <Notice tone="info" title={NONE_FITS} />}
        {state.at === 'found' && (
          <Notice tone="good" title={say('Passphrase found.')}>
            {state.typeable ? say('See the field above.') : NOT_UTF8}
          </Notice>
        )}
      </Spoken>
      {state.at === 'counted' && (
        <div className="row">
          <SmallButton onClick={() => search(state.count, false)}>{say('Search')}</SmallButton>
          {state.count.done > 0 && (
            <SmallButton onClick={() => search(state.count, true)}>{say('Continue')}</SmallButton>
          )}
        </div>
      )}
      {state.at === 'searching' && (
        <SearchRunning
          task={state.task}
          first={{ ...state.count, total: state.count.tries }}
          words={passphraseProgressLine}
          onStop={() => stopped(state.task, state.count)}
        />
      )}
      {state.at === 'failed' && <ErrorNotice error={state.error} />}
    </Box>
  );
}

const TYPOS = [0, 1, 2] as const;

const WAYS = [
  { way: 'orders', label: say('Pieces in any order') },
  { way: 'spaces', label: say('Spaces between pieces') },
  { way: 'capitals', label: say('Capitals and Caps Lock') },
  { way: 'keyboards', label: say('Another keyboard layout') },
  { way: 'encodings', label: say('Old encodings') },
] as const;

type ImageState =
  | { at: 'folder' }
  | { at: 'searching'; task: string }
  | { at: 'stopped' }
  | { at: 'done'; found: ImageSearchResult }
  | { at: 'failed'; error: AppErrorShape };

function ImageSearch({ path }: { path: string }) {
  const [folder, setFolder] = useState('');
  const [state, setState] = useState<ImageState>({ at: 'folder' });
  const tasks = useTasks();
  const buttons = useKeptFocus(state.at);
  const searching = state.at === 'searching';
  const written = (state.at === 'done' ? state.found.wallets : []).flatMap((wallet) =>
    wallet.path === null ? [] : [{ path: wallet.path, words: foundWords(wallet) }],
  );

  async function search() {
    if (searching || folder === '') return;
    const searched = await tasks.run(JOB, (task) => {
      setState({ at: 'searching', task });
      return bridge.call('files.searchImage', { path, folder, task });
    });
    if (searched === null) return;
    setState(searched.ok ? { at: 'done', found: searched.value } : { at: 'failed', error: searched.error });
  }

  function stop() {
    tasks.cancel(JOB);
    setState({ at: 'stopped' });
  }

  return (
    <Form className="card" onSubmit={search}>
      <PathField
        label={say('Folder for found wallets')}
        description={say('Not on the searched disk.')}
        value={folder}
        disabled={searching}
        asks={{ purpose: 'backups-folder' }}
        onPath={(path) => {
          setFolder(path);
          if (state.at === 'failed') setState({ at: 'folder' });
        }}
      />
      <div ref={buttons} className="apart">
        {state.at === 'searching' ? (
          <SearchRunning task={state.task} first={null} words={imageProgressLine} onStop={stop} />
        ) : (
          <SmallButton type="submit" blocked={folder === ''}>
            {say('Search')}
          </SmallButton>
        )}
      </div>
      <Spoken>
        {state.at === 'stopped' && <Quiet>{SEARCH_STOPPED}</Quiet>}
        {written.length > 0 && <p>{resultCount(written.length)}</p>}
      </Spoken>
      {written.length > 0 && (
        <List look="boxed" label={say('Wallets found')}>
          {written.map(({ path, words }) => (
            <li key={`${path} ${words}`} className="row">
              <div className="grows">
                <div>{words}</div>
                <CopyText text={path} />
              </div>
              <SmallButton onClick={() => openFile(path)}>{say('Open')}</SmallButton>
            </li>
          ))}
        </List>
      )}
      <Spoken>{state.at === 'done' && <Quiet>{imageNotes(state.found).join(' ')}</Quiet>}</Spoken>
      {state.at === 'failed' && <ErrorNotice error={state.error} />}
    </Form>
  );
}

interface SearchRunningProps {
  task: string;
  /** Shown until the first progress event. Null: unknown. */
  first: SearchProgress | null;
  words: (progress: SearchProgress, plain: false) => string;
  onStop: () => void;
}

function SearchRunning({ task, first, words, onStop }: SearchRunningProps) {
  const { latest } = useSearchProgress();
  const progress = latest?.task === task ? latest : first;
  return (
    <>
      <ProgressBar
        label={say('Searching…')}
        fraction={progress && Math.min(1, progress.total === 0 ? 1 : progress.done / progress.total)}
      />
      {progress && <Quiet small>{words(progress, false)}</Quiet>}
      <div className="row">
        <SmallButton onClick={onStop}>{say('Stop')}</SmallButton>
        <Quiet small>{say('Leaving this page stops it.')}</Quiet>
      </div>
    </>
  );
}

/**
 * For the box of a search's buttons, which come and go with its state: the last of them takes the keyboard's focus from
 * one that is gone.
 */
function useKeptFocus(state: string): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    // A field that was just disabled keeps the focus until the browser draws the page anew.
    if (document.activeElement?.matches('body, :disabled') === false) return;
    const buttons = box.current?.querySelectorAll('button');
    buttons?.item(buttons.length - 1)?.focus();
  }, [state]);
  return box;
}
