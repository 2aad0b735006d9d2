/** A bar that tells how far something is, or honestly that it is not known. */
import { Progress } from '@mantine/core';
import { formatShare } from '../../shared/wording/format/formatShare.ts';
import { say } from '../../shared/wording/say.ts';

interface ProgressBarProps {
  /** What is under way, for screen readers. */
  label: string;
  /** The share done, 0 to 1; null when it is not known. */
  fraction: number | null;
}

export function ProgressBar({ label, fraction }: ProgressBarProps) {
  return (
    <Progress.Root
      size={10}
      radius="xl"
      transitionDuration={400}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={fraction === null ? undefined : Math.floor(fraction * 100)}
      aria-valuetext={fraction === null ? say('Not known') : formatShare(fraction)}
    >
      {/* Stripes that move: work goes on, how far it is is not known. */}
      <Progress.Section
        withAria={false}
        color="var(--ferry-focus)"
        value={fraction === null ? 100 : fraction * 100}
        animated={fraction === null}
      />
    </Progress.Root>
  );
}
