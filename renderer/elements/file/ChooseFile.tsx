/** The button that chooses a file of this computer, and that it may be dropped as well. */
import { Button } from '@mantine/core';
import { IconFile } from '@tabler/icons-react';
import { say } from '../../../shared/text/say.ts';
import layout from '../layout.module.css';
import { type FilePickOptions, useFilePicker } from './useFilePicker.ts';

interface ChooseFileProps {
  purpose: FilePickOptions['purpose'];
  /** Whether there is one already, so that another one is no longer what matters most. */
  chosen: boolean;
  onPath: (path: string) => void;
}

export function ChooseFile({ purpose, chosen, onPath }: ChooseFileProps) {
  const pick = useFilePicker();

  async function choose() {
    const path = await pick({ purpose });
    if (path !== null) onPath(path);
  }

  return (
    <div className={layout.row}>
      <Button
        variant={chosen ? 'default' : 'filled'}
        leftSection={<IconFile size={16} aria-hidden />}
        onClick={choose}
      >
        {say('Choose a file…')}
      </Button>
      <span className={layout.dim}>{say('or drop it here')}</span>
    </div>
  );
}
