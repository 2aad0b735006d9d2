/**
 * A button for work that takes a moment. While it runs or cannot run, further clicks do nothing, and it keeps
 * the keyboard's focus, which a disabled button would lose.
 */
import { Button, type ButtonProps, Loader, UnstyledButton } from '@mantine/core';
import type { AriaAttributes, ReactNode } from 'react';
import styles from './buttons.module.css';

interface ActionButtonProps
  extends Pick<ButtonProps, 'variant' | 'size' | 'leftSection' | 'rightSection'>,
    Pick<AriaAttributes, 'aria-label' | 'aria-expanded' | 'aria-controls'> {
  children: ReactNode;
  /** `submit` sends its form, which asks once more whether it can be sent: Enter sends it too. */
  type?: 'button' | 'submit';
  onClick?: () => void;
  /** Its work runs now. */
  busy?: boolean;
  /** It cannot be used now. */
  blocked?: boolean;
  /** Id of the element that says what it acts on, where its own word does not ("Load"). */
  describedBy?: string | undefined;
}

export function ActionButton({
  children,
  type = 'button',
  onClick,
  busy = false,
  blocked = false,
  describedBy,
  leftSection,
  ...look
}: ActionButtonProps) {
  const still = busy || blocked;
  return (
    <Button
      {...look}
      type={type}
      className={styles.action}
      leftSection={busy ? <Loader size={14} color="currentColor" aria-hidden /> : leftSection}
      onClick={still ? undefined : onClick}
      aria-disabled={still || undefined}
      aria-busy={busy || undefined}
      aria-describedby={describedBy}
    >
      {children}
    </Button>
  );
}

/** The same for what can be done beside the words that it is about. */
export function SmallButton(props: Omit<ActionButtonProps, 'size'>) {
  return <ActionButton size="compact-sm" variant="default" {...props} />;
}

interface LinkButtonProps extends Pick<AriaAttributes, 'aria-expanded' | 'aria-controls' | 'aria-label'> {
  children: ReactNode;
  onClick: () => void;
  describedBy?: string | undefined;
}

/** A button that looks like a link, for what matters less than the text around it. */
export function LinkButton({ children, onClick, describedBy, ...aria }: LinkButtonProps) {
  return (
    <UnstyledButton {...aria} className={styles.link} onClick={onClick} aria-describedby={describedBy}>
      {children}
    </UnstyledButton>
  );
}
