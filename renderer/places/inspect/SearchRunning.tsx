/** A search that takes long: how far it is, and the button that stops it. */
import type { SearchProgress } from '../../../shared/search/searches.ts';
import { say } from '../../../shared/text/say.ts';
import { SmallButton } from '../../elements/input/ActionButton.tsx';
import { ProgressBar } from '../../elements/ProgressBar.tsx';
import { Quiet } from '../../elements/text/Quiet.tsx';
import { useSearchProgress } from '../../state/searchProgress.ts';

interface SearchRunningProps {
  label: string;
  job: string;
  /** Before anything was told; null: not known. */
  first: SearchProgress | null;
  words: (progress: SearchProgress) => string;
  onStop: () => void;
}

export function SearchRunning({ label, job, first, words, onStop }: SearchRunningProps) {
  const { latest } = useSearchProgress();
  const progress = latest?.job === job ? latest : first;
  return (
    <>
      <ProgressBar
        label={label}
        fraction={progress && Math.min(1, progress.total === 0 ? 1 : progress.done / progress.total)}
      />
      {progress && <Quiet small>{words(progress)}</Quiet>}
      <Quiet small>{say('Leaving this page stops it.')}</Quiet>
      <div>
        <SmallButton onClick={onStop}>{say('Stop')}</SmallButton>
      </div>
    </>
  );
}
