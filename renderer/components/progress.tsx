/** Progress: a waiting line, a bar, the elapsed time, and buttons that start and cancel work. */
import { Loader, Progress } from '@mantine/core';
import { useInterval, useTimeout } from '@mantine/hooks';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { formatShare } from '../../shared/wording/format/formatNumber.ts';
import { formatElapsed } from '../../shared/wording/format/formatTime.ts';
import { say } from '../../shared/wording/say.ts';
import { useAsking } from '../state/asking.ts';
import { ActionButton, SmallButton } from './buttons.tsx';
import { ErrorNotice } from './notices.tsx';

interface WaitingProps {
  children: ReactNode;
  /** Cancels the reading of a file. */
  onCancel?: (() => void) | undefined;
}

export function Waiting({ children, onCancel }: WaitingProps) {
  return (
    <div className="row">
      <div className="row dim" role="status">
        <Loader size={18} aria-hidden />
        <span>{children}</span>
      </div>
      {onCancel && <CancelTask label={say('Cancel reading')} onCancel={onCancel} />}
    </div>
  );
}

interface CancelTaskProps {
  /** Names what it cancels, because the page has another *Cancel*. */
  label: string;
  onCancel: () => void;
}

/** Cancels work on a file. Appears only if the work takes longer than a moment. */
export function CancelTask({ label, onCancel }: CancelTaskProps) {
  const [isLong, setLong] = useState(false);
  useTimeout(() => setLong(true), MOMENT_MS, { autoInvoke: true });
  if (!isLong) return null;
  return <SmallButton onClick={onCancel}>{label}</SmallButton>;
}

const MOMENT_MS = 1000;

interface ProgressBarProps {
  label: string;
  /** The finished share, 0 to 1; null if unknown. */
  fraction: number | null;
}

/** A progress bar, also for unknown progress. */
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
      {/* Moving stripes: the progress is unknown. */}
      <Progress.Section
        withAria={false}
        color="var(--ferry-focus)"
        value={fraction === null ? 100 : fraction * 100}
        animated={fraction === null}
      />
    </Progress.Root>
  );
}

/** The time since `since` (Unix seconds), updated each second. */
export function useElapsed(since: number): string {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useInterval(() => setNow(Date.now() / 1000), 1000, { autoInvoke: true });
  return formatElapsed(now - since);
}

interface AskingButtonProps extends Omit<ComponentProps<typeof ActionButton>, 'busy' | 'onClick'> {
  call: () => Promise<unknown>;
  /** The failed action, if the error does not name it. */
  failed?: string;
}

/** A button that makes a request. Shows that it is busy, and the error of a failed request. */
export function AskingButton({
  call,
  failed,
  variant = 'default',
  size = 'compact-sm',
  ...button
}: AskingButtonProps) {
  const { busy, error, ask } = useAsking();
  return (
    <>
      <ActionButton {...button} variant={variant} size={size} busy={busy} onClick={() => void ask(call)} />
      {error && <ErrorNotice error={error} {...(failed !== undefined && { title: failed })} />}
    </>
  );
}
