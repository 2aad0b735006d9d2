/** An exact path, to read, to copy and to open the folder of. */
import { Box } from '@mantine/core';
import { IconFolderOpen } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { say } from '../../shared/wording/say.ts';
import { useApp } from '../state/appStore.ts';
import { bridge } from '../state/bridge/bridge.ts';
import { useAsking } from '../state/useAsking.ts';
import { ErrorNotice } from './ErrorNotice.tsx';
import { SmallButton } from './input/ActionButton.tsx';
import { CopyButton } from './input/CopyButton.tsx';
import layout from './layout.module.css';
import { Quiet, SafeText } from './text/texts.tsx';

interface PathLineProps {
  path: string;
  label: string;
  /** False for a path on another machine, which cannot be shown in a folder here. */
  here?: boolean;
  /** What is shown in a folder instead, where the path is not there yet. */
  now?: string;
  /** What is known of the file. */
  note?: ReactNode;
}

export function PathLine({ path, label, here = true, now = path, note }: PathLineProps) {
  const labelId = useId();
  const canShow = useApp(({ info }) => info?.canShowInFolder ?? false) && here;
  const { error, ask } = useAsking();

  return (
    <Box role="group" aria-labelledby={labelId} className={layout.stack}>
      <div id={labelId} className={layout.name}>
        {label}
      </div>
      <div className={layout.quote}>
        <code>
          <SafeText text={path} mono />
        </code>
        <div className={layout.row}>
          <CopyButton key={path} text={path} />
          {canShow && (
            <SmallButton
              leftSection={<IconFolderOpen size={15} />}
              onClick={() => void ask(() => bridge.call('files.show', { path: now }))}
            >
              {say('Show in folder')}
            </SmallButton>
          )}
        </div>
      </div>
      {note && <Quiet small>{note}</Quiet>}
      {error && <ErrorNotice error={error} />}
    </Box>
  );
}
