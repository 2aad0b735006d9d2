/** A search that takes long: how far it is, and the button that stops it. */
import { type RefObject, useEffect, useRef } from 'react';
import type { SearchProgress } from '../../../../shared/model/search/searches.ts';
import { say } from '../../../../shared/wording/say.ts';
import { SmallButton } from '../../../components/buttons.tsx';
import layout from '../../../components/layout.module.css';
import { ProgressBar } from '../../../components/progress.tsx';
import { Quiet } from '../../../components/texts.tsx';
import { useSearchProgress } from '../../../state/searchProgress.ts';

interface SearchRunningProps {
  label: string;
  task: string;
  /** Before anything was told; null: not known. */
  first: SearchProgress | null;
  words: (progress: SearchProgress) => string;
  onStop: () => void;
}

export function SearchRunning({ label, task, first, words, onStop }: SearchRunningProps) {
  const { latest } = useSearchProgress();
  const progress = latest?.task === task ? latest : first;
  return (
    <>
      <ProgressBar
        label={label}
        fraction={progress && Math.min(1, progress.total === 0 ? 1 : progress.done / progress.total)}
      />
      {progress && <Quiet small>{words(progress)}</Quiet>}
      <div className={layout.row}>
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
export function useKeptFocus(state: string): RefObject<HTMLDivElement | null> {
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
