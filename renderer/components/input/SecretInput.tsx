/** A field for a secret. What is typed stays in it, and is read at the moment of the call. */
import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import type { ComponentProps } from 'react';
import { say } from '../../../shared/wording/say.ts';

interface SecretInputProps
  extends Pick<
    PasswordInputProps,
    | 'ref'
    | 'label'
    | 'aria-label'
    | 'aria-describedby'
    | 'description'
    | 'error'
    | 'className'
    | 'maw'
    | 'autoFocus'
    | 'onInput'
  > {
  /** The name of the button that shows what is typed. */
  reveal: string;
}

export function SecretInput({ reveal, ...props }: SecretInputProps) {
  return (
    <PasswordInput
      errorProps={{ role: 'alert' }}
      // The component says it of its frame alone.
      aria-invalid={props.error ? true : undefined}
      autoComplete="off"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': reveal, tabIndex: 0 }}
      {...props}
    />
  );
}

/** For the passphrase of the wallet that a place is about. */
export function PassphraseInput(props: Omit<ComponentProps<typeof SecretInput>, 'label' | 'reveal'>) {
  return <SecretInput label={say('Passphrase')} reveal={say('Show passphrase')} {...props} />;
}
