/** The button that chooses a wallet file of this computer, to be looked into. */
import { Button } from '@mantine/core';
import { say } from '../../shared/wording/say.ts';
import { openFile } from '../state/appStore.ts';
import { pickFile } from '../state/filePicker.ts';

export function ChooseFile() {
  async function choose() {
    const path = await pickFile({ purpose: 'wallet' });
    if (path !== null) openFile(path);
  }
  return <Button onClick={() => void choose()}>{say('Choose a file…')}</Button>;
}
