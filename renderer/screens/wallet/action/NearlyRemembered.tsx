/** Searches a passphrase from what its owner remembers of it, which lives in the field alone. */
import { Box, Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import type { WalletSource } from '../../../../shared/contract.ts';
import type { AppErrorShape } from '../../../../shared/model/errors.ts';
import {
  memoryOf,
  NO_VARIATIONS,
  type PassphraseCount,
  type PassphraseMemory,
  type PassphraseVariations,
} from '../../../../shared/model/search/passphraseMemory.ts';
import {
  NOT_UTF8,
  PIECES_HINT,
  PIECES_LACKING,
  passphraseCountLines,
  passphraseProgressLine,
} from '../../../../shared/wording/passphraseWords.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { ErrorNotice, Notice } from '../../../components/notices.tsx';
import { Disclosure } from '../../../components/parts.tsx';
import { Quiet, Spoken } from '../../../components/texts.tsx';
import { bridge } from '../../../state/bridge/bridge.ts';
import { useSearchProgress } from '../../../state/searchProgress.ts';
import { newestTasks } from '../../../state/tasks.ts';
import { SearchRunning, useKeptFocus } from './SearchRunning.tsx';

interface NearlyRememberedProps {
  source: WalletSource;
  /** Takes the passphrase, which nothing here keeps. */
  onFound: (passphrase: string) => void;
}

export function NearlyRemembered(props: NearlyRememberedProps) {
  return (
    <Disclosure summary={say('Half-remembered passphrase')} look="boxed">
      <Search {...props} />
    </Disclosure>
  );
}

type State =
  | { at: 'pieces' }
  | { at: 'counting' }
  | { at: 'counted'; count: PassphraseCount }
  | { at: 'searching'; task: string; count: PassphraseCount }
  | { at: 'none' }
  | { at: 'found'; typeable: boolean }
  | { at: 'failed'; error: AppErrorShape };

/** The one piece of work there is at a time. */
const JOB = 'search';

function Search({ source, onFound }: NearlyRememberedProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [ways, setWays] = useState(NO_VARIATIONS);
  const [lacking, setLacking] = useState(false);
  const [state, setState] = useState<State>({ at: 'pieces' });
  const [tasks] = useState(newestTasks);
  const box = useKeptFocus(state.at);
  const busy = state.at === 'counting' || state.at === 'searching';

  useEffect(() => tasks.cancelAll, [tasks]);

  /** Null where the field holds none that could be searched. */
  function memory(): PassphraseMemory | null {
    const asked = memoryOf(field.current?.value ?? '', ways);
    setLacking(asked === null);
    if (asked === null) field.current?.focus();
    return asked;
  }

  /** Another memory is another search. */
  function changed(next: PassphraseVariations) {
    tasks.cancel(JOB);
    setWays(next);
    setState({ at: 'pieces' });
  }

  /** What is left of it is shown with the way to go on. */
  function stopped(own: string, count: PassphraseCount) {
    tasks.cancel(JOB);
    const { latest } = useSearchProgress.getState();
    if (latest?.task !== own) return setState({ at: 'counted', count });
    const { done, perSecond, seconds } = latest;
    setState({ at: 'counted', count: { ...count, done, others: false, perSecond, seconds } });
  }

  async function count() {
    const asked = memory();
    if (busy || asked === null) return;
    setState({ at: 'counting' });
    const counted = await tasks.run(JOB, (task) =>
      bridge.call('passphrase.count', { source, memory: asked, task }),
    );
    if (counted === null) return;
    setState(counted.ok ? { at: 'counted', count: counted.value } : { at: 'failed', error: counted.error });
  }

  async function search(count: PassphraseCount, goOn: boolean) {
    const asked = memory();
    if (asked === null) return;
    const searched = await tasks.run(JOB, (task) => {
      setState({ at: 'searching', task, count: goOn ? count : { ...count, done: 0 } });
      return bridge.call('passphrase.search', { source, memory: asked, goOn, task });
    });
    if (searched === null) return;
    if (!searched.ok) return setState({ at: 'failed', error: searched.error });
    const { found } = searched.value;
    setState(found === null ? { at: 'none' } : { at: 'found', typeable: found.text !== null });
    if (found !== null && found.text !== null) onFound(found.text);
  }

  return (
    <Box ref={box} p="md" className={layout.apart}>
      <Textarea
        ref={field}
        maw={420}
        label={say('Pieces, one per line')}
        description={PIECES_HINT}
        error={lacking ? PIECES_LACKING : null}
        errorProps={{ role: 'alert' }}
        rows={3}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
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
        label={say('Typing errors at most')}
        value={String(ways.typos)}
        disabled={busy}
        data={['0', '1', '2']}
        onChange={({ currentTarget: { value } }) =>
          changed({ ...ways, typos: value === '2' ? 2 : value === '1' ? 1 : 0 })
        }
      />
      {state.at !== 'searching' && (
        <SmallButton busy={state.at === 'counting'} onClick={count}>
          {say('Count the tries')}
        </SmallButton>
      )}
      <Spoken>
        {state.at === 'counted' && <Quiet>{passphraseCountLines(state.count).join(' ')}</Quiet>}
        {state.at === 'none' && <Notice tone="info" title={say('No passphrase fits.')} />}
        {state.at === 'found' && (
          <Notice tone="good" title={say('Passphrase found.')}>
            {state.typeable ? say('See the field above.') : NOT_UTF8}
          </Notice>
        )}
      </Spoken>
      {state.at === 'counted' && (
        <div className={layout.row}>
          <SmallButton onClick={() => search(state.count, false)}>{say('Search')}</SmallButton>
          {state.count.done > 0 && (
            <SmallButton onClick={() => search(state.count, true)}>{say('Continue')}</SmallButton>
          )}
        </div>
      )}
      {state.at === 'searching' && (
        <SearchRunning
          label={say('Half-remembered passphrase')}
          task={state.task}
          first={{ ...state.count, total: state.count.tries }}
          words={(progress) => passphraseProgressLine(progress, false)}
          onStop={() => stopped(state.task, state.count)}
        />
      )}
      {state.at === 'failed' && <ErrorNotice error={state.error} />}
    </Box>
  );
}

const WAYS = [
  { way: 'orders', label: say('Pieces in any order') },
  { way: 'spaces', label: say('Spaces between pieces') },
  { way: 'capitals', label: say('Capitals and Caps Lock') },
  { way: 'keyboards', label: say('Another keyboard layout') },
  { way: 'encodings', label: say('Old encodings') },
] as const;
