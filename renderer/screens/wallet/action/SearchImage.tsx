/** Searches what is no wallet file for wallets that were deleted, and writes each to a new file. */
import { Box } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { AppErrorShape } from '../../../../shared/model/errors.ts';
import type { ImageFound } from '../../../../shared/model/search/searches.ts';
import {
  foundWords,
  imageNotes,
  imageProgressLine,
  SEARCH_STOPPED,
} from '../../../../shared/wording/imageWords.ts';
import { resultCount } from '../../../../shared/wording/planWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { CopyText, SmallButton } from '../../../components/buttons.tsx';
import { PathField } from '../../../components/fields.tsx';
import layout from '../../../components/layout.module.css';
import { List } from '../../../components/lists.tsx';
import { ErrorNotice } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { Quiet, Spoken } from '../../../components/texts.tsx';
import { openFile } from '../../../state/appStore.ts';
import { bridge } from '../../../state/bridge/bridge.ts';
import { newestTasks } from '../../../state/tasks.ts';
import { SearchRunning, useKeptFocus } from './SearchRunning.tsx';

/** `path`: a disk image, a device, or a folder of fragments. */
export function SearchImage({ path }: { path: string }) {
  return (
    <Disclosure summary={say('Search it for deleted wallets')} look="boxed">
      <Search path={path} />
    </Disclosure>
  );
}

type State =
  | { at: 'folder' }
  | { at: 'searching'; task: string }
  | { at: 'stopped' }
  | { at: 'done'; found: ImageFound }
  | { at: 'failed'; error: AppErrorShape };

/** The one piece of work there is at a time. */
const JOB = 'search';

function Search({ path }: { path: string }) {
  const [folder, setFolder] = useState('');
  const [state, setState] = useState<State>({ at: 'folder' });
  const [tasks] = useState(newestTasks);
  const buttons = useKeptFocus(state.at);
  const searching = state.at === 'searching';
  const written = (state.at === 'done' ? state.found.wallets : []).flatMap((wallet) =>
    wallet.path === null ? [] : [{ path: wallet.path, words: foundWords(wallet) }],
  );
  useEffect(() => tasks.cancelAll, [tasks]);

  async function search(event: FormEvent) {
    event.preventDefault();
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
    <Box component="form" p="md" className={layout.apart} onSubmit={search}>
      <PathField
        label={say('Folder for what is found')}
        description={say('Not on the disk that is searched.')}
        value={folder}
        disabled={searching}
        asks={{ purpose: 'backups-folder' }}
        onPath={(given) => {
          setFolder(given);
          if (state.at === 'failed') setState({ at: 'folder' });
        }}
      />
      <div ref={buttons} className={layout.apart}>
        {state.at === 'searching' ? (
          <SearchRunning
            label={say('Searching…')}
            task={state.task}
            first={null}
            words={(progress) => imageProgressLine(progress, false)}
            onStop={stop}
          />
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
            <li key={`${path} ${words}`} className={layout.row}>
              <div className={layout.grows}>
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
    </Box>
  );
}
