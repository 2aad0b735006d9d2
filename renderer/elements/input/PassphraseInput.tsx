/** A field for the passphrase of the wallet that a place is about. */
import type { ComponentProps } from 'react';
import { say } from '../../../shared/text/say.ts';
import { SecretInput } from './SecretInput.tsx';

export function PassphraseInput(props: Omit<ComponentProps<typeof SecretInput>, 'label' | 'reveal'>) {
  return <SecretInput label={say('Passphrase')} reveal={say('Show passphrase')} {...props} />;
}
