/** Buttons with a busy state, quiet ones, and ones that copy a text. */
import { ActionIcon, Button, type ButtonProps, Group, Loader, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type AriaAttributes, type ReactNode, useId, useState } from 'react';
import { say } from '../../shared/wording/say.ts';
import { isNodeLost, useApp } from '../state/appStore.ts';
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
      leftSection={busy ? <Loader size={14} color="currentColor" aria-hidden /> : leftSection}
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
