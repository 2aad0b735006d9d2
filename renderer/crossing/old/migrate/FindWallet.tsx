/** The field that finds a wallet in a long list by a part of its name. */
import { TextInput } from '@mantine/core';
import { say } from '../../../../shared/text/say.ts';

interface FindWalletProps {
  /** How many there are: in a short list nothing has to be found. */
  among: number;
  sought: string;
  onSought: (sought: string) => void;
}

export function FindWallet({ among, sought, onSought }: FindWalletProps) {
  if (among <= FEW) return null;
  return (
    <TextInput
      label={say('Find a wallet')}
      value={sought}
      onChange={(event) => onSought(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
    />
  );
}

const FEW = 8;
