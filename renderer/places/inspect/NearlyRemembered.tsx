/** Searches a passphrase from what its owner remembers of it, which lives in the field alone. */
import { Checkbox, NativeSelect, Textarea } from '@mantine/core';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { WalletSource } from '../../../shared/contract.ts';
import type { AppErrorShape } from '../../../shared/errors.ts';
import {
  memoryOf,
  NO_VARIATIONS,
  type PassphraseCount,
  type PassphraseMemory,
  type PassphraseVariations,
} from '../../../shared/search/passphraseMemory.ts';
import { say } from '../../../shared/text/say.ts';
import {
  NOT_UTF8,
  PIECES_HINT,
  PIECES_LACKING,
  passphraseCountLines,
  passphraseProgressLine,
} from '../../../shared/words/passphraseWords.ts';
import { Disclosure } from '../../elements/Disclosure.tsx';
import { ErrorNotice } from '../../elements/ErrorNotice.tsx';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import layout from '../../elements/layout.module.css';
import { Notice } from '../../elements/Notice.tsx';
import { Quiet, Spoken } from '../../elements/text/texts.tsx';
import { attempt } from '../../state/attempt.ts';
import { bridge } from '../../state/bridge/bridge.ts';
import { cancelJob } from '../../state/jobs.ts';
import { useSearchProgress } from '../../state/searchProgress.ts';
import styles from './Inspect.module.css';
import { SearchRunning, useKeptFocus } from './SearchRunning.tsx';

interface NearlyRememberedProps {
  source: WalletSource;
  /** Takes the passphrase, which nothing here keeps. */
  onFound: (passphrase: string) => void;
}

export function NearlyRemembered(props: NearlyRememberedProps) {
  return (
    <Disclosure summary={say('Passphrase nearly remembered')} look="boxed">
      <Search {...props} />
    </Disclosure>
  );
}

type State =
  | { at: 'pieces' }
  | { at: 'counting' }
  | { at: 'counted'; count: PassphraseCount }
  | { at: 'searching'; job: string; count: PassphraseCount }
  | { at: 'none' }
  | { at: 'found'; typeable: boolean }
  | { at: 'failed'; error: AppErrorShape };

function Search({ source, onFound }: NearlyRememberedProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [ways, setWays] = useState(NO_VARIATIONS);
  const [lacking, setLacking] = useState(false);
  const [state, setState] = useState<State>({ at: 'pieces' });
  const job = useRef<string | null>(null);
  const box = useKeptFocus(state.at);
  const busy = state.at === 'counting' || state.at === 'searching';

  const stop = useCallback(() => {
    if (job.current !== null) cancelJob(job.current);
    job.current = null;
  }, []);
  useEffect(() => stop, [stop]);

  /** Null where the field holds none that could be searched. */
  function memory(): PassphraseMemory | null {
    const asked = memoryOf(field.current?.value ?? '', ways);
    setLacking(asked === null);
    if (asked === null) field.current?.focus();
    return asked;
  }

  /** Another memory is another search. */
  function changed(next: PassphraseVariations) {
    stop();
    setWays(next);
    setState({ at: 'pieces' });
  }

  /** What is left of it is shown with the way to go on. */
  function stopped(own: string, count: PassphraseCount) {
    stop();
    const { latest } = useSearchProgress.getState();
    if (latest?.job !== own) return setState({ at: 'counted', count });
    const { done, perSecond, seconds } = latest;
    setState({ at: 'counted', count: { ...count, done, others: false, perSecond, seconds } });
  }

  async function count() {
    const asked = memory();
    if (busy || asked === null) return;
    const own = begin();
    setState({ at: 'counting' });
    const counted = await attempt(() => bridge.call('passphrase.count', { source, memory: asked, job: own }));
    if (job.current !== own) return;
    job.current = null;
    setState(counted.ok ? { at: 'counted', count: counted.value } : { at: 'failed', error: counted.error });
  }

  async function search(count: PassphraseCount, goOn: boolean) {
    const asked = memory();
    if (asked === null) return;
    const own = begin();
    setState({ at: 'searching', job: own, count: goOn ? count : { ...count, done: 0 } });
    const input = { source, memory: asked, goOn, job: own };
    const searched = await attempt(() => bridge.call('passphrase.search', input));
    if (job.current !== own) return;
    job.current = null;
    if (!searched.ok) return setState({ at: 'failed', error: searched.error });
    const { found } = searched.value;
    setState(found === null ? { at: 'none' } : { at: 'found', typeable: found.text !== null });
    if (found !== null && found.text !== null) onFound(found.text);
  }

  function begin(): string {
    const own = crypto.randomUUID();
    job.current = own;
    return own;
  }

  return (
    <div ref={box} className={`${layout.apart} ${styles.form} ${styles.nearly}`}>
      <Textarea
        ref={field}
        className={styles.field}
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
        {state.at === 'none' && <Notice tone="info" title={say('Nothing fits.')} />}
        {state.at === 'found' && <Found typeable={state.typeable} />}
      </Spoken>
      {state.at === 'counted' && (
        <div className={layout.row}>
          <SmallButton onClick={() => search(state.count, false)}>{say('Search')}</SmallButton>
          {state.count.done > 0 && (
            <SmallButton onClick={() => search(state.count, true)}>{say('Go on')}</SmallButton>
          )}
        </div>
      )}
      {state.at === 'searching' && (
        <SearchRunning
          label={say('Passphrase nearly remembered')}
          job={state.job}
          first={{ ...state.count, total: state.count.tries }}
          words={(progress) => passphraseProgressLine(progress, false)}
          onStop={() => stopped(state.job, state.count)}
        />
      )}
      {state.at === 'failed' && <ErrorNotice error={state.error} />}
    </div>
  );
}

function Found({ typeable }: { typeable: boolean }) {
  return (
    <Notice tone="good" title={say('Passphrase found.')}>
      {typeable ? say('See the field above.') : NOT_UTF8}
    </Notice>
  );
}

const WAYS = [
  { way: 'orders', label: say('Pieces in any order') },
  { way: 'spaces', label: say('Spaces between pieces') },
  { way: 'capitals', label: say('Capitals and Caps Lock') },
  { way: 'keyboards', label: say('Another keyboard layout') },
  { way: 'encodings', label: say('Old encodings') },
] as const;
