/** A field for the passphrase of a wallet. What is typed stays in it, and is read at the moment of the call. */
import { PasswordInput } from '@mantine/core';
import type { FormEvent, Ref } from 'react';
import { say } from '../../shared/say.ts';

interface PassphraseInputProps {
  ref: Ref<HTMLInputElement>;
  label?: string;
  description: string;
  /** Why it cannot go on; null where nothing is wrong. */
  error: string | null;
  className?: string | undefined;
  onInput?: (event: FormEvent<HTMLInputElement>) => void;
}

export function PassphraseInput({ label = say('Passphrase'), ...props }: PassphraseInputProps) {
  return (
    <PasswordInput
      label={label}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      spellCheck={false}
      visibilityToggleButtonProps={{ 'aria-label': say('Show the passphrase'), tabIndex: 0 }}
      {...props}
    />
  );
}
