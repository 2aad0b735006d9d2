/** The button that chooses a wallet file of this computer. */
import { Button } from '@mantine/core';
import { say } from '../../../shared/text/say.ts';
import { useFilePicker } from './useFilePicker.ts';

export function ChooseFile({ onPath }: { onPath: (path: string) => void }) {
  const pick = useFilePicker();
  async function choose() {
    const path = await pick({ purpose: 'wallet' });
    if (path !== null) onPath(path);
  }
  return <Button onClick={() => void choose()}>{say('Choose a file…')}</Button>;
}
