/** The field for the name of a new wallet, which says while one types why a name cannot be used. */
import { TextInput } from '@mantine/core';
import { say } from '../../../shared/text/say.ts';
import type { NameVerdict } from '../../../shared/walletName.ts';

interface WalletNameInputProps {
  /** What becomes of the name. */
  description: string;
  name: string;
  /** False while the name is the suggested one. */
  typed: boolean;
  verdict: NameVerdict;
  onName: (name: string) => void;
}

export function WalletNameInput({ description, name, typed, verdict, onName }: WalletNameInputProps) {
  return (
    <TextInput
      label={say('Wallet name')}
      description={description}
      value={name}
      onChange={(event) => onName(event.currentTarget.value)}
      error={verdict.ok || (verdict.reason === 'empty' && !typed) ? null : verdict.message}
      errorProps={{ role: 'alert' }}
      autoComplete="off"
      spellCheck={false}
    />
  );
}
