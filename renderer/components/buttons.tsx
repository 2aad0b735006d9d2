/** Buttons: with a busy state, quiet ones, and ones that copy a text or make a request; and the progress of what they began. */
import { ActionIcon, Button, type ButtonProps, Group, Loader, Progress, VisuallyHidden } from '@mantine/core';
import { useInterval, useTimeout } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type AriaAttributes, type ComponentProps, type ReactNode, useId, useState } from 'react';
import { formatShare } from '../../shared/wording/format/formatNumber.ts';
import { formatElapsed } from '../../shared/wording/format/formatTime.ts';
import { say } from '../../shared/wording/say.ts';
import { isNodeLost, useApp } from '../state/appStore.ts';
import { useUserRequest } from '../state/asking.ts';
import { ErrorNotice } from './parts.tsx';
import { SafeText } from './texts.tsx';

interface ActionButtonProps
  extends Pick<ButtonProps, 'variant' | 'size' | 'fz' | 'fw' | 'px' | 'leftSection'>,
    Pick<AriaAttributes, 'aria-label' | 'aria-expanded'> {
  children: ReactNode;
  /** `submit` submits its form, as Enter does, so the form must check again. */
  type?: 'button' | 'submit';
  onClick?: () => void;
  busy?: boolean;
  blocked?: boolean;
  /** Blocks it while the node in use does not answer. */
  needsNode?: boolean;
  /** The id of the element that names its object, if its label does not ("Load"). */
  describedBy?: string | undefined;
}

export function ActionButton({
  children,
  type = 'button',
  onClick,
  busy = false,
  blocked = false,
  needsNode = false,
  describedBy,
  leftSection,
  ...look
}: ActionButtonProps) {
  const isLost = useApp(isNodeLost);
  const isBlocked = blocked || (needsNode && isLost);
  const still = busy || isBlocked;
  return (
    <Button
      {...look}
      type={type}
      className={busy && !leftSection ? 'busy' : undefined}
      leftSection={busy ? <Loader size={12} color="currentColor" aria-hidden /> : leftSection}
      onClick={still ? undefined : onClick}
      aria-disabled={still || undefined}
      data-disabled={isBlocked && !busy}
      aria-busy={busy || undefined}
      aria-describedby={describedBy}
    >
      {children}
    </Button>
  );
}

/** A small button, next to the text that it is about. */
export function SmallButton(props: Omit<ActionButtonProps, 'size'>) {
  return <ActionButton size="compact-sm" variant="default" {...props} />;
}

/** A button that looks like a link, for minor actions. */
export function LinkButton(props: Omit<ActionButtonProps, 'size' | 'variant'>) {
  return <ActionButton size="compact-sm" fz="xs" fw={500} px={6} variant="transparent" {...props} />;
}

/** A hash, an address or a path, followed by a small copy button. */
export function CopyText({ text }: { text: string }) {
  const id = useId();
  const { Icon, outcome, refused, copy } = useCopying(text);
  const spoken = <span role="status">{outcome}</span>;
  return (
    // The button after the text never wraps onto a line of its own.
    <Group component="span" display="inline-flex" wrap="nowrap" gap={4} maw="100%">
      <span id={id}>
        <SafeText text={text} mono home />
      </span>
      <ActionIcon
        variant="subtle"
        size={24}
        my={-3}
        flex="none"
        aria-label={say('Copy')}
        title={say('Copy')}
        aria-describedby={id}
        onClick={() => void copy()}
      >
        <Icon size={15} aria-hidden />
      </ActionIcon>
      {/* The icon shows success. */}
      {refused ? spoken : <VisuallyHidden component="span">{spoken}</VisuallyHidden>}
    </Group>
  );
}

interface CopyLinkProps {
  text: string;
  /** If "Copy" is not enough. */
  label?: string;
  describedBy?: string;
}

/** A link that copies a text, in full where a shortened one is shown, and says whether it could. */
export function CopyLink({ text, label = say('Copy'), describedBy }: CopyLinkProps) {
  const { outcome, copy } = useCopying(text);
  return (
    <>
      <LinkButton describedBy={describedBy} onClick={() => void copy()}>
        {outcome ?? label}
      </LinkButton>
      <VisuallyHidden role="status">{outcome}</VisuallyHidden>
    </>
  );
}

function useCopying(text: string) {
  const [copied, setCopied] = useState<'no' | 'yes' | 'refused'>('no');
  return {
    Icon: copied === 'yes' ? IconCheck : IconCopy,
    outcome: OUTCOMES[copied],
    refused: copied === 'refused',
    copy: async () => setCopied((await copyText(text)) ? 'yes' : 'refused'),
  };
}

const OUTCOMES = {
  no: null,
  yes: say('Copied'),
  refused: say('Not allowed here. Copy it by hand.'),
} as const;

/** Copies text to the clipboard. Resolves with false if neither way is allowed. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The desktop app grants the page no permissions. The older command needs none after a click.
    return copyByCommand(text);
  }
}

function copyByCommand(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
}

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
export function AskingButton(props: AskingButtonProps) {
  const { call, failed, variant = 'default', size = 'compact-sm', ...button } = props;
  const { busy, error, ask } = useUserRequest();
  return (
    <>
      <ActionButton {...button} variant={variant} size={size} busy={busy} onClick={() => void ask(call)} />
      {error && <ErrorNotice error={error} {...(failed !== undefined && { title: failed })} />}
    </>
  );
}
